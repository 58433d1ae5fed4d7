// Reads the text of one option as the type that its schema has. Everything else about the value is left to the API.
import { isNullable, type SchemaNode } from '#contract/json-schema.ts'
import { valueOfText, type TextSyntax } from '#contract/text-values.ts'
import { UsageError } from './exit-codes.ts'

/** Returns the schema of the values other than null. */
export function withoutNull(schema: SchemaNode): SchemaNode {
  const [first] = schema.anyOf ?? []
  return first === undefined ? schema : withoutNull(first)
}

export const isFlag = (schema: SchemaNode): boolean => withoutNull(schema).type === 'boolean'

/** Throws a UsageError when the text is not such a value. */
export const parseValue = (schema: SchemaNode, option: string, text: string): unknown =>
  valueOfText(text, schema, syntaxOf(option))

/** Lists are written with commas or as JSON, an empty text is an empty list; objects are written as JSON. */
const syntaxOf = (option: string): TextSyntax => ({
  itemsIn: (text) => (text === '' ? [] : text.split(',')),
  exception: (text, schema) => {
    if (text === 'null' && isNullable(schema)) return { value: null }
    const isJson = schema.type === 'object' || (schema.type === 'array' && text.startsWith('['))
    return isJson ? { value: jsonIn(text, option) } : null
  },
  unreadable: (text, { type }) => {
    if (type === 'boolean') throw new UsageError(`--${option} is true or false, not "${text}".`)
    // The API has the better message for a number that is not an integer.
    if (type === 'integer') return valueOfText(text, { type: 'number' }, syntaxOf(option))
    throw new UsageError(`--${option} takes a number, not "${text}".`)
  },
})

function jsonIn(text: string, option: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`--${option} takes JSON, and this is none: ${text}`)
  }
}
