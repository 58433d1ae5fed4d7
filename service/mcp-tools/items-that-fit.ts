// The items at the beginning of a list that fit into an answer. Pure.
import { estimateTokens } from './token-estimate.ts'

/** For what is around the items. */
const listFrameTokens = 200

/** `shown`: an item as the answer has it, in its longest form. At least one, so that every answer gets further. */
export function itemsThatFit<T>(items: readonly T[], shown: (item: T) => string, tokensMax: number): readonly T[] {
  let left = tokensMax - listFrameTokens
  const end = items.findIndex((item, at) => {
    left -= estimateTokens(shown(item))
    return at > 0 && left < 0
  })
  return end < 0 ? items : items.slice(0, end)
}
