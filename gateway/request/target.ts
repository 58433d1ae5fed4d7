// The target of a request, `/path?query`, as it came, and the methods that a route takes.
import { Fault } from '#contract/faults/fault.ts'
import { consolePrefix } from '#contract/route-paths.ts'

/**
 * Only `/path?query` is taken: `//host/path` and `http://host/path` name servers, and an empty segment names nothing, but
 * for the last one of a page, which people type.
 */
export function isPlainTarget(url: string): boolean {
  const path = pathOf(url)
  const isEnded = path.endsWith('/') && !path.startsWith(`${consolePrefix}/`)
  return path === '/' || (path.startsWith('/') && !isEnded && !path.includes('//'))
}

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

export const unreadableAddress = (): Fault => new Fault('invalid_parameter', 'The address cannot be read.')
