// The text of a query, read as what the schema says it is. Text that does not read so is left as it is: the schema
// refuses it, with the reason.
import type { TSchema } from 'typebox'
import { valuesIn } from '../lists/list-values.ts'

type JsonSchema = { readonly type?: string; readonly items?: TSchema; readonly anyOf?: readonly TSchema[] }

export function coerced(text: string, schema: TSchema | undefined): unknown {
  const { type, items, anyOf = [] } = (schema ?? {}) as JsonSchema
  switch (type) {
    case 'integer':
      return /^-?\d+$/.test(text) ? Number(text) : text
    case 'number':
      return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'array':
      return valuesIn(text).map((part) => coerced(part, items))
    default:
      return firstRead(text, anyOf)
  }
}

/** Of alternatives, the first that makes something of the text. */
const firstRead = (text: string, alternatives: readonly TSchema[]): unknown =>
  alternatives.map((each) => coerced(text, each)).find((value) => value !== text) ?? text
