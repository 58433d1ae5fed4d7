// An object that has taken the place of the one that was asked for is answered with its own address (RFC 9110, 8.7).
import type { Route } from '#contract/route-paths.ts'

type PathParameters = Readonly<Record<string, string>>
type ShownObject = { readonly id?: unknown; readonly externalId?: unknown; readonly externalSource?: unknown }

const ofOne = /\/(?:\{id\}|by-external-id\/\{source\}\/\{externalId\})$/

/** Null where the object is the one that was asked for. */
export function contentLocation(
  { method, path }: Pick<Route, 'method' | 'path'>,
  asked: PathParameters,
  body: unknown,
) {
  if (method !== 'GET' || !ofOne.test(path)) return null
  const shown = (body ?? {}) as ShownObject
  if (typeof shown.id !== 'string' || isSame(asked, shown)) return null
  const collection = path.replace(ofOne, '').replaceAll(/\{(\w+)\}/g, (_match, name: string) => asked[name] ?? '')
  return `${collection}/${shown.id}`
}

const isSame = ({ id, source, externalId }: PathParameters, shown: ShownObject): boolean =>
  id === undefined ? externalId === shown.externalId && source === shown.externalSource : id.toLowerCase() === shown.id
