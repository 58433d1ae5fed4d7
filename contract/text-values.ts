// Values as text, read by the schema of what they are for: parameters of a query and options of a command line. Pure.
import type { SchemaNode } from './json-schema.ts'

/** In a filter: the field is empty; the field has a value, whichever. */
export const isEmptiness = (value: string): boolean => value === 'none' || value === 'any'

export type TextSyntax = {
  /** The texts of a list's items. */
  readonly itemsIn: (text: string) => readonly string[]
  /** Text that is read otherwise than by its type, such as JSON; null for any other. */
  readonly exception?: (text: string, schema: SchemaNode) => { readonly value: unknown } | null
  /** What stands for text that is no value of the schema's type. May throw. */
  readonly unreadable: (text: string, schema: SchemaNode) => unknown
}

/** The text as a value of the type that the schema names; what it may be beyond that is for validation to say. */
export function valueOfText(text: string, schema: SchemaNode, syntax: TextSyntax): unknown {
  const exception = syntax.exception?.(text, schema) ?? null
  if (exception !== null) return exception.value
  switch (schema.type) {
    case 'integer':
      return /^-?\d+$/.test(text) ? Number(text) : syntax.unreadable(text, schema)
    case 'number':
      return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : syntax.unreadable(text, schema)
    case 'boolean':
      return text === 'true' || text === 'false' ? text === 'true' : syntax.unreadable(text, schema)
    case 'array':
      return syntax.itemsIn(text).map((item) => valueOfText(item, schema.items ?? {}, syntax))
    default:
      return ofAlternatives(text, schema.anyOf ?? [], syntax)
  }
}

/** Of alternatives, the first that makes something else of the text. */
function ofAlternatives(text: string, alternatives: readonly SchemaNode[], syntax: TextSyntax): unknown {
  for (const each of alternatives) {
    const value = valueOfText(text, each, syntax)
    if (value !== text) return value
  }
  return text
}

/**
 * The items of a list in a query, which stand with commas between them. `\,` is a comma of an item, and `\\` a
 * backslash; before anything else a backslash is a character like others.
 */
export function itemsOfList(text: string): string[] {
  const items = ['']
  for (const [piece] of text.matchAll(/\\[\\,]|[^\\,]+|[\\,]/g)) {
    if (piece === ',') items.push('')
    else items[items.length - 1] += piece.length === 2 && piece.startsWith('\\') ? piece.slice(1) : piece
  }
  return items
}

/** The items as `itemsOfList` reads them. */
export const textOfList = (items: readonly string[]): string =>
  items.map((item) => item.replaceAll(/[\\,]/g, '\\$&')).join(',')
