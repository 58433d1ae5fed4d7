// The places in an operation's input that take an id, or a list, each with an input that has a test's value there.
import { referenceFormat, type ReferenceFormat } from '#contract/references.ts'
import { sample } from './sample-value.ts'
import type { SchemaNode } from '#contract/json-schema.ts'

/** `inputWith` returns an input with the required fields, and the value at `pointer`. */
export type Place = { readonly pointer: string; readonly inputWith: (value: unknown) => unknown }
type Wanted = (schema: SchemaNode) => boolean

export const arrayPlaces = (schema: SchemaNode): Place[] => placesIn(schema, ({ items }) => items !== undefined)
/** The places that take a time. */
export const timePlaces = (schema: SchemaNode): Place[] => placesIn(schema, ({ format }) => format === 'date-time')
const isOfId = (format = ''): boolean => format === 'uuid' || referenceFormat(format)?.isNegatable === false
export const idPlaces = (schema: SchemaNode): Place[] => placesIn(schema, ({ format }) => isOfId(format))

export type ReferencePlace = Place & ReferenceFormat

/** The places that take a name as well as an id. */
export const referencePlaces = (schema: SchemaNode): ReferencePlace[] =>
  formatsIn(schema).flatMap((format) => {
    const found = referenceFormat(format)
    if (found === null) return []
    return placesIn(schema, (each) => each.format === format).map((place) => ({ ...place, ...found }))
  })

const formatsIn = (schema: SchemaNode): string[] => [
  ...new Set([...JSON.stringify(schema).matchAll(/"format":"([^"]+)"/g)].map(([, format = '']) => format)),
]

function placesIn(schema: SchemaNode, isWanted: Wanted): Place[] {
  const { items, properties = {}, patternProperties = {}, anyOf = [] } = schema
  const within = (step: string, inner: SchemaNode, around: (value: unknown) => unknown): Place[] =>
    placesIn(inner, isWanted).map(({ pointer, inputWith }) => ({
      pointer: `/${step}${pointer}`,
      inputWith: (value) => around(inputWith(value)),
    }))
  const own = isWanted(schema) ? [{ pointer: '', inputWith: (value: unknown) => value }] : []
  return [
    ...own,
    ...Object.entries(properties).flatMap(([name, each]) => within(name, each, (value) => member(schema, name, value))),
    ...Object.values(patternProperties).flatMap((inner) => within('any', inner, (value) => ({ any: value }))),
    ...(items === undefined ? [] : within('0', items, (value) => [value])),
    ...anyOf.flatMap((each) => placesIn(each, isWanted)),
  ]
}

const member = (schema: SchemaNode, name: string, value: unknown) => ({ ...(sample(schema) as object), [name]: value })
