// Arguments for a tool, drawn from the schema that it lists: mostly such as it takes, some of another kind, and unknown
// ones. Junk is what a careless model or a hostile caller sends.
import fc from 'fast-check'
import type { SchemaNode } from '#contract/json-schema.ts'

/** Of `ids` the tool may find something. */
export function toolArguments(schema: SchemaNode, ids: readonly string[]): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [] } = schema
  const fields = Object.entries(properties).map(([name, each]) => [name, mostly(fitting(each, name, ids))] as const)
  const whole = fc.record(Object.fromEntries(fields), { requiredKeys: [...required], noNullPrototype: true })
  const few = fc.tuple(whole, fc.array(fc.constantFrom(...Object.keys(properties), ''), { maxLength: 4 }))
  const known = few.map(([given, kept]) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => required.includes(name) || kept.includes(name))),
  )
  const strange = fc.dictionary(fc.string({ maxLength: 12 }), junk, { maxKeys: 2, noNullPrototype: true })
  return fc.oneof(
    { weight: 6, arbitrary: known },
    { weight: 3, arbitrary: whole },
    { weight: 1, arbitrary: fc.tuple(known, strange).map(([a, b]) => ({ ...a, ...b })) },
  )
}

const junk = fc.oneof(
  fc.constantFrom<unknown>(null, '', ' ', 0, -1, 1e21, 0.5, true, [], {}, [[]], [null], { __proto__: null, a: 1 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '\u0000',
    "'; DROP TABLE task; --",
    '../../etc/passwd',
    '${jndi:x}',
    '\ud800',
    'x'.repeat(70_000),
    '%00',
    '!',
    '!me',
  ),
  fc.jsonValue({ maxDepth: 3 }),
)

const mostly = (fitting: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 9, arbitrary: fitting }, { weight: 1, arbitrary: junk })

function fitting(schema: SchemaNode, name: string, ids: readonly string[]): fc.Arbitrary<unknown> {
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((each) => fitting(each, name, ids)))
  switch (schema.type) {
    case 'object':
      return schema.properties === undefined ? fc.dictionary(words, junk, { maxKeys: 3 }) : toolArguments(schema, ids)
    case 'array':
      return fc.array(fitting(schema.items ?? {}, name, ids), { maxLength: 3 })
    case 'string':
      return /id$|ids$/i.test(name) ? fc.constantFrom(...ids, 'me') : textFor(name)
    case 'integer':
    case 'number':
      return fc.integer({ min: (schema.minimum ?? 0) - 1, max: Math.min(schema.maximum ?? 300, 100_000) + 1 })
    case 'boolean':
      return fc.boolean()
    default:
      return fc.constant(null)
  }
}

const words = fc.constantFrom('status', 'ids', 'title', 'name', 'labels', 'createdAfter', 'customFields', 'q', 'budget')

const textFor = (name: string): fc.Arbitrary<string> =>
  /date|after|before|since/i.test(name)
    ? fc.constantFrom('2026-12-01', '2026-12-01T10:00:00Z', '2026-02-30', 'tomorrow')
    : fc.oneof(fc.lorem({ maxCount: 6 }), fc.string({ maxLength: 30 }))
