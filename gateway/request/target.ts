// Which addresses and methods exist, read off the contract. What the router does not serve is either no address at all
// (404) or an address with other methods (405, with the list of those).
import { mcpPath, publicPaths, type Route } from '#contract/route.ts'
import { Fault } from '#contract/fault.ts'

export type Served = { readonly method: string; readonly path: string }

export const served = (routes: readonly Route[]): Served[] => [
  ...routes,
  { method: 'POST', path: mcpPath },
  ...Object.values(publicPaths).map((path) => ({ method: 'GET', path })),
  { method: 'GET', path: '/health' },
  { method: 'GET', path: '/ready' },
]

/** Only `/path?query` is taken: `//host/path` and `http://host/path` name servers, and an empty segment names nothing. */
export const isPlainTarget = (url: string): boolean => /^\/(?:[^/]+(?:\/[^/]+)*)?$/.test(pathOf(url))

export const pathOf = (url: string): string => url.split('?', 1)[0] ?? ''
export const queryOf = (url: string): string => url.slice(pathOf(url).length + 1)

/** GET answers HEAD as well. */
export const withHead = (method: string): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method])

/** Why the router found nothing. */
export function missing(method: string, path: string, all: readonly Served[]): Fault {
  // Split once: a path may have thousands of segments, and every address is compared with it.
  const parts = path.split('/')
  const fitting = all.filter((one) => fits(one.path, parts))
  const nearest = fitting.map((one) => looseness(one.path)).toSorted()[0]
  const methods = methodsOf(fitting.filter((one) => looseness(one.path) === nearest))
  if (methods.length === 0 || methods.includes(method))
    return new Fault('route_not_found', 'There is nothing at this address.')
  return new Fault('method_not_allowed', `This address takes ${methods.join(', ')}.`, { allowed: methods })
}

/**
 * What the router would take for something else: `GET /projects/batch` for the project with the id `batch`. An address
 * that has a name has the methods of that name, and no others.
 */
export function hidden(all: readonly Served[]): Served[] {
  const byPath = [...Map.groupBy(all, ({ path }) => path)]
  return byPath.flatMap(([path, here]) => {
    const own = methodsOf(here)
    const others = byPath.filter(([other]) => other !== path && covers(other, path)).flatMap(([, there]) => there)
    return methodsOf(others).flatMap((method) => (own.includes(method) ? [] : [{ method, path }]))
  })
}

const methodsOf = (some: readonly Served[]): string[] =>
  [...new Set(some.flatMap(({ method }) => withHead(method)))].toSorted()

/** Of two templates that fit one path, the router takes the one that is less than the other. */
const looseness = (template: string): string =>
  template
    .split('/')
    .map((part) => (part.startsWith('{') ? 1 : 0))
    .join('')

const covers = (template: string, other: string): boolean => fits(template, other.split('/'))

function fits(template: string, parts: readonly string[]): boolean {
  const wanted = template.split('/')
  return (
    parts.length === wanted.length &&
    wanted.every((part, at) => (part.startsWith('{') ? parts[at] !== '' : part === parts[at]))
  )
}
