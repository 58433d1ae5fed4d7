// A page of a list, and what was told since. Pure.
import type { Delivery } from '#contract/deliveries.ts'
import type { ListState } from '../../ui/list-state.ts'

/** Of what was told; the oldest go first. */
const rememberedMax = 500

type Filter = {
  readonly status?: readonly string[]
  readonly createdAfter?: string
  readonly webhookId?: string
  readonly eventId?: string
  /** A delivery does not tell it: only what is listed already is kept up to date. */
  readonly requestId?: string
}

export function remembered(known: ReadonlyMap<string, Delivery>, delivery: Delivery): ReadonlyMap<string, Delivery> {
  const next = new Map(known)
  next.delete(delivery.id)
  next.set(delivery.id, delivery)
  const [oldest] = next.keys()
  if (next.size > rememberedMax && oldest !== undefined) next.delete(oldest)
  return next
}

/**
 * Newest first, as the list is. One that no longer fits the filter goes; one that is older than the list shows stays
 * out.
 */
export function merged(list: ListState<Delivery>, told: readonly Delivery[], filter: Filter): ListState<Delivery> {
  const isListed = list.kind === 'rows'
  if (!isListed && list.kind !== 'empty' && list.kind !== 'filtered-empty') return list
  const rows = isListed ? list.rows : []
  const isNew = firstAfter(isListed && list.more !== null ? rows.at(-1) : undefined)
  const byId = new Map(rows.map((row) => [row.id, row]))
  for (const delivery of told)
    if (byId.has(delivery.id) || (filter.requestId === undefined && isNew(delivery))) byId.set(delivery.id, delivery)
  const shown = [...byId.values()].filter((row) => fits(row, filter)).toSorted(newestFirst)
  if (shown.length === 0) return isListed ? { kind: 'filtered-empty' } : list
  return { kind: 'rows', rows: shown, more: isListed ? list.more : null }
}

/** There is more of the list than is shown: what stands there comes with its page. */
const firstAfter =
  (last: Delivery | undefined) =>
  (delivery: Delivery): boolean =>
    last === undefined || newestFirst(delivery, last) < 0

const fits = (row: Delivery, { status, createdAfter, webhookId, eventId }: Filter): boolean =>
  (status === undefined || status.includes(row.status)) &&
  (createdAfter === undefined || row.createdAt > createdAfter) &&
  (webhookId === undefined || row.webhookId === webhookId) &&
  (eventId === undefined || row.eventId === eventId)

const newestFirst = (one: Delivery, other: Delivery): number =>
  other.createdAt.localeCompare(one.createdAt) || other.id.localeCompare(one.id)
