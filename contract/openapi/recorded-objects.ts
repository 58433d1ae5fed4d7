// Finds a recorded object for a schema. It stands apart from recorded-examples.ts, which the dispatcher loads for the example
// of an event: checking schemas takes a package that it has no other use for.
import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import type { SchemaNode } from '../json-schema.ts'
import type { Json } from './component-refs.ts'
import { recorded } from './recorded-examples.ts'

const answered = objectsIn(recorded.answers)
const events = objectsIn(Object.values(recorded.events)).filter(({ object }) => object === 'event')

/** The first that the schema describes. Undefined where none is; a kind of event is shown by its webhook. */
export function exampleObject(schema: TSchema): unknown {
  const { properties = {} }: SchemaNode = schema
  const { const: object }: SchemaNode = properties['object'] ?? {}
  const { const: eventType }: SchemaNode = properties['type'] ?? {}
  if (object === undefined || eventType !== undefined) return undefined
  const candidates = object === 'event' ? events : answered
  return candidates.find((each) => each['object'] === object && Check(schema, each))
}

function objectsIn(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return []
  return [...('object' in value ? [value as Json] : []), ...Object.values(value).flatMap(objectsIn)]
}
