// How a batch of results, in the order in which they came, changes the health of each webhook. Pure.
import type { AttemptResult } from '../attempt/deliver.ts'
import { verdictOn } from '../attempt/judge-answer.ts'

type JudgedAttempt = {
  readonly delivery: Pick<AttemptResult['delivery'], 'workspaceId' | 'id' | 'webhookId'>
  readonly startedAt: Date
  readonly outcome: AttemptResult['outcome']
  readonly command: AttemptResult['command']
  readonly answer: AttemptResult['answer']
}
export type HealthChange = {
  readonly workspace_id: string
  readonly webhook_id: string
  readonly failures: number
  /** There was a success: `failures` counts from it on, and replaces the stored count. */
  readonly recovered: boolean
  /** When the first of these failures began. */
  readonly failing_since: Date | null
  /** `gone`: the receiver has answered 410, there is nothing at this address any more. `asked`: it wants to be disabled. */
  readonly gone: 'gone' | 'asked' | null
  /** The receiver was well at least once. */
  readonly answered: boolean
  /** The deliveries that it was too unwell for. */
  readonly unwell_ids: readonly string[]
  /** Of n times unwell before, there are now n + `unwell_more`, and no fewer than `unwell_least`. */
  readonly unwell_more: number
  readonly unwell_least: number
}

const goneStatus = 410

export function healthChanges(results: readonly JudgedAttempt[]): HealthChange[] {
  const changes = new Map<string, HealthChange>()
  for (const result of results) {
    const { workspaceId, webhookId } = result.delivery
    const before = changes.get(webhookId) ?? { workspace_id: workspaceId, webhook_id: webhookId, ...unchanged }
    changes.set(webhookId, { ...after(before, result), ...circuitAfter(before, result) })
  }
  return [...changes.values()]
}

const unchanged = {
  ...{ failures: 0, recovered: false, failing_since: null, gone: null },
  ...{ answered: false, unwell_ids: [], unwell_more: 0, unwell_least: 0 },
}

function circuitAfter({ answered, unwell_ids, unwell_more, unwell_least }: HealthChange, attempt: JudgedAttempt) {
  if (verdictOn(attempt.answer) !== 'unwell')
    return {
      ...{ answered: true, unwell_ids },
      ...{ unwell_more: unwell_more - 1, unwell_least: Math.max(0, unwell_least - 1) },
    }
  return {
    ...{ answered, unwell_ids: [...unwell_ids, attempt.delivery.id] },
    ...{ unwell_more: unwell_more + 1, unwell_least: unwell_least + 1 },
  }
}

function after(before: HealthChange, { outcome, startedAt, answer, command }: JudgedAttempt): HealthChange {
  const gone = before.gone ?? whyGone(answer, command)
  if (outcome.kind === 'delivered') return { ...before, gone, failures: 0, recovered: true, failing_since: null }
  return {
    ...{ ...before, gone },
    failures: before.failures + 1,
    failing_since: before.failing_since ?? startedAt,
  }
}

function whyGone(answer: JudgedAttempt['answer'], command: JudgedAttempt['command']): HealthChange['gone'] {
  if (answer.kind === 'answered' && answer.status === goneStatus) return 'gone'
  return command === 'disable' ? 'asked' : null
}
