// One value of the command line, read as what the schema says it is. What it may be beyond that, the API judges.
import type { TSchema } from 'typebox'
import { UsageError } from './exit-codes.ts'

type Node = { readonly type?: string; readonly items?: TSchema; readonly anyOf?: readonly TSchema[] }

/** Of a value that may be null, what it is otherwise. */
export function kindOf(schema: TSchema): { readonly node: Node; readonly isNullable: boolean } {
  const { anyOf, ...node } = schema as Node
  const [first] = anyOf ?? []
  if (first === undefined) return { node, isNullable: false }
  return { node: kindOf(first).node, isNullable: anyOf?.some((each) => (each as Node).type === 'null') ?? false }
}

export const isFlag = (schema: TSchema): boolean => kindOf(schema).node.type === 'boolean'

/** Lists are written with commas or as JSON, and nothing at all is an empty one; objects are written as JSON. */
export function valueOf(schema: TSchema, option: string, text: string): unknown {
  const { node, isNullable } = kindOf(schema)
  if (isNullable && text === 'null') return null
  switch (node.type) {
    case 'integer':
    case 'number':
      return numberIn(text, option)
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true'
      throw new UsageError(`--${option} is true or false, not "${text}".`)
    case 'array':
      if (text.startsWith('[')) return jsonIn(text, option)
      return text === '' ? [] : text.split(',').map((item) => valueOf(node.items ?? {}, option, item))
    case 'object':
      return jsonIn(text, option)
    default:
      return text
  }
}

function numberIn(text: string, option: string): number {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new UsageError(`--${option} takes a number, not "${text}".`)
}

function jsonIn(text: string, option: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`--${option} takes JSON, and this is none: ${text}`)
  }
}
