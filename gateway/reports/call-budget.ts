// How many calls of one workspace the log keeps. Up to a budget of each second, and of each hour, all are kept; beyond
// it one in many, which says how many were left out since the last one. Successful reads, of which there are many, and
// all else have budgets of their own, so that no poller hides what was refused or changed. All workspaces together have
// a budget as well, so that the log costs a gateway, and the database, little however many of them call.
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
    description: `The number of ${what} that the API log keeps of one workspace per second, at each gateway. It keeps at most 600 times as many of one workspace per hour, and at most 20 times as many of all workspaces per second. Beyond these limits, it keeps one in 100, with the number of those that it left out. 0: it keeps none.`,
  })

export const apiLogSettings = {
  apiLogReadsPerSecond: perSecond('API_LOG_READS_PER_SECOND', defaultBudgets.apiLogReadsPerSecond, 'successful reads'),
  apiLogOthersPerSecond: perSecond(
    'API_LOG_OTHERS_PER_SECOND',
    defaultBudgets.apiLogOthersPerSecond,
    'changes and refused requests',
  ),
}

/** Beyond the budget. */
export const keptOneIn = 100
/** What a workspace may have in an hour, in seconds of its budget. */
export const secondsPerHourMax = 600
/** What all workspaces may have in a second, in budgets of one. */
export const workspacesPerSecondMax = 20
/** Of workspaces that have called last. One that is forgotten begins anew. */
const holdersMax = 10_000

export class CallSampler {
  readonly #reads: Budgets
  readonly #others: Budgets
  leftOut = 0

  constructor({ apiLogReadsPerSecond, apiLogOthersPerSecond }: CallBudgets) {
    this.#reads = new Budgets(apiLogReadsPerSecond)
    this.#others = new Budgets(apiLogOthersPerSecond)
  }

  /** Returns how many were left out before this one, or null where it is to be left out itself. */
  take(holder: string, isRead: boolean, nowMs: number): number | null {
    const budgets = isRead ? this.#reads : this.#others
    if (budgets.perSecond === 0) return null
    const before = budgets.take(holder, Math.floor(nowMs / 1_000))
    if (before === null) this.leftOut += 1
    return before
  }
}

/** Of all workspaces, for calls of one kind. */
class Budgets {
  readonly perSecond: number
  readonly #byHolder: LRUCache<string, Budget> = lazyLru<Budget>(holdersMax)
  #second = 0
  #keptInSecond = 0

  constructor(perSecond: number) {
    this.perSecond = perSecond
  }

  take(holder: string, second: number): number | null {
    if (second !== this.#second) {
      this.#second = second
      this.#keptInSecond = 0
    }
    let budget = this.#byHolder.get(holder)
    if (budget === undefined) this.#byHolder.set(holder, (budget = new Budget()))
    const hasRoom = this.#keptInSecond < this.perSecond * workspacesPerSecondMax
    const before = budget.take(this.perSecond, second, hasRoom)
    if (before !== null) this.#keptInSecond += 1
    return before
  }
}

/** Of one workspace. */
class Budget {
  #second = 0
  #keptInSecond = 0
  #hour = 0
  #keptInHour = 0
  #leftOut = 0

  take(perSecond: number, second: number, hasRoom: boolean): number | null {
    this.#moveTo(second)
    const isWithin = hasRoom && this.#keptInSecond < perSecond && this.#keptInHour < perSecond * secondsPerHourMax
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
