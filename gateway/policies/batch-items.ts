// How many calls a batch counts as, read off its body before anything of it runs.
import { batchItemsMax } from '#contract/size-limits.ts'

/** What holds no items that can be counted is refused by the service, and counts as one call like any other. */
export function itemsIn(body: Buffer): number {
  const items = itemsOf(body)
  return Array.isArray(items) ? Math.min(Math.max(items.length, 1), batchItemsMax) : 1
}

function itemsOf(body: Buffer): unknown {
  try {
    const parsed = JSON.parse(body.toString('utf8')) as { readonly items?: unknown } | null
    return parsed?.items
  } catch {
    return undefined
  }
}
