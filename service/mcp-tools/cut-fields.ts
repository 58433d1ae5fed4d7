// Objects that are too long for an answer: their longest fields are cut, with a mark that says so, or left out and named.
// Pure.
import { isEmpty } from './text-rendering.ts'
import type { Fields } from './concise-fields.ts'
import { estimateTokens } from './token-estimate.ts'

export type Cut = { readonly object: Fields; readonly cut: Readonly<Record<string, string>> }

const textLengthMin = 200
/** In lists, a text that is longer says where it is cut. */
const listTextMax = 500
/** What names an object is never cut. */
const kept = new Set(['id', 'identifier', 'key', 'version', 'name', 'title', 'kind'])

/** The same object where it fits. `cut`: by field, what is missing. */
export function cutToFit(object: Fields, tokensMax: number): Cut {
  let current = object
  const cut: Record<string, string> = {}
  // Each field is cut once and left out once, at most.
  for (let step = 0; step < 2 * Object.keys(object).length; step += 1) {
    const surplus = tokensOf(current) - tokensMax
    const longest = longestField(current)
    if (surplus <= 0 || longest === null) break
    const { name, tokens } = longest
    const { [name]: value, ...others } = current
    const shorter =
      typeof value === 'string' && !(name in cut) ? cutText(value, 1 - (surplus * 1.1 + 20) / tokens) : null
    current = shorter === null ? others : { ...current, [name]: shorter.text }
    cut[name] = shorter === null ? 'left out' : shorter.note
  }
  return { object: current, cut }
}

function longestField(object: Fields): { readonly name: string; readonly tokens: number } | null {
  const sizes = Object.entries(object)
    .filter(([name, value]) => !kept.has(name) && !isEmpty(value))
    .map(([name, value]) => ({ name, tokens: tokensOf({ [name]: value }) }))
  return sizes.toSorted((a, b) => b.tokens - a.tokens)[0] ?? null
}

const tokensOf = (object: Fields): number => estimateTokens(JSON.stringify(object))

/** Null where so little would be left that the field may as well go. */
function cutText(text: string, share: number): { readonly text: string; readonly note: string } | null {
  const length = Math.floor(text.length * share)
  return length < textLengthMin ? null : { text: start(text, length), note: shownOf(length, text) }
}

/** Long texts anywhere in an item of a list. The same item where it has none. */
export const withShortTexts = (item: unknown): unknown => (hasLongText(item) ? shortened(item) : item)

function hasLongText(value: unknown): boolean {
  if (typeof value === 'string') return value.length > listTextMax
  return typeof value === 'object' && value !== null && Object.values(value).some(hasLongText)
}

function shortened(value: unknown): unknown {
  if (typeof value === 'string') return value.length > listTextMax ? start(value, listTextMax) : value
  if (Array.isArray(value)) return value.map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shortened(each)]))
}

const start = (text: string, length: number): string =>
  `${text.slice(0, length).toWellFormed()}… [cut: ${shownOf(length, text)}]`

const shownOf = (length: number, { length: all }: string): string => `${length} of ${all} characters`
