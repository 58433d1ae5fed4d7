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
