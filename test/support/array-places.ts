// Every place in an operation's input that takes an array, and the input that puts a value of the test's there.
import type { TSchema } from 'typebox'
import { sample } from './sample.ts'

type Json = {
  readonly items?: TSchema
  readonly properties?: Record<string, TSchema>
  readonly patternProperties?: Record<string, TSchema>
  readonly anyOf?: readonly TSchema[]
}
export type Place = { readonly pointer: string; readonly inputWith: (value: unknown) => unknown }

export function arrayPlaces(schema: TSchema): Place[] {
  const { items, properties = {}, patternProperties = {}, anyOf = [] } = schema as Json
  const below = [
    ...Object.entries(properties).map(([name, inner]) => within(name, inner, (value) => member(schema, name, value))),
    ...Object.values(patternProperties).map((inner) => within('any', inner, (value) => ({ any: value }))),
    ...(items === undefined ? [] : [within('0', items, (value) => [value])]),
  ].flat()
  const own = items === undefined ? [] : [{ pointer: '', inputWith: (value: unknown) => value }]
  return [...own, ...below, ...anyOf.flatMap(arrayPlaces)]
}

const within = (step: string, inner: TSchema, around: (value: unknown) => unknown): Place[] =>
  arrayPlaces(inner).map(({ pointer, inputWith }) => ({
    pointer: `/${step}${pointer}`,
    inputWith: (value) => around(inputWith(value)),
  }))

const member = (schema: TSchema, name: string, value: unknown) => ({ ...(sample(schema) as object), [name]: value })
