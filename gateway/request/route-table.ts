// Which route a request is for: a tree of path segments, made once from the contract. A literal segment comes before a
// parameter whatever the method: `GET /projects/batch` is not the project with the id `batch`. Segments are compared
// decoded, as the service's router compares them, so that both take a request for the same operation.
import { pathOf, unreadableAddress, withHead } from './target.ts'
import { pathSegmentLengthMax } from '#contract/route-paths.ts'

type Routed = { readonly method: string; readonly path: string }
/** Returns null where there is no route, or none for the method. */
export type FindRoute<T> = (method: string | undefined, url: string | undefined) => T | null
type Node<T> = {
  readonly literals: Map<string, Node<T>>
  parameter: Node<T> | null
  readonly byMethod: Map<string, T>
}

/** Paths are templates: `/projects/{id}`. */
export function routeTable<T extends Routed>(routes: readonly T[]): FindRoute<T> {
  const root = newNode<T>()
  for (const route of routes) {
    const { byMethod } = route.path.split('/').reduce(childFor, root)
    for (const method of withHead(route.method)) byMethod.set(method, route)
  }
  return (method = '', url = '') => {
    const path = pathOf(url)
    const segments = path.includes('%') ? decodedSegments(path) : path.split('/')
    return segments === null ? null : (findNode(root, segments, 0)?.byMethod.get(method) ?? null)
  }
}

const newNode = <T>(): Node<T> => ({ literals: new Map(), parameter: null, byMethod: new Map() })

function childFor<T>(node: Node<T>, segment: string): Node<T> {
  if (segment.startsWith('{')) return (node.parameter ??= newNode())
  const child = node.literals.get(segment) ?? newNode<T>()
  node.literals.set(segment, child)
  return child
}

function findNode<T>(node: Node<T>, segments: readonly string[], at: number): Node<T> | null {
  const segment = segments[at]
  if (segment === undefined) return node.byMethod.size > 0 ? node : null
  const literal = node.literals.get(segment)
  const found = literal === undefined ? null : findNode(literal, segments, at + 1)
  if (found !== null || node.parameter === null || segment === '') return found
  return findNode(node.parameter, segments, at + 1)
}

/** Null when the path cannot be decoded. */
function decodedSegments(path: string): string[] | null {
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return null
  }
}

/** Throws `invalid_parameter` when a segment is longer than any id. */
export function checkSegments(url: string): void {
  if (url.length <= pathSegmentLengthMax) return
  if (
    pathOf(url)
      .split('/')
      .some(({ length }) => length > pathSegmentLengthMax)
  )
    throw unreadableAddress()
}
