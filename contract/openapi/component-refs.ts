// Names of component schemas, and references to them.
import type { SchemaNode } from '../json-schema.ts'

export type Json = Readonly<Record<string, unknown>>
/** Names of components by the JSON of their schema. */
export type Names = ReadonlyMap<string, string>

export const shapeOf = (schema: SchemaNode): string => JSON.stringify(schema)

/** Of equal schemas the first one gives the name. */
export function componentNames(schemas: Iterable<readonly [string, SchemaNode]>): Names {
  const names = new Map<string, string>()
  for (const [name, schema] of schemas) {
    const shape = shapeOf(schema)
    if (!names.has(shape)) names.set(shape, name)
  }
  return names
}

export const schemaRef = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

/** Names of the components that a part of the document refers to. */
export function referredNames(piece: unknown, where: 'schemas' | 'headers' = 'schemas'): string[] {
  const start = `#/components/${where}/`
  const refs = Array.from(JSON.stringify(piece).matchAll(/"(#\/components\/[^"]+)"/g), ([, ref = '']) => ref)
  return refs.filter((ref) => ref.startsWith(start)).map((ref) => ref.slice(start.length))
}
