// Strings that a schema accepts: short, with characters that break careless code.
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { eventCatalogue } from '#contract/api.ts'
import type { SchemaNode } from '#contract/json-schema.ts'
import { referenceFormat, type ReferenceFormat } from '#contract/references.ts'
import { formats } from '../../../service/validation/string-formats.ts'

type TextSchema = TSchema & Pick<SchemaNode, 'format' | 'pattern' | 'minLength' | 'maxLength'>

/** Bounds themselves are tested by values beyond them; in between, short text finds as much as long text. */
const lengthMax = 60

const ascii = fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCodePoint(code))
const odd = fc.constantFrom('é', 'e\u0301', 'ß', 'İ', 'Ж', '日', '한', '😀', '👩‍👧', '\u00a0', '\u200f', '𝒳', '\ufffd')
// Characters with a meaning in SQL, regular expressions, JSON, HTML or lists in a query.
const telling = fc.constantFrom('%', '_', "'", '"', '\\', '!', '<', '&', '$1', '/', '?', '#', ' ')

const alphanumeric = fc.stringMatching(/^[a-z][a-z0-9]{0,15}$/)
const moment = fc.date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })

const domain = fc
  .tuple(alphanumeric, fc.constantFrom('example', 'bücher.example', '例え.テスト'))
  .map((parts) => parts.join('.'))

const byFormat: Record<string, fc.Arbitrary<string>> = {
  uri: alphanumeric.map((path) => `https://example.com/${path}`),
  iri: alphanumeric.map((path) => `https://bücher.example.com/${path}`),
  // Their minor unit has as many digits as an amount may have: others refuse some amounts.
  currency: fc.constantFrom('CLF', 'UYW'),
  country: fc.constantFrom('DE', 'GB', 'XK'),
  email: alphanumeric.map((name) => `${name}@example.com`),
  'idn-email': fc.tuple(alphanumeric, domain).map((parts) => parts.join('@')),
  'idn-hostname': domain,
  'search-text': fc
    .string({ unit: fc.oneof(ascii, odd), minLength: 2, maxLength: 20 })
    .filter((text) => /\S/.test(text)),
  date: moment.map((at) => at.toISOString().slice(0, 10)),
  'date-time': fc.oneof(
    moment.map((at) => at.toISOString()),
    moment.map((at) => at.toISOString().replace('Z', '+05:30')),
  ),
  'ip-or-cidr': fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom('10.0.0.0/8', '2001:db8::/32')),
  'audited-action': fc.constantFrom('mcp', 'api-keys.create', 'webhooks.delete'),
  'event-type': fc.constantFrom(...eventCatalogue.map(({ type }) => type)),
  'event-pattern': fc.constantFrom('*', ...eventCatalogue.map(({ type }) => type)),
  'webhook-header': alphanumeric.map((name) => `X-${name}`),
}

// For other formats one of these is valid.
const addresses = ['Europe/Berlin', 'example.com', 'https://example.com', 'a-b', 'AB']
const guesses = [...addresses, 'EUR', '1250.00', '+49301234567', '1']

/** `id` draws ids: of objects that exist, and of none. */
export function text(schema: TextSchema, id: fc.Arbitrary<string>, isListed: boolean): fc.Arbitrary<string> {
  const { format, pattern } = schema
  if (format === 'uuid') return id
  const reference = referenceFormat(format ?? '')
  if (reference !== null) return named(reference, id)
  if (format !== undefined && !['line', 'identity-name'].includes(format)) return byFormat[format] ?? guessed(format)
  const matches = (value: string): boolean => fits(schema, value)
  if (pattern?.startsWith('^')) return matching(pattern, id).filter(matches)
  return free(schema, isListed).filter(matches)
}

/** Mostly an id: few names of those that are drawn lead anywhere. */
function named({ kind, mayBeEmpty }: ReferenceFormat, id: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const others = fc.constantFrom(...names[kind], ...(mayBeEmpty ? ['none'] : []))
  return fc.oneof({ weight: 8, arbitrary: id }, { weight: 1, arbitrary: others })
}

const names = {
  task: ['WEB-1', 'ab-7', 'WEB-2147483648', 'ext:erp/4711'],
  project: ['WEB', 'abcdefghij', 'ext:erp/A:1/2'],
  member: ['me', 'nobody@example.com', 'email:Nobody@example.com'],
  key: ['me'],
  company: ['ext:a%2Fb%25/1', 'domain:example.com'],
  contact: ['ext:erp/Å', 'email:nobody@example.com', 'nobody@example.com'],
  'crm-entity': ['ext:erp/1', 'domain:example.com', 'nobody@example.com'],
  document: ['ext:wiki/start page'],
  comment: ['ext:jira/1'],
} as const

function guessed(format: string): fc.Arbitrary<string> {
  const fitting = guesses.filter((guess) => formats[format]?.(guess))
  if (fitting.length === 0) throw new Error(`test/support/arbitrary/text.ts knows no text of the format ${format}`)
  return fc.constantFrom(...fitting)
}

function matching(pattern: string, id: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const expression = new RegExp(pattern)
  const any = fc.stringMatching(expression)
  return expression.test('01999999-0000-7000-8000-000000000000') ? fc.oneof(id, any) : any
}

function free({ minLength = 0, maxLength = lengthMax }: TextSchema, isListed: boolean): fc.Arbitrary<string> {
  const most = Math.max(minLength, Math.min(maxLength, lengthMax))
  const unit = fc.oneof({ weight: 6, arbitrary: ascii }, odd, telling)
  const some = fc.string({ unit, minLength, maxLength: most })
  // A comma would split an item of a list.
  return isListed ? some.map((value) => value.replaceAll(',', ';')) : some
}

/** The length is checked on the text as it is stored (NFC). */
function fits({ format, pattern, minLength = 0, maxLength = Infinity }: TextSchema, value: string): boolean {
  const kept = value.normalize('NFC')
  const length = Array.from(kept).length
  if (length < minLength || length > maxLength) return false
  if (format !== undefined && !formats[format]?.(kept)) return false
  return pattern === undefined || new RegExp(pattern, 'u').test(kept)
}
