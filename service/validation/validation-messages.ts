// The message for an invalid value: a sentence for each keyword of the contract's schemas. The validator's own messages
// speak of schemas and show regular expressions.
import { formatMessages } from './string-formats.ts'

/**
 * `asked` is the keyword's value in the schema, `given` the value that does not fit it. Returns undefined when there is
 * no sentence for the keyword.
 */
export const messageFor = (keyword: string, asked: unknown, given?: unknown): string | undefined =>
  sentences[keyword]?.(asked, given)

const sentences: Readonly<Record<string, (asked: unknown, given: unknown) => string | undefined>> = {
  type: (type) => types[String(type)],
  required: () => 'Is required.',
  enum: () => 'This value is not allowed.',
  const: () => 'This value is not allowed.',
  minLength: (least) => fewer(least, 'character'),
  maxLength: (most) => more(most, 'character'),
  minItems: (least) => fewer(least, 'item'),
  maxItems: (most) => more(most, 'item'),
  minProperties: (least) => fewer(least, 'member'),
  maxProperties: (most) => more(most, 'member'),
  minimum: (least) => `Must be ${String(least)} or more.`,
  maximum: (most) => `Must be ${String(most)} or less.`,
  uniqueItems: () => 'Must not contain the same item twice.',
  pattern: (pattern) => patterns[String(pattern)],
  format: (format, given) => {
    const message = formatMessages[String(format)]
    return typeof message === 'function' ? message(given) : message
  },
  anyOf: () => 'Must have one of the allowed forms.',
}

const types: Readonly<Record<string, string>> = {
  string: 'Must be text.',
  integer: 'Must be a whole number.',
  number: 'Must be a number.',
  boolean: 'Must be true or false.',
  array: 'Must be a list.',
  object: 'Must be an object.',
  null: 'Must be null.',
}

const uuid = '[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}'

/** Each pattern of the contract needs a line here: test/service/validation/refusals.test.ts checks that. */
const patterns: Readonly<Record<string, string>> = {
  '^[A-Z]{2}$': 'Must be a country of ISO 3166-1 in two capitals, such as DE.',
  '^[A-Z]{3}$': 'Must be a currency of ISO 4217, such as EUR.',
  '^[A-Z]{2,10}$': 'Must be two to ten capitals, such as WEB.',
  '^-?(?:0|[1-9][0-9]{0,14})(?:\\.[0-9]{1,4})?$':
    'Must be an amount such as 1250.00 or -80.50: up to 15 digits, and up to four after a point.',
  '^[1-5](?:\\d\\d|xx)$': 'Must be a status such as 429, or a class of them such as 4xx.',
  '^https?://': 'Must begin with http:// or https://.',
  '^[a-z][a-z0-9_]{0,39}$': 'Must be up to 40 small letters, digits and underscores, a letter first.',
  '^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$':
    'Must be up to 48 small letters, digits and hyphens, without a hyphen at either end.',
  '^[\\x20-\\x7e]+$': 'Must be printable ASCII.',
  '^[^/\\\\]+$': 'Must be a file name without a slash or backslash.',
  '^[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*$': 'Must be a media type such as text/plain.',
  '^[A-Za-z0-9_-]+$': 'Must be base64url (RFC 4648), without padding.',
  '^[0-9a-f]{64}$': 'Must be a SHA-256 hash: 64 small hexadecimal digits.',
  '\\S': 'Must hold more than white space.',
  [`^(?:!?(?:${uuid}|none)|any)$`]: 'Must be a UUID, `!` and a UUID, `none` or `any`.',
  '^[a-zA-Z]\\w{0,49}(?:\\.[a-zA-Z]\\w{0,49}){0,2}$': 'Must be the name of a field, such as name or address.city.',
  '^customFields\\.[a-z][a-z0-9_]{0,39}$': 'Must be a custom field, such as customFields.size.',
}

/** `1 item`, `2 items`. */
export const counted = (count: unknown, what: string): string => `${String(count)} ${what}${count === 1 ? '' : 's'}`

const fewer = (least: unknown, what: string): string =>
  least === 1 ? 'Must not be empty.' : `Must have at least ${counted(least, what)}.`
const more = (most: unknown, what: string): string => `Must have at most ${counted(most, what)}.`
