// The health of webhooks: how a batch of results, in the order in which they came, changes it, and how it is written in
// the transaction of these results. A webhook that is given up here gets nothing more from this moment on; the service
// then changes its status and records the event.
import type { AttemptResult } from '../attempt/deliver.ts'
import { verdictOn } from '../attempt/retry-decision.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { applyChanges, giveUpFailing, updateCircuits, type HealthChange } from './health-rows.ts'

type JudgedAttempt = {
  readonly delivery: Pick<AttemptResult['delivery'], 'workspaceId' | 'id' | 'webhookId'>
  readonly startedAt: Date
  readonly outcome: AttemptResult['outcome']
  readonly command: AttemptResult['command']
  readonly answer: AttemptResult['answer']
  readonly errorCode: AttemptResult['errorCode']
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

const noFailure = { failures: 0, failing_since: null, last_status_code: null, last_error_code: null }
const unchanged = {
  ...noFailure,
  recovered: false,
  gone: null,
  answered: false,
  unhealthy_ids: [],
  unhealthy_more: 0,
  unhealthy_least: 0,
}

function circuitAfter(before: HealthChange, { answer, delivery }: JudgedAttempt) {
  const { answered, unhealthy_ids, unhealthy_more, unhealthy_least } = before
  if (verdictOn(answer) !== 'unhealthy')
    return {
      answered: true,
      unhealthy_ids,
      unhealthy_more: unhealthy_more - 1,
      unhealthy_least: Math.max(0, unhealthy_least - 1),
    }
  return {
    answered,
    unhealthy_ids: [...unhealthy_ids, delivery.id],
    unhealthy_more: unhealthy_more + 1,
    unhealthy_least: unhealthy_least + 1,
  }
}

function after(before: HealthChange, { outcome, startedAt, answer, errorCode, command }: JudgedAttempt): HealthChange {
  const gone = before.gone ?? whyGone(answer, command)
  if (outcome.kind === 'delivered') return { ...before, ...noFailure, gone, recovered: true }
  return {
    ...before,
    gone,
    failures: before.failures + 1,
    failing_since: before.failing_since ?? startedAt,
    last_status_code: answer.kind === 'answered' ? answer.status : null,
    last_error_code: errorCode,
  }
}

function whyGone(answer: JudgedAttempt['answer'], command: JudgedAttempt['command']): HealthChange['gone'] {
  if (answer.kind === 'answered' && answer.status === goneStatus) return 'gone'
  return command === 'disable' ? 'asked' : null
}

/** Resolves to the ids of the webhooks whose circuits are open now. */
export async function writeWebhookHealth(
  tx: Prisma.TransactionClient,
  results: readonly AttemptResult[],
): Promise<string[]> {
  const changes = healthChanges(results)
  const changed = await applyChanges(tx, changes)
  const open = changed === 0 ? [] : await updateCircuits(tx, changes)
  const failing = changes.filter(({ failures }) => failures > 0)
  if (failing.length > 0) await giveUpFailing(tx, failing)
  return open.flatMap(({ id, isOpen }) => (isOpen ? [id] : []))
}
