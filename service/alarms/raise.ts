// Alarms are raised in the transaction of the event that tells of the same, by the recorder below. So each is raised
// once, however many look for what is due, and none without its event.
import type { ApiKey } from '#contract/api-keys.ts'
import type { AlarmKind } from '#contract/alarms.ts'
import { apiKeyDenied, apiKeyExpiring, apiKeyRotationDue, apiKeyStopping } from '#contract/api-keys.ts'
import type { Event, EventData } from '#contract/event.ts'
import { memberAdded, memberUpdated, type Member } from '#contract/members.ts'
import { webhookDisabled, webhookFailing } from '#contract/webhooks.ts'
import { newId } from '#runtime/new-id.ts'
import type { Db, EmittedEvent } from '../execution/call.ts'
import { insertAlarms, type NewAlarm } from './rows.ts'

/** `occasion`: the same cause of the same subject raises no second alarm. */
type Raised = Omit<NewAlarm, 'id' | 'openedAt'>
type Told<E extends Event> = Pick<EmittedEvent, 'before'> & { readonly after: EventData<E> }

export async function recordAlarms(tx: Db, events: readonly EmittedEvent[], workspaceId: string): Promise<void> {
  const raised = events.flatMap((event) => {
    const alarm = alarmOf(event)
    return alarm === null ? [] : [{ ...alarm, id: newId(event.at), openedAt: event.at }]
  })
  if (raised.length > 0) await insertAlarms(tx, workspaceId, raised)
}

/** Pure. Events that nothing has caused here raise none. */
export function alarmOf({ event, after, before, origin }: EmittedEvent): Raised | null {
  if (origin !== undefined) return null
  // Each event has the data that it is declared with.
  const told = { after, before } as never
  return raisers[event.type]?.(told) ?? null
}

const raisers: Readonly<Record<string, (told: never) => Raised | null>> = {
  [webhookFailing.type]: ({ after: { id, name, failing } }: Told<typeof webhookFailing>) =>
    alarm('webhook_failing', { id, name }, failing.since, { dueAt: failing.disabledFrom, count: failing.failedTries }),
  [webhookDisabled.type]: ({ after: { id, name, version } }: Told<typeof webhookDisabled>) =>
    alarm('webhook_disabled', { id, name }, String(version)),
  [apiKeyExpiring.type]: ({ after: { expiresAt, ...key } }: Told<typeof apiKeyExpiring>) =>
    alarm('key_expiring', key, expiresAt ?? '', { dueAt: expiresAt }),
  [apiKeyStopping.type]: ({ after: { stopping, ...key } }: Told<typeof apiKeyStopping>) =>
    alarm('key_stopping', key, stopping.from, { dueAt: stopping.from, rule: stopping.rule }),
  [apiKeyRotationDue.type]: ({ after: key }: Told<typeof apiKeyRotationDue>) =>
    alarm('key_rotation_due', key, key.secretCreatedAt),
  [apiKeyDenied.type]: ({ after: { denied, ...key } }: Told<typeof apiKeyDenied>) =>
    alarm('key_denied', key, denied.since, { count: denied.requests }),
  [memberAdded.type]: ({ after }: Told<typeof memberAdded>) => newOwner(after, undefined),
  [memberUpdated.type]: ({ after, before }: Told<typeof memberUpdated>) => newOwner(after, before),
}

type Subject = Pick<ApiKey, 'id' | 'name'>

const alarm = (
  kind: AlarmKind,
  { id, name }: Subject,
  occasion: string,
  more: { readonly dueAt?: string | null; readonly count?: number; readonly rule?: string } = {},
): Raised => ({
  kind,
  subjectId: id,
  subjectName: name,
  occasion,
  dueAt: more.dueAt == null ? null : new Date(more.dueAt),
  count: more.count ?? null,
  rule: more.rule ?? null,
})

function newOwner(after: Member, before: Partial<Member> | undefined): Raised | null {
  if (!isOwner(after) || (before !== undefined && isOwner({ ...after, ...before }))) return null
  return alarm('owner_added', after, String(after.version))
}

const isOwner = ({ role, status }: Pick<Member, 'role' | 'status'>): boolean => role === 'owner' && status === 'active'
