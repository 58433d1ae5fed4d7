// The string formats of the contract's schemas: our own, and stricter forms of some standard ones. Countries are those
// of ISO 3166-1, currencies those of ISO 4217.
import { data as currencyList } from 'currency-codes'
import { iso31661 } from 'iso-3166/1.js'
import { eventCatalogue } from '#contract/api.ts'
import { auditedActions } from '#contract/audited-actions.ts'
import { formsOfReference, parseName, type ReferenceKind } from '#contract/references.ts'
import { isEmptiness } from '#contract/text-values.ts'
import { ownHeaderNames } from '#contract/webhook-headers.ts'
import { parseRange } from '#runtime/ip-address.ts'
import { isDomain, isEmailAddress } from '../text/addresses.ts'
import { isLine, identityNameError } from '../text/characters.ts'
import { isPhoneNumber } from '../text/phone-numbers.ts'
import { isSearchable } from '../text/search-words.ts'
import { isDay, isTime, timeError } from '../text/times.ts'

/** Kosovo has no code of the standard's own; XK is what banks, customs and the European Union write. */
const countries = new Set([...iso31661.map(({ alpha2 }) => alpha2), 'XK'])

/** Codes that are used for a country elsewhere. */
const meantInstead: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR' }

const platformCurrencies = Intl.supportedValuesOf('currency')
/** Units of account, for which the standard has no minor unit and the list says 0. */
const unitsOfAccount = new Set(['XDR', 'XSU', 'XUA'])

/**
 * The minor unit of each currency, in digits after the point. The list lacks what the standard has been given since,
 * and what old data still has, which the platform knows. Metals, tests and "no currency" (X…) are no money.
 */
const minorUnits = new Map([
  ...platformCurrencies.map((code): [string, number] => [code, 2]),
  ...currencyList
    .filter(({ code }) => !code.startsWith('X') || (platformCurrencies.includes(code) && !unitsOfAccount.has(code)))
    .map(({ code, digits }): [string, number] => [code, digits]),
])

export const isCountry = (code: string): boolean => countries.has(code)
export const isCurrency = (code: string): boolean => minorUnits.has(code)

export function countryMessage(code: unknown): string {
  const meant = meantInstead[String(code)]
  const known = 'Must be a country of ISO 3166-1 in two capitals, such as DE.'
  return meant === undefined ? known : `${known} For ${String(code)}, send ${meant}.`
}

/** How many digits an amount in this currency may have after the point: 2 for EUR, 0 for JPY. */
export const minorUnitsOf = (currency: string): number => minorUnits.get(currency) ?? 2

const eventTypes = eventCatalogue.map(({ type }) => type)
const actions = new Set(auditedActions)
const segments = new Set(eventTypes.map((type) => type.split('.')[0]))

// Header names that a webhook cannot set: our own, and those that change how the request is read.
const reservedHeaders = new RegExp(
  `^(host|connection|content-.*|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*|cookie|user-agent|trace(?:parent|state)|webhook-.*|x-.*-(${ownHeaderNames.join('|')}))$`,
  'i',
)

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i
// As the standard format, but the last label of the host begins with a letter: no IP addresses.
const email =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?$/i

export const formats: Record<string, (text: string) => boolean> = {
  date: isDay,
  'date-time': isTime,
  // The format's own `urn:uuid:` is a spelling that nothing else takes.
  uuid: (text) => uuid.test(text),
  currency: isCurrency,
  'currency-or-none': (text) => isEmptinessOrNot(text) || isCurrency(text.replace(/^!/, '')),
  country: isCountry,
  'search-text': isSearchable,
  'phone-or-none': (text) => isEmptinessOrNot(text) || isPhoneNumber(text.replace(/^!/, '')),
  email: (text) => email.test(text),
  'idn-email': isEmailAddress,
  'idn-hostname': isDomain,
  ...referencesTo('task', /^[a-z]{2,10}-[1-9]\d{0,9}$/i),
  ...referencesTo('project', /^[a-z]{2,10}$/i),
  ...referencesTo('member', /^me$/),
  ...referencesTo('key', /^me$/),
  ...referencesTo('company'),
  ...referencesTo('contact'),
  ...referencesTo('crm-entity'),
  ...referencesTo('document'),
  ...referencesTo('comment'),
  line: isLine,
  'identity-name': (text) => isLine(text) && identityNameError(text) === null,
  folder: (text) => isLine(text) && text.split('/').every((name) => name !== '' && name === name.trim()),
  'ip-or-cidr': (text) => parseRange(text) !== null,
  'event-type': (text) => eventTypes.some((type) => type === text),
  'event-pattern': (text) =>
    text === '*' ||
    eventTypes.some((type) => type === text) ||
    (text.endsWith('.*') && segments.has(text.slice(0, -2))),
  'audited-action': (text) => actions.has(text),
  // RFC 3987: a URI with letters of any script. What a parser would silently drop or mend is not let through.
  iri: (text) => /^[a-z][a-z0-9+.-]*:\/\/[^\s\p{Cc}"<>\\^`{|}]+$/iu.test(text) && URL.canParse(text),
  'webhook-header': (text) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text) && !reservedHeaders.test(text),
}

const isNoLine =
  'Must be one line of text: something to see, no line breaks, no control or direction override characters.'

/** The message for text that does not match its format; a function where it depends on the text. */
export const formatMessages: Record<string, string | ((text: unknown) => string)> = {
  date: 'Must be a day of the calendar, YYYY-MM-DD.',
  'date-time': timeError,
  uuid: 'Must be a UUID.',
  currency: 'Must be a currency of ISO 4217, such as EUR.',
  'currency-or-none': 'Must be a currency of ISO 4217, such as EUR, `!` and a currency, `none` or `any`.',
  country: countryMessage,
  'search-text': 'Must have two characters at least, or one of a script without blanks, such as 税.',
  'phone-or-none':
    'Must be a telephone number, such as +49 30 1234 or (030) 1234, `!` and one of them, `none` or `any`.',
  email: 'Must be an email address, such as ada@example.com.',
  'idn-email': 'Must be an email address, such as ada@example.com or ada@münchen.example.',
  'idn-hostname': 'Must be a domain, such as example.com or münchen.example.',
  ...referenceMessages(),
  line: isNoLine,
  'identity-name': (given) => identityNameError(String(given)) ?? isNoLine,
  folder: 'Must be names with `/` between them, such as handbook/people, without spaces at their ends.',
  'ip-or-cidr': 'Must be an IPv4 or IPv6 address, or a CIDR range without bits below its mask.',
  'event-type': 'Must be a kind of event, such as `projects.created`.',
  'event-pattern': 'Must be a kind of event, all of a segment such as `projects.*`, or `*`.',
  'audited-action': 'Must be the name of an operation, such as api-keys.create, `tools.call` or `mcp`.',
  iri: 'Must be an absolute URL, such as https://example.com/hook.',
  'webhook-header': 'Must be a header name that is not the sender’s own.',
}

/** In a filter, with `!` or without. */
const isEmptinessOrNot = (text: string): boolean => isEmptiness(text.replace(/^!/, ''))

/** `called`: what the objects of this kind are called, beside the forms that several kinds have. */
function referencesTo(kind: ReferenceKind, called = /^$/): Record<string, (text: string) => boolean> {
  const forms = formsOfReference[kind]
  const isReference = (text: string): boolean => {
    const name = parseName(text)
    if (name === null || (name.form !== 'id' && !forms.includes(name.form))) return false
    if (name.form === 'called') return called.test(name.text)
    if (name.form === 'email') return isEmailAddress(name.text)
    return name.form !== 'domain' || isDomain(name.text)
  }
  const mayBeNegated = (text: string): boolean => isReference(text.replace(/^!/, ''))
  return {
    [`${kind}-ref`]: isReference,
    [`${kind}-ref-or-not`]: mayBeNegated,
    [`${kind}-ref-or-none`]: (text) => isEmptinessOrNot(text) || mayBeNegated(text),
  }
}

function referenceMessages(): Record<string, string> {
  const ownId = 'your own id such as `ext:erp/4711`'
  const domain = 'a domain such as `domain:example.com`'
  const email = 'an email such as `email:ada@example.com`'
  const taken: Readonly<Record<ReferenceKind, readonly string[]>> = {
    task: ['an identifier such as WEB-42', ownId],
    project: ['a key such as WEB', ownId],
    member: ['`me`', 'an email such as ada@example.com'],
    key: ['`me`'],
    company: [ownId, domain],
    contact: [ownId, email],
    'crm-entity': [ownId, domain, email],
    document: [ownId],
    comment: [ownId],
  }
  return Object.fromEntries(
    Object.entries(taken).flatMap(([kind, names]) => {
      const must = `Must be ${listText(['a UUID', ...names])}`
      return [
        [`${kind}-ref`, `${must}.`],
        [`${kind}-ref-or-not`, `${must}, or \`!\` and one of them.`],
        [`${kind}-ref-or-none`, `${must}, \`!\` and one of them, \`none\` or \`any\`.`],
      ]
    }),
  )
}

function listText(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
