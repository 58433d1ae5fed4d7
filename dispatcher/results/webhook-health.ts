// How a batch of results, in the order in which they came, moves what is known of each webhook's health. Pure.
import type { Result } from '../attempt/attempt.ts'

type Judged = {
  readonly task: Pick<Result['task'], 'workspaceId' | 'webhookId'>
  readonly startedAt: Date
  readonly outcome: Result['outcome']
  readonly answer: Result['answer']
}
export type HealthChange = {
  readonly workspace_id: string
  readonly webhook_id: string
  readonly failures: number
  /** There was a success: the failures count from it on, not from what was stored. */
  readonly anew: boolean
  /** The first of these failures. */
  readonly failing_since: Date | null
  /** The receiver said that there is nothing at this address any more. */
  readonly gone: boolean
}

const goneStatus = 410

export function healthOf(results: readonly Judged[]): HealthChange[] {
  const changes = new Map<string, HealthChange>()
  for (const result of results) {
    const { workspaceId, webhookId } = result.task
    const unchanged = { failures: 0, anew: false, failing_since: null, gone: false }
    const before = changes.get(webhookId) ?? { workspace_id: workspaceId, webhook_id: webhookId, ...unchanged }
    changes.set(webhookId, after(before, result))
  }
  return [...changes.values()]
}

function after(before: HealthChange, { outcome, startedAt, answer }: Judged): HealthChange {
  if (outcome.kind === 'delivered') return { ...before, failures: 0, anew: true, failing_since: null }
  return {
    ...before,
    failures: before.failures + 1,
    failing_since: before.failing_since ?? startedAt,
    gone: before.gone || (answer.kind === 'answered' && answer.status === goneStatus),
  }
}
