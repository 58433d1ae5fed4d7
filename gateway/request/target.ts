// The target of a request, `/path?query`, as it came, and the methods that a route takes.
import { Fault } from '#contract/fault.ts'
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

/** GET answers HEAD as well. */
export const withHead = (method: string): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method])

export const unreadableAddress = (): Fault => new Fault('invalid_parameter', 'The address cannot be read.')
