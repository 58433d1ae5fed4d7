// How a batch of results, in the order in which they came, moves each webhook's count of failures in a row. Pure.
import type { Result } from './attempt.ts'

type Judged = { readonly task: Pick<Result['task'], 'workspaceId' | 'webhookId'>; readonly outcome: Result['outcome'] }
export type HealthChange = {
  readonly workspace_id: string
  readonly webhook_id: string
  readonly failures: number
  /** There was a success: the failures count from it on, not from what was stored. */
  readonly anew: boolean
}

export function healthOf(results: readonly Judged[]): HealthChange[] {
  const changes = new Map<string, HealthChange>()
  for (const { task, outcome } of results) {
    const before = changes.get(task.webhookId) ?? {
      workspace_id: task.workspaceId,
      webhook_id: task.webhookId,
      failures: 0,
      anew: false,
    }
    const after = outcome.kind === 'delivered' ? { failures: 0, anew: true } : { failures: before.failures + 1 }
    changes.set(task.webhookId, { ...before, ...after })
  }
  return [...changes.values()]
}
