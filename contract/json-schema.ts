// A node of a JSON Schema, by the keywords that the contract uses. What TypeBox builds are such nodes: a `TSchema` is one
// without a cast.
import type { TSchema } from 'typebox'

export type SchemaNode = {
  readonly description?: string
  readonly default?: unknown
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly TSchema[]
  readonly format?: string
  readonly pattern?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: TSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly properties?: SchemaNodes
  readonly required?: readonly string[] | undefined
  readonly patternProperties?: SchemaNodes
  readonly propertyNames?: TSchema
  readonly additionalProperties?: unknown
  readonly maxProperties?: number
}
export type SchemaNodes = Readonly<Record<string, TSchema>>

/** Null is one of the alternatives. */
export const isNullable = ({ anyOf = [] }: SchemaNode): boolean => anyOf.some(isNull)

export const isNull = ({ type }: SchemaNode): boolean => type === 'null'

/** The names of an object's required fields. TypeBox leaves the keyword out where there are none. */
export const requiredIn = ({ required = [] }: SchemaNode): readonly string[] => required
