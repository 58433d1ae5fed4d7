// Values that a schema accepts, as fast-check draws them. It knows the keywords that the contract uses.
import fc from 'fast-check'
import { text } from './text.ts'
import type { SchemaNode } from '#contract/json-schema.ts'
import { referenceFormat } from '#contract/references.ts'

export type Draw = {
  /** Ids for the field of this name. */
  readonly idFor: (name: string) => fc.Arbitrary<string>
  /** Are lists written with commas, as in a query? */
  readonly isQuery: boolean
}

/** Short lists find as much as long ones. */
const itemsMost = 4
const nothing = fc.constant(null)

export function valid(schema: SchemaNode, draw: Draw, name = '', isListed = false): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((each) => valid(each, draw, name, isListed)))
  switch (schema.type) {
    case 'object':
      return object(schema, draw)
    case 'array':
      return list(schema, draw, name)
    case 'string':
      return name === 'uri' ? draw.idFor(name) : familiar(name, text(schema, draw.idFor(name), isListed))
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000, max: Math.min(schema.maximum ?? 1_000, 2 ** 31 - 1) })
    case 'number':
      return fc.integer({ min: (schema.minimum ?? -100) * 100, max: (schema.maximum ?? 100) * 100 }).map((n) => n / 100)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return nothing
    default:
      return anything
  }
}

/** Two systems with three objects each, so that ids often repeat. */
function familiar(name: string, any: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const same = /source$/i.test(name) ? ['erp', 'a b/ü'] : name === 'externalId' ? ['1', '2', 'x/%2F?#'] : []
  return same.length === 0 ? any : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...same) }, any)
}

function object({ properties = {}, required = [], ...schema }: SchemaNode, draw: Draw): fc.Arbitrary<object> {
  const [values] = Object.values(schema.patternProperties ?? {})
  if (values !== undefined) return map(schema, values, draw)
  const fields = Object.entries(properties).map(([name, each]) => [name, valid(each, draw, name)] as const)
  const { maxProperties = Infinity } = schema
  const whole = fc
    .record(Object.fromEntries(fields), { requiredKeys: [...required], noNullPrototype: true })
    .map((given) => Object.fromEntries(Object.entries(given).slice(0, maxProperties)))
  // A guessed value that only an earlier answer can give is mostly refused, which hides all other fields.
  const isGuessing = fc.integer({ min: 0, max: 9 }).map((n) => n === 0)
  return fc.tuple(whole, isGuessing).map(([given, guesses]) => (guesses ? given : without(given, fromAnswers)))
}

const fromAnswers = ['cursor', 'expectedVersion', 'createOnly']

const without = (given: object, names: readonly string[]): object =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)))

function map(schema: SchemaNode, values: SchemaNode, draw: Draw): fc.Arbitrary<object> {
  const { propertyNames, maxProperties = itemsMost } = schema
  const name = propertyNames === undefined ? fc.stringMatching(/^[a-z]{1,10}$/) : valid(propertyNames, draw)
  const names = name.map(String).filter((each) => each !== '__proto__' && each !== 'constructor')
  const maxKeys = Math.min(maxProperties, itemsMost)
  const some = fc.dictionary(names, valid(values, draw), { maxKeys, noNullPrototype: true })
  // Keys of maps must be defined by earlier calls: most maps are empty, so that other fields are tested.
  return fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: some })
}

function list(schema: SchemaNode, draw: Draw, name: string): fc.Arbitrary<unknown[]> {
  const item = valid(schema.items ?? {}, draw, name, draw.isQuery)
  const minLength = schema.minItems ?? 0
  const maxLength = Math.max(minLength, Math.min(schema.maxItems ?? itemsMost, itemsMost))
  if (schema.uniqueItems !== true) return fc.array(item, { minLength, maxLength })
  const some = fc.uniqueArray(item, { minLength: Math.min(minLength, 1), maxLength, selector: asKept })
  const { format = '' }: SchemaNode = schema.items ?? {}
  return referenceFormat(format)?.isNegatable === true ? inOneSense(some) : some
}

/** With `!` before all of the names or before none: any other list is refused, whatever else the filters say. */
const inOneSense = (names: fc.Arbitrary<unknown[]>): fc.Arbitrary<unknown[]> =>
  fc.tuple(fc.constantFrom('', '', '!'), names).map(([sign, drawn]) => drawn.map((name) => sign + String(name)))

/** Items are compared as they are stored. */
const asKept = (value: unknown): string => JSON.stringify(value).normalize('NFC')

const anything = fc.oneof(
  fc.stringMatching(/^[a-z ]{0,20}$/),
  fc.integer({ min: -1_000, max: 1_000 }),
  fc.boolean(),
  nothing,
  fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { maxLength: 3 }),
)
