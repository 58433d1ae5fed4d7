// The references in a call's input: where its schema takes the id of an object, or a name that stands for it.
import type { SchemaNode } from '#contract/json-schema.ts'
import { parseName, referenceFormat, type ReferenceKind } from '#contract/references.ts'
import { isEmptiness } from '#contract/text-values.ts'
import { pointerTo } from '../text/json.ts'
import { textRewriter } from './normalize-input.ts'

/** The text that the input has at `pointer`, an id or a name, without the `!` of a filter. */
export type NamedObject = { readonly kind: ReferenceKind; readonly name: string; readonly pointer: string }

/** Returns the input with what `idOf` returns in the place of each reference. */
export type ReplaceReferences = (input: unknown, idOf: (named: NamedObject) => string) => unknown

/** Null where the schema takes no references. */
export function referencesIn(schema: SchemaNode): ReplaceReferences | null {
  const rewriter = textRewriter(schema, (format) => referenceFormat(format) !== null)
  if (rewriter === null) return null
  return (input, idOf) =>
    rewriter(input, (text, format, path) => {
      const found = referenceFormat(format)
      if (found === null) return text
      const sign = found.isNegatable && text.startsWith('!') ? '!' : ''
      if (found.mayBeEmpty && isEmptiness(text.slice(sign.length))) return text
      return sign + idOf({ kind: found.kind, name: text.slice(sign.length), pointer: pointerTo(path) })
    })
}

/** The references that are no ids, in the order of the input. */
export function namesIn(input: unknown, replace: ReplaceReferences): NamedObject[] {
  const names: NamedObject[] = []
  replace(input, (named) => {
    if (parseName(named.name)?.form !== 'id') names.push(named)
    return named.name
  })
  return names
}

/** Returns the places where a list names an object for the second time, once all of its names are ids. */
export function repeatedIn(input: unknown, replace: ReplaceReferences): string[] {
  const seen = new Set<string>()
  const repeated: string[] = []
  replace(input, ({ name, pointer }) => {
    const inList = `${pointer.replace(/\/\d+$/, '')} ${name}`
    if (seen.has(inList)) repeated.push(pointer)
    seen.add(inList)
    return name
  })
  return repeated
}
