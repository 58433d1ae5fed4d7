// How many calls of one workspace the log keeps. Up to a budget of each second, and of each hour, all are kept; beyond
// it one in many, which says how many were left out since the last one. Successful reads, of which there are many, and
// all else have budgets of their own, so that no poller hides what was refused or changed.
import type { LRUCache } from 'lru-cache'
import { lazyLru } from '#runtime/lazy-lru.ts'
import { integer } from '#runtime/settings.ts'

export type CallBudgets = {
  /** Of each workspace and second, at one gateway; 0: none of them is kept. */
  readonly apiLogReadsPerSecond: number
  readonly apiLogOthersPerSecond: number
}
export const defaultBudgets: CallBudgets = { apiLogReadsPerSecond: 10, apiLogOthersPerSecond: 20 }

const perSecond = (name: string, byDefault: number, what: string) =>
  integer(name, {
    default: byDefault,
    min: 0,
    max: 10_000,
    description: `${what} that the API log keeps of one workspace in a second, at each gateway, and 600 times as many in an hour. Of those beyond it, one in 100 is kept, with the number of the others. 0: none is kept.`,
  })

export const apiLogSettings = {
  apiLogReadsPerSecond: perSecond('API_LOG_READS_PER_SECOND', defaultBudgets.apiLogReadsPerSecond, 'Successful reads'),
  apiLogOthersPerSecond: perSecond(
    'API_LOG_OTHERS_PER_SECOND',
    defaultBudgets.apiLogOthersPerSecond,
    'Changes and refused calls',
  ),
}

/** Beyond the budget. */
export const keptOneIn = 100
/** What a workspace may have in an hour, in seconds of its budget. */
export const secondsPerHourMax = 600
/** Of workspaces that have called last. One that is forgotten begins anew. */
const holdersMax = 10_000

export class CallSampler {
  readonly #budgets: CallBudgets
  readonly #reads: LRUCache<string, Budget> = lazyLru<Budget>(holdersMax)
  readonly #others: LRUCache<string, Budget> = lazyLru<Budget>(holdersMax)
  leftOut = 0

  constructor(budgets: CallBudgets) {
    this.#budgets = budgets
  }

  /** Returns how many were left out before this one, or null where it is to be left out itself. */
  take(holder: string, isRead: boolean, nowMs: number): number | null {
    const perSecond = isRead ? this.#budgets.apiLogReadsPerSecond : this.#budgets.apiLogOthersPerSecond
    if (perSecond === 0) return null
    const budgets = isRead ? this.#reads : this.#others
    let budget = budgets.get(holder)
    if (budget === undefined) budgets.set(holder, (budget = new Budget()))
    const before = budget.take(perSecond, Math.floor(nowMs / 1_000))
    if (before === null) this.leftOut += 1
    return before
  }
}

class Budget {
  #second = 0
  #keptInSecond = 0
  #hour = 0
  #keptInHour = 0
  #leftOut = 0

  take(perSecond: number, second: number): number | null {
    this.#moveTo(second)
    const isWithin = this.#keptInSecond < perSecond && this.#keptInHour < perSecond * secondsPerHourMax
    if (!isWithin && this.#leftOut < keptOneIn - 1) {
      this.#leftOut += 1
      return null
    }
    this.#keptInSecond += 1
    this.#keptInHour += 1
    const before = this.#leftOut
    this.#leftOut = 0
    return before
  }

  #moveTo(second: number): void {
    if (second === this.#second) return
    this.#second = second
    this.#keptInSecond = 0
    const hour = Math.floor(second / 3_600)
    if (hour === this.#hour) return
    this.#hour = hour
    this.#keptInHour = 0
  }
}
