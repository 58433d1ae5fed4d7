// Proactive content negotiation (RFC 9110, section 12.5). The package negotiator reads the headers; of what a caller likes
// alike, the first that is offered is taken.
import Negotiator from 'negotiator'

/** negotiator 1.1 takes the server's own preference, which its types do not know yet. */
type ByWeight = { encodings(offered: readonly string[], options: { readonly preferred: readonly string[] }): string[] }

/** No parameter but a weight: nothing that is offered has parameters. A weight that is no number counts as 1. */
const otherParameter = /;(?!\s*q=\d(?:\.\d*)?\s*(?:[,;]|$))[^,;]*/g
const unreadableWeight = /;\s*q=(?!(?:0?\.\d+|0\.?|1(?:\.0*)?)\s*(?:[,;]|$))[^,;]*/gi

/** Returns the content coding to answer with, and null when the caller takes none of those that are offered. */
export function preferredEncoding<Encoding extends string>(
  acceptEncoding: string | undefined,
  offered: readonly Encoding[],
): Encoding | null {
  const [best] = byWeight((acceptEncoding ?? '').replaceAll(unreadableWeight, ';q=0'), offered)
  return offered.find((each) => each === best) ?? null
}

/**
 * Returns the media type to answer with, and null when the caller takes none of those that are offered. A header that is
 * missing or empty takes anything. The closest range decides about a type, whatever a wider one says.
 */
export function preferredType(accept: string | undefined, offered: readonly string[]): string | null {
  // Most callers say one of these.
  if (accept === undefined || accept === '*/*') return offered[0] ?? null
  if (offered.includes(accept)) return accept
  const header = (accept.trim() || '*/*').toLowerCase().replaceAll(otherParameter, '')
  const negotiator = new Negotiator({ headers: { accept: header } })
  const ranges = new Set(negotiator.mediaTypes())
  const accepted = offered.filter((type) => negotiator.mediaType([type]) !== undefined)
  const closest = accepted.map((type) => closestOf(ranges, type))
  const [best = ''] = byWeight(header, closest)
  return accepted[closest.indexOf(best)] ?? null
}

const closestOf = (ranges: ReadonlySet<string>, type: string): string =>
  [type, `${type.split('/')[0]}/*`].find((range) => ranges.has(range)) ?? '*/*'

/** Names by their weight in a header: a range of media types is a name like a coding. */
function byWeight(header: string, offered: readonly string[]): string[] {
  const negotiator: ByWeight = new Negotiator({ headers: { 'accept-encoding': header } })
  return negotiator.encodings(offered, { preferred: offered })
}

// Entity tags in headers (RFC 9110, section 8.8.3): `"7"`, `W/"7"`, several of them with commas between, or `*` for any.

type EntityTag = { readonly weak: boolean; readonly opaque: string }
export type EntityTags = '*' | readonly EntityTag[]

const one = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g
const list = /^(?:[\t ]*(?:(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[\t ]*)?(?:,|$))+$/

/** Null where the text is none of these. */
export function entityTagsIn(text: string): EntityTags | null {
  if (text.trim() === '*') return '*'
  if (!list.test(text)) return null
  const tags = Array.from(text.matchAll(one), ([, weak, opaque = '']) => ({ weak: weak !== undefined, opaque }))
  return tags.length > 0 ? tags : null
}

/** For conditions on a change: what a weak tag names may differ from what there is, so it matches nothing. */
export const matchesStrongly = (tags: EntityTags, opaque: string): boolean =>
  tags === '*' || tags.some((tag) => !tag.weak && tag.opaque === opaque)

/** For what somebody has already. */
export const matchesWeakly = (tags: EntityTags, opaque: string): boolean =>
  tags === '*' || tags.some((tag) => tag.opaque === opaque)
