// The head of a request: whether it can be read in one way only, what its target `/path?query` says, and which route it
// is for. Refused is a target, a version or a framing that two programs could read in two ways; Node's parser has
// refused the rest (test/gateway/listener.test.ts has both).
import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '#contract/faults/fault.ts'
import { consolePrefix, docsPaths } from '#contract/route-paths.ts'
import { pathSegmentLengthMax } from '#contract/route-paths.ts'

type RequestHead = {
  readonly url?: string | undefined
  readonly httpVersion: string
  readonly headers: IncomingHttpHeaders
}

/** Throws what answers the request. Whether the path has its slashes right is for `isPlainTarget` to say. */
export function checkRequestHead({ url = '', httpVersion, headers }: RequestHead): void {
  if (!ordinaryUrl.test(url)) checkPath(url)
  checkHost(headers.host, httpVersion)
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw new Fault('invalid_http', 'Use HTTP/1.1.')
  const coding = headers['transfer-encoding']
  if (coding !== undefined) checkCoding(coding, httpVersion)
}

/** Whether `checkRequestHead` has nothing against it. */
export function isReadableHead(request: RequestHead): boolean {
  try {
    checkRequestHead(request)
    return true
  } catch {
    return false
  }
}

/** Nearly all of them: nothing in it stands for anything else. */
const ordinaryUrl = /^[\w/-]*(?:\?[^#]*)?$/
/** RFC 3986, section 3.3. A fragment never leaves a browser, and a backslash is a slash to some. */
const pathCharacters = /^[\w\-.~!$&'()*+,;=:@/%]*$/
const encodedControl = /%(?:[01][0-9a-f]|7f)/i

function checkPath(url: string): void {
  const path = pathOf(url)
  const canBeRead = pathCharacters.test(path) && !encodedControl.test(path) && !url.includes('#')
  if (!canBeRead || hasDotSegment(path)) throw unreadableAddress()
}

/** `.` and `..`, however they are spelt: a reader that resolves them reads another path than was checked. */
function hasDotSegment(path: string): boolean {
  const spelt = path.replaceAll(/%2e/gi, '.').replaceAll(/%(?:2f|5c)/gi, '/')
  return spelt.split('/').some((segment) => segment === '.' || segment === '..')
}

/** RFC 9112, section 3.2: HTTP/1.1 is refused without it, and with one that names no host. */
const hostPattern = /^[\w\-.~!$&'()*+,;=%:[\]]+$/

function checkHost(host: string | undefined, httpVersion: string): void {
  if (host === undefined && httpVersion !== '1.1') return
  if (host === undefined || !hostPattern.test(host)) throw invalidHeader('host', 'Send the header Host.')
}

/** RFC 9112, section 6.1. Whatever else is named there would reach the service without being undone. */
function checkCoding(coding: string, httpVersion: string): void {
  if (httpVersion === '1.1' && coding.trim().toLowerCase() === 'chunked') return
  throw invalidHeader('transfer-encoding', 'Send the body with its length, or by HTTP/1.1 in chunks and nothing else.')
}

const invalidHeader = (header: string, detail: string): Fault =>
  new Fault('invalid_header', detail, { errors: [{ header, code: 'wrong_format', detail }] })

const pagesBelow = [`${consolePrefix}/`, `${docsPaths.docs}/`]

/**
 * Only `/path?query` is taken: `//host/path` and `http://host/path` name servers, and an empty segment names nothing,
 * but for the last one of a page, which people type.
 */
export function isPlainTarget(url: string): boolean {
  const path = pathOf(url)
  const isEnded = path.endsWith('/') && !pagesBelow.some((above) => path.startsWith(above))
  return path === '/' || (path.startsWith('/') && !isEnded && !path.includes('//'))
}

const id = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Whether it is written as the id of an object. */
export const isId = (text: string): boolean => id.test(text)

export function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

/** Without the question mark. */
export function queryOf(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? '' : url.slice(end + 1)
}

/** Takes a parameter out of a query; everything else stays byte for byte. Throws when it is there twice. */
export function takeParameter(
  query: string,
  name: string,
): { readonly value: string | undefined; readonly rest: string } {
  if (query === '') return { value: undefined, rest: '' }
  const pairs = query.split('&')
  const isIt = (pair: string): boolean => decoded(pair.split('=', 1)[0] ?? '') === name
  const [found, another] = pairs.filter(isIt)
  if (another !== undefined) throw repeated(name)
  if (found === undefined) return { value: undefined, rest: query }
  const rest = pairs.filter((pair) => !isIt(pair)).join('&')
  return { value: decoded(found.split('=').slice(1).join('=')), rest }
}

/** The names of a query's parameters; empty pairs have none. */
export const pairNames = (query: string): string[] =>
  query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => decoded(pair.split('=', 1)[0] ?? ''))

/** Returns text that cannot be decoded as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

function repeated(parameter: string): Fault {
  const detail = `${parameter}: Is given more than once.`
  return new Fault('invalid_parameter', detail, { errors: [{ parameter, code: 'not_unique', detail }] })
}

/** GET answers HEAD as well. */
export const withHead = (method: string): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method])

export const unreadableAddress = (): Fault => new Fault('invalid_parameter', 'The URL cannot be read.')

type Routed = { readonly method: string; readonly path: string }
/** Returns null where there is no route, or none for the method. */
export type FindRoute<T> = (method: string | undefined, url: string | undefined) => T | null
type Node<T> = {
  readonly literals: Map<string, Node<T>>
  parameter: Node<T> | null
  readonly byMethod: Map<string, T>
}

/**
 * A tree of path segments, made once from the contract. Paths are templates: `/projects/{id}`. A literal segment comes
 * before a parameter whatever the method: `GET /projects/batch` is not the project with the id `batch`. Segments are
 * compared decoded, as the service's router compares them, so that both take a request for the same operation.
 */
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
