// What nobody waits for, of many leases in one question: tokens that are owed, leased ahead or given back.
import { ask, settle, wake, type AskingParts } from './lease-asking.ts'
import { expectDebit, type Lease } from './lease.ts'
import type { Got } from './lease-questions.ts'

export type Refills = {
  /** Behind a call: pays what is owed and leases as many tokens as are needed soon. */
  refill(lease: Lease): void
  /** Gives held tokens back. If Redis does not hear of it, they are lost. */
  release(lease: Lease, tokens: number): void
  /** Asks now. */
  flush(): void
}

const perQuestionMax = 128

export function gatheredRefills(parts: AskingParts): Refills {
  const { questions, nowUs } = parts
  let queue: Lease[] = []

  function add(lease: Lease): void {
    if (!lease.queued) queue.push(lease)
    lease.queued = true
    if (queue.length >= perQuestionMax) flush()
    // Where tokens are needed all the time they would run out meanwhile.
    else questions.gather(flush, lease.size > 0)
  }
  function flush(): void {
    // The others were asked for since, for a call.
    const leases = queue.filter(({ queued }) => queued)
    queue = []
    if (leases.length > 0) questions.ask(questionOf(leases))
  }
  function questionOf(leases: readonly Lease[]) {
    const now = nowUs()
    const asked = leases.map((lease) => ask(lease, 0, now, parts))
    const settleAll = (lacking: number, got: readonly Got[]): void => {
      asked.forEach((one, at) => settle(one, got[at], lacking, parts))
      wake(leases)
    }
    return {
      wants: asked.map(({ want }) => want),
      sinceUs: null,
      answered: settleAll,
      failed: () => settleAll(0, []),
      silent: () => wake(leases),
    }
  }
  return {
    refill: (lease) => {
      if (!questions.isAway()) add(lease)
    },
    release: (lease, tokens) => {
      lease.held -= tokens
      lease.returning += tokens
      expectDebit(lease, -tokens, nowUs())
      add(lease)
    },
    flush,
  }
}
