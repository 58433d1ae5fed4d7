// The search parameters of a page: text by name, each checked by the page's own list. What a page does not know, or
// cannot read, is left out.
import { consolePrefix } from '#contract/route-paths.ts'

/** Reads one parameter; undefined where it is no value of it. */
type Read<Value> = (text: string) => Value | undefined
type Known = Readonly<Record<string, Read<unknown>>>
type Search<K extends Known> = { readonly [N in keyof K]?: NonNullable<ReturnType<K[N]>> | undefined }

/** For a route's `validateSearch`. */
export const searchOf =
  <K extends Known>(known: K) =>
  (given: Record<string, unknown>): Search<K> => {
    const found = Object.entries(known).flatMap(([name, read]) => {
      const text = given[name]
      const value = typeof text === 'string' && text !== '' ? read(text) : undefined
      return value === undefined ? [] : [[name, value]]
    })
    // The names and values are those that `known` has.
    return Object.fromEntries(found) as Search<K>
  }

export const text: Read<string> = (given) => given
export const oneOf =
  <Value extends string>(values: readonly Value[]): Read<Value> =>
  (given) =>
    values.find((value) => value === given)

/** An order of one of these names, either way. */
export const orderBy =
  (names: readonly string[]): Read<string> =>
  (given) =>
    names.includes(given.replace(/^-/, '')) ? given : undefined

export const parseSearch = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search))

export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[name, value]] : [],
  )
  const query = new URLSearchParams(given).toString()
  return query === '' ? '' : `?${query}`
}

/**
 * Returns the path to show after sign-in. Stays below the path of the console, so that a forged link cannot lead to
 * another site.
 */
export const pathAfter = (next = ''): string => (/^\/(?![/\\])/.test(next) ? `${consolePrefix}${next}` : consolePrefix)
