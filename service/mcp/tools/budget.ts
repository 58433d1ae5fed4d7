// The budget of an answer, in tokens of a model. Where not all items of a page fit, the page is read again with as many
// as do: its cursor then goes on right after the last one that is shown. Of objects that are too long by themselves the
// longest fields are cut, with a mark that says so, or left out and named. Tokens are estimated by characters: a
// tokenizer would cost more than the answer itself.
import { isEmpty, type Fields } from './rendering.ts'
import type { ToolAnswer } from './runner.ts'

export type ListPage = {
  readonly data: readonly Fields[]
  readonly page: { readonly nextCursor: string | null; readonly hasMore: boolean; readonly total?: number }
}
export type FittedPage = { readonly page: ListPage; readonly isTruncated: boolean; readonly cut: Cut['cut'] }

type BudgetedPage = {
  readonly limit: number
  readonly tokensMax: number
  readonly read: (limit: number, isCounted: boolean) => Promise<ListPage>
  readonly render: (shown: FittedPage) => ToolAnswer
}

/** For what is around the items: counts, cursor, the names of the columns. */
const frameTokens = 200
const readsMax = 3

export async function pageWithinBudget({ limit, tokensMax, read, render }: BudgetedPage): Promise<ToolAnswer> {
  let page = await read(limit, false)
  let answer = render({ page, isTruncated: false, cut: {} })
  for (let reads = 1; !isWithin(answer, tokensMax) && page.data.length > 1 && reads < readsMax; reads += 1) {
    page = await read(countThatFits(page.data, answer, tokensMax), true)
    answer = render({ page, isTruncated: true, cut: {} })
  }
  return isWithin(answer, tokensMax) ? answer : render(withCutItems(page, tokensMax))
}

export const isWithin = ({ structured, text }: ToolAnswer, tokensMax: number): boolean =>
  fits(text, tokensMax) && fitsAsJson(structured, tokensMax)

/** At least one, so that every answer gets further. */
function countThatFits(items: readonly Fields[], { text }: ToolAnswer, tokensMax: number): number {
  const sizes = items.map((item) => estimateTokens(JSON.stringify(item)))
  const inJson = sizes.reduce((sum, size) => sum + size, 0)
  // The text may be longer than the JSON; each item is taken to have its share of it.
  const factor = Math.max(1, estimateTokens(text) / Math.max(1, inJson))
  let left = tokensMax - frameTokens
  const count = sizes.findIndex((size) => (left -= size * factor) < 0)
  return Math.max(1, count === -1 ? items.length - 1 : count)
}

/** Items that are too long by themselves, or have grown since they were counted. */
function withCutItems(page: ListPage, tokensMax: number): FittedPage {
  const each = Math.floor((tokensMax - frameTokens) / (2 * Math.max(1, page.data.length)))
  const items = page.data.map((item) => cutToFit(item, each))
  const cut = Object.assign({}, ...items.map((item) => item.cut))
  return { page: { ...page, data: items.map(({ object }) => object) }, isTruncated: true, cut }
}

/**
 * Returns the items at the beginning of a list that fit into an answer. `shown`: an item as the answer has it, in its
 * longest form. At least one, so that every answer gets further.
 */
export function itemsThatFit<T>(items: readonly T[], shown: (item: T) => string, tokensMax: number): readonly T[] {
  let left = tokensMax - frameTokens
  const end = items.findIndex((item, at) => {
    left -= estimateTokens(shown(item))
    return at > 0 && left < 0
  })
  return end < 0 ? items : items.slice(0, end)
}

export type Cut = { readonly object: Fields; readonly cut: Readonly<Record<string, string>> }

const textLengthMin = 200
/** In lists, a text that is longer says where it is cut. */
const listTextMax = 500
/** The fields that name an object are never cut. */
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

/** Empty where nothing was cut. */
export function cutNote(cut: Cut['cut']): string {
  const fields = Object.entries(cut).map(([name, what]) => `\`${name}\` (${what})`)
  return fields.length === 0
    ? ''
    : `Cut to fit \`maxTokens\`: ${fields.join(', ')}. Ask for a field alone with \`fields\`, or with a larger \`maxTokens\`.`
}

export const cutMembers = (cut: Cut['cut']): object => (Object.keys(cut).length === 0 ? {} : { truncated: true, cut })

type Kind = 'lower' | 'upper' | 'digit' | 'space' | 'sign' | 'alphabet' | 'other'

/** The cost of a run of characters of one kind: common words are one token, ids and digits are many. */
const costOfRun: Readonly<Record<Kind, (length: number) => number>> = {
  lower: (length) => Math.ceil(length / 5),
  upper: (length) => Math.ceil(length / 2),
  digit: (length) => Math.ceil(length / 2),
  // One space belongs to the word that follows it.
  space: (length) => (length === 1 ? 0 : 1),
  sign: (length) => length * 0.75,
  // Greek to Thai: their words are known, if less well.
  alphabet: (length) => Math.ceil(length / 2),
  other: (length) => length,
}

/** Errs on the side of too many. */
export function estimateTokens(text: string): number {
  let tokens = 0
  let start = 0
  let kind = kindOf(text.charCodeAt(0))
  for (let at = 1; at <= text.length; at += 1) {
    const next = at === text.length ? null : kindOf(text.charCodeAt(at))
    if (next === kind) continue
    // `Word` is one run: its capital stands for the space before it.
    const isCapital = kind === 'upper' && next === 'lower' && at - start === 1
    tokens += isCapital ? 0 : costOfRun[kind](at - start)
    start = at
    kind = next ?? kind
  }
  return Math.ceil(tokens)
}

function kindOf(code: number): Kind {
  if (code >= 0x61 && code <= 0x7a) return 'lower'
  if (code >= 0x30 && code <= 0x39) return 'digit'
  if (code >= 0x41 && code <= 0x5a) return 'upper'
  if (code === 0x20) return 'space'
  if (code < 0x80) return 'sign'
  return code >= 0x370 && code < 0x1100 ? 'alphabet' : 'other'
}

/** A text has at most about as many tokens as characters, so that most need no closer look. */
export const fits = (text: string, tokensMax: number): boolean =>
  text.length <= tokensMax || estimateTokens(text) <= tokensMax

/** Of a value written as JSON, which is not written where it fits in any case. */
export const fitsAsJson = (value: unknown, tokensMax: number): boolean =>
  lengthBound(value) <= tokensMax || fits(JSON.stringify(value), tokensMax)

/** At least as long as the JSON, but for characters that are written as six: those are few tokens again. */
function lengthBound(value: unknown): number {
  if (typeof value === 'string') return 2 * value.length + 3
  if (typeof value !== 'object' || value === null) return numberLengthMax
  let length = 3
  if (Array.isArray(value)) for (const item of value) length += lengthBound(item)
  else for (const name of Object.keys(value)) length += name.length + 3 + lengthBound((value as Fields)[name])
  return length
}

const numberLengthMax = 26
