// The places in an operation's input that take a value of a kind, each with the input that puts a test's value there.
import type { TSchema } from 'typebox'
import { sample } from './sample.ts'

type Json = {
  readonly format?: string
  readonly items?: TSchema
  readonly properties?: Record<string, TSchema>
  readonly patternProperties?: Record<string, TSchema>
  readonly anyOf?: readonly TSchema[]
}
/** `inputWith` gives an input with what is required, and the value at `pointer`. */
export type Place = { readonly pointer: string; readonly inputWith: (value: unknown) => unknown }
type Wanted = (schema: Json) => boolean

export const arrayPlaces = (schema: TSchema): Place[] => placesIn(schema, ({ items }) => items !== undefined)
export const idPlaces = (schema: TSchema): Place[] =>
  placesIn(schema, ({ format }) => format === 'uuid' || format === 'id-or-identifier')

function placesIn(schema: TSchema, isWanted: Wanted): Place[] {
  const { items, properties = {}, patternProperties = {}, anyOf = [] } = schema as Json
  const within = (step: string, inner: TSchema, around: (value: unknown) => unknown): Place[] =>
    placesIn(inner, isWanted).map(({ pointer, inputWith }) => ({
      pointer: `/${step}${pointer}`,
      inputWith: (value) => around(inputWith(value)),
    }))
  const own = isWanted(schema) ? [{ pointer: '', inputWith: (value: unknown) => value }] : []
  return [
    ...own,
    ...Object.entries(properties).flatMap(([name, inner]) =>
      within(name, inner, (value) => member(schema, name, value)),
    ),
    ...Object.values(patternProperties).flatMap((inner) => within('any', inner, (value) => ({ any: value }))),
    ...(items === undefined ? [] : within('0', items, (value) => [value])),
    ...anyOf.flatMap((each) => placesIn(each, isWanted)),
  ]
}

const member = (schema: TSchema, name: string, value: unknown) => ({ ...(sample(schema) as object), [name]: value })
