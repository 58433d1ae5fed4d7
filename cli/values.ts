// One value of the command line, read as what the schema says it is. What it may be beyond that, the API judges.
import { isNullable, type SchemaNode } from '#contract/json-schema.ts'
import { valueOfText, type TextSyntax } from '#contract/text-values.ts'
import { UsageError } from './exit-codes.ts'

/** Of a value that may be null, what it is otherwise. */
export function withoutNull(schema: SchemaNode): SchemaNode {
  const [first] = schema.anyOf ?? []
  return first === undefined ? schema : withoutNull(first)
}

export const isFlag = (schema: SchemaNode): boolean => withoutNull(schema).type === 'boolean'

/** Throws a UsageError where the text is no such value. */
export const valueOf = (schema: SchemaNode, option: string, text: string): unknown =>
  valueOfText(text, schema, syntaxOf(option))

/** Lists are written with commas or as JSON, and nothing at all is an empty one; objects are written as JSON. */
const syntaxOf = (option: string): TextSyntax => ({
  itemsIn: (text) => (text === '' ? [] : text.split(',')),
  exception: (text, schema) => {
    if (text === 'null' && isNullable(schema)) return { value: null }
    const isJson = schema.type === 'object' || (schema.type === 'array' && text.startsWith('['))
    return isJson ? { value: jsonIn(text, option) } : null
  },
  unreadable: (text, { type }) => {
    if (type === 'boolean') throw new UsageError(`--${option} is true or false, not "${text}".`)
    // That a number is none of the whole ones, the API says better.
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
