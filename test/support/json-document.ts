// Reads a JSON document whose parts refer to each other by `$ref`.

export type Node = Readonly<Record<string, unknown>>

export function reader(document: Node) {
  /** The node at these names, with references resolved on the way. */
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

/** Every object in the document, with the names that lead to it. */
export function* everywhere(node: unknown, way: readonly string[] = []): Generator<[readonly string[], Node]> {
  if (typeof node !== 'object' || node === null) return
  yield [way, node as Node]
  for (const [name, child] of Object.entries(node)) yield* everywhere(child, [...way, name])
}
