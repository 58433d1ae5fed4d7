// Finding one's way in a document of JSON whose parts refer to each other.

export type Node = Readonly<Record<string, unknown>>

export function reader(document: Node) {
  /** Follows names, and references on the way. */
  function at(from: unknown, ...names: readonly string[]): Node {
    const found = names.reduce<unknown>((node, name) => resolved(node)[name], from)
    return resolved(found)
  }

  function resolved(node: unknown): Node {
    const { $ref } = (node ?? {}) as { $ref?: string }
    return $ref === undefined ? ((node ?? {}) as Node) : at(document, ...$ref.slice(2).split('/'))
  }

  return { at, resolved }
}

/** Every object in the document, with the way to it. */
export function* everywhere(node: unknown, way: readonly string[] = []): Generator<[readonly string[], Node]> {
  if (typeof node !== 'object' || node === null) return
  yield [way, node as Node]
  for (const [name, child] of Object.entries(node)) yield* everywhere(child, [...way, name])
}
