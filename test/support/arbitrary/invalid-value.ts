// Values with exactly one error against a schema, and where the error is.
import fc from 'fast-check'
import { isOf } from '../../../service/validation/schema-validator.ts'
import { valid, type Draw } from './valid-value.ts'
import { isNull, type SchemaNode } from '#contract/json-schema.ts'

type Spoil = { readonly how: string; readonly at: readonly (string | number)[]; readonly value: fc.Arbitrary<unknown> }

/** Longer values would be refused for the size of the body. */
const lengthMost = 60_000
const itemsMost = 500

/** One arbitrary for each kind of error that the schema allows to make. */
export function spoils(schema: SchemaNode, draw: Draw, name = ''): Spoil[] {
  const alternatives = (schema.anyOf ?? []).filter((each) => !isNull(each))
  const inner = alternatives.length === 1 && alternatives[0] ? spoils(alternatives[0], draw, name) : []
  const isRefused = refusedBy(schema)
  const own = [...values(schema)].filter(({ value }) => isRefused(value))
  return [
    ...own.map(({ how, value }) => ({ how, at: [], value: fc.constant(value) })),
    // Where null can stand, empty text may stand for it.
    ...inner.filter(({ how, at }) => !['null', 'too short'].includes(how) || at.length > 0),
    ...ofObject(schema, draw),
    ...ofArray(schema, draw, name),
  ]
}

function refusedBy(schema: SchemaNode): (value: unknown) => boolean {
  const accepts = isOf(schema)
  return (value) => !accepts(value) || (typeof value === 'string' && value.includes('\0'))
}

function* values(schema: SchemaNode): Generator<{ how: string; value: unknown }> {
  const { type, minLength = 0, maxLength = Infinity, minimum, maximum } = schema
  const others = { string: 'not this', number: 7.5, boolean: true, null: null, array: [], object: {}, large: 1e300 }
  for (const [how, value] of Object.entries(others)) if (how !== type) yield { how, value }
  if (type === 'string') {
    yield { how: 'a NUL', value: 'a\0b' }
    if (minLength > 0) yield { how: 'too short', value: 'x'.repeat(minLength - 1) }
    if (maxLength < lengthMost) yield { how: 'too long', value: 'x'.repeat(maxLength + 1) }
    yield { how: 'only white space', value: '  ' }
    yield { how: 'two lines', value: 'a\nb' }
  }
  if (minimum !== undefined) yield { how: 'too small', value: minimum - 1 }
  if (maximum !== undefined) yield { how: 'too large', value: maximum + 1 }
}

function ofObject(schema: SchemaNode, draw: Draw): Spoil[] {
  const { type, properties = {}, required = [], patternProperties, maxProperties = Infinity } = schema
  if (type !== 'object' || patternProperties !== undefined) return []
  const whole = valid(schema, draw) as fc.Arbitrary<Record<string, unknown>>
  /** Leaves room for one member more, where none of the others is required. */
  const besides = (others: Record<string, unknown>) =>
    required.length > 0 ? others : Object.fromEntries(Object.entries(others).slice(0, maxProperties - 1))
  const inside = Object.entries(properties).flatMap(([name, each]) =>
    spoils(each, draw, name).map(({ how, at, value }) => ({
      how,
      at: [name, ...at],
      value: fc.tuple(whole, value).map(([others, bad]) => ({ ...besides(others), [name]: bad })),
    })),
  )
  const without = (name: string) => whole.map(({ [name]: _left, ...others }) => others)
  const missing = required.map((name) => ({ how: 'missing', at: [name], value: without(name) }))
  const unknown = {
    how: 'unknown',
    at: ['noSuchName'],
    value: whole.map((some) => ({ ...besides(some), noSuchName: 1 })),
  }
  return [...inside, ...missing, unknown]
}

function ofArray(schema: SchemaNode, draw: Draw, name: string): Spoil[] {
  const { type, items = {}, minItems = 0, maxItems = Infinity, uniqueItems } = schema
  if (type !== 'array') return []
  const whole = valid(schema, draw, name) as fc.Arbitrary<unknown[]>
  const item = valid(items, draw, name, draw.isQuery)
  const first = spoils(items, draw, name).map(({ how, at, value }) => ({
    how,
    at: [0, ...at],
    value: fc.tuple(whole, value).map(([others, bad]) => [bad, ...others.slice(1)]),
  }))
  const counted = (how: string, length: number) => {
    const value = fc.array(item, { minLength: length, maxLength: length })
    return { how, at: [], value }
  }
  return [
    ...first,
    ...(minItems > 0 ? [counted('too few', minItems - 1)] : []),
    ...(maxItems < itemsMost ? [counted('too many', maxItems + 1)] : []),
    ...(uniqueItems === true ? [{ how: 'twice', at: [], value: item.map((one) => [one, one]) }] : []),
  ]
}
