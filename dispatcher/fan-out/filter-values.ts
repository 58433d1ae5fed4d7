// Whether the values of an event are those that a webhook asks for. Pure.
import { isUpdate, type Changes } from '#contract/event.ts'
import { comparableAmount, isJudgedBy } from '#contract/webhook-conditions.ts'
import type { FilterValues } from '#contract/webhook-values.ts'

/** What an event says of its object. */
export type EventValues = { readonly data: Readonly<Record<string, unknown>>; readonly changes: Changes }

type Wanted = readonly (string | null)[]
type Condition = {
  readonly is?: Wanted
  readonly from?: Wanted
  readonly to?: Wanted
  readonly contains?: Wanted
  readonly added?: Wanted
  readonly removed?: Wanted
  readonly currency?: string
  readonly above?: string
  readonly below?: string
}

/** Each condition must hold that can be asked of this type of event. */
export const valuesHold = (values: FilterValues, type: string, event: EventValues): boolean =>
  Object.entries(values).every(
    ([field, condition]: [string, Condition]) =>
      !isJudgedBy(field, type) ||
      (isAsWanted(condition, event.data[field]) && (!isUpdate(type) || isChanged(condition, event.changes[field]))),
  )

function isAsWanted({ is, contains, currency, above, below }: Condition, value: unknown): boolean {
  if (is !== undefined && !isAny(is, value)) return false
  if (contains !== undefined && !hasAny(contains, value)) return false
  if (currency === undefined) return true
  const money = value as { readonly amount: string; readonly currency: string } | null | undefined
  if (money?.currency !== currency) return false
  const amount = comparableAmount(money.amount)
  return (
    (above === undefined || amount > comparableAmount(above)) &&
    (below === undefined || amount < comparableAmount(below))
  )
}

function isChanged({ from, to, added, removed }: Condition, change: Changes[string] | undefined): boolean {
  if (from !== undefined && !(change && isAny(from, change.from))) return false
  if (to !== undefined && !(change && isAny(to, change.to))) return false
  if (added !== undefined && !isGained(added, change?.from, change?.to)) return false
  return removed === undefined || isGained(removed, change?.to, change?.from)
}

const isAny = (wanted: Wanted, value: unknown): boolean => wanted.some((one) => one === (value ?? null))

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Null stands for an empty list. */
function hasAny(wanted: Wanted, value: unknown): boolean {
  const list = listIn(value)
  return wanted.some((one) => (one === null ? list.length === 0 : list.includes(one)))
}

const isGained = (wanted: Wanted, without: unknown, having: unknown): boolean =>
  wanted.some((one) => listIn(having).includes(one) && !listIn(without).includes(one))
