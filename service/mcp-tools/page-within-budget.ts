// A page of a list within the budget of an answer. Where not all of its items fit, the page is read again with as many as
// do: its cursor then goes on right after the last one that is shown.
import type { Fields } from './concise-fields.ts'
import { cutToFit, type Cut } from './cut-fields.ts'
import type { ToolAnswer } from './runner.ts'
import { estimateTokens, fits, fitsAsJson } from './token-estimate.ts'

export type Page = {
  readonly data: readonly Fields[]
  readonly page: { readonly nextCursor: string | null; readonly hasMore: boolean; readonly total?: number }
}
export type Shown = { readonly page: Page; readonly isTruncated: boolean; readonly cut: Cut['cut'] }

type Parts = {
  readonly limit: number
  readonly tokensMax: number
  readonly read: (limit: number, isCounted: boolean) => Promise<Page>
  readonly render: (shown: Shown) => ToolAnswer
}

/** For what is around the items: counts, cursor, the names of the columns. */
const frameTokens = 200
const readsMax = 3

export async function pageWithinBudget({ limit, tokensMax, read, render }: Parts): Promise<ToolAnswer> {
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
function withCutItems(page: Page, tokensMax: number): Shown {
  const each = Math.floor((tokensMax - frameTokens) / (2 * Math.max(1, page.data.length)))
  const items = page.data.map((item) => cutToFit(item, each))
  const cut = Object.assign({}, ...items.map((item) => item.cut))
  return { page: { ...page, data: items.map(({ object }) => object) }, isTruncated: true, cut }
}
