// Removes, suspends and re-admits members, together with the keys and webhooks by which they could act without signing
// in.
import type { apiKeyRevoked, apiKeyUpdated } from '#contract/api-keys.ts'
import type { Fault } from '#contract/faults/fault.ts'
import type { removeMember, updateMember } from '#contract/members.ts'
import type { Input } from '#contract/operation.ts'
import type { Actor } from '#contract/shared-fields.ts'
import type { Call, Handler, Handlers } from '../execution/call.ts'
import type { Recorders } from '../execution/change.ts'
import { invalidField, invalidParameter } from '../faults/shared-faults.ts'
import { revokeKeys, transferKeys } from '../keys/api-keys/operations.ts'
import { remove as removeOnly, update as updateOnly } from '../members/operations.ts'
import { findMember } from '../members/rows.ts'
import { deleteKnown, pauseActive } from '../webhooks/operations.ts'
import { lockAnyWebhook, updateWebhookRow } from '../webhooks/rows.ts'
import { access, actorOfMember, endInvitationsBy, heldKeys, heldWebhookIds } from './rows.ts'
import { handOverSandboxes, sandboxesOf } from './sandboxes.ts'

type Given = Input<typeof updateMember>
type Decisions = {
  readonly [K in 'keys' | 'webhooks' | 'transferTo']?: Given[K] | undefined
}
type Refuse = (field: string, code: 'required' | 'unknown' | 'not_in_list' | 'not_found', detail: string) => Fault

/** What ended is in the entry of the member in the audit log; each key, webhook and sandbox has its own beside. */
const remove =
  (recorders: Recorders): Handler<typeof removeMember> =>
  async ({ keys = 'revoke', webhooks = 'pause', transferTo, ...input }, call) => {
    const decisions = { keys, webhooks, transferTo }
    const heir = await heirOf(input.id, decisions, call, invalidParameter)
    const sandboxes = await sandboxesOf(input.id, call)
    const removed = await removeOnly(input, call)
    if (removed === null) return null
    const { before, after } = removed
    const counts = await settle(after.id, decisions, heir, call)
    await handOverSandboxes(
      sandboxes,
      {
        removedId: after.id,
        transferTo: heir?.id ?? null,
        removeIn: async (id, within) => void (await remove(recorders)({ id }, within)),
      },
      // What is emitted in a sandbox is its own, and declared there.
      call,
      recorders,
    )
    call.audit(
      {
        ...after,
        keys: { decision: keys, count: counts.keys },
        webhooks: { decision: webhooks, count: counts.webhooks },
        invitations: { decision: 'cancel', count: counts.invitations },
        sandboxes: { decision: 'transfer', count: sandboxes.length },
      },
      before,
    )
    return null
  }

const update: Handler<typeof updateMember> = async ({ keys, webhooks, transferTo, ...input }, call) => {
  const { id, status } = input
  const given = { keys, webhooks, transferTo }
  if (status !== 'suspended') {
    for (const [field, value] of Object.entries(given))
      if (value !== undefined) throw invalidField(field, 'unknown', 'Is taken with `status: "suspended"` only.')
  }
  const before = await findMember(call.db, call.workspaceId, id)
  const heir = await heirOf(id, given, call, invalidField)
  const after = await updateOnly(input, call)
  const isSuspended = after.status === 'suspended'
  if (isSuspended && before.status !== 'suspended')
    await settle(id, { keys: keys ?? 'suspend', webhooks: webhooks ?? 'pause' }, heir, call)
  else if (isSuspended) await settle(id, given, heir, call)
  else if (before.status === 'suspended') await tellOfKeys(id, call)
  return after
}

/** The member who takes what is transferred, or null. Throws when `transferTo` does not fit the decisions. */
async function heirOf(
  id: string,
  { keys, webhooks, transferTo }: Decisions,
  { db, workspaceId }: Pick<Call, 'db' | 'workspaceId'>,
  refuse: Refuse,
): Promise<Actor | null> {
  const isTransfer = keys === 'transfer' || webhooks === 'transfer'
  if (!isTransfer && transferTo === undefined) return null
  if (!isTransfer) throw refuse('transferTo', 'unknown', 'Is taken where keys or webhooks are transferred only.')
  if (transferTo === undefined) throw refuse('transferTo', 'required', 'Name the member who is to have them.')
  const heir = await actorOfMember(db, workspaceId, transferTo)
  if (heir === null && (await db.member.count({ where: { workspaceId, id: transferTo, deletedAt: null } })) === 0)
    throw refuse('transferTo', 'not_found', 'Does not exist in this workspace.')
  if (heir === null || heir.id === id.toLowerCase())
    throw refuse('transferTo', 'not_in_list', 'Must be another member, who is active.')
  return heir
}

async function settle(
  id: string,
  { keys, webhooks }: Decisions,
  heir: Actor | null,
  call: Call<typeof apiKeyUpdated | typeof apiKeyRevoked>,
): Promise<Record<'keys' | 'webhooks' | 'invitations', number>> {
  // Looked up first: webhooks that were made with a key stay the member's when the key is transferred.
  const [held, webhookIds] = [await heldKeys(id, call), await heldWebhookIds(id, call)]
  if (keys === 'revoke') await revokeKeys(held, call)
  if (keys === 'transfer' && heir !== null) await transferKeys(held, heir.id, call)
  if (keys === 'suspend') await tellOfKeys(id, call)
  for (const webhookId of webhookIds) await settleWebhook(webhookId, webhooks, heir, call)
  return { keys: held.length, webhooks: webhookIds.length, invitations: await endInvitationsBy(id, call) }
}

async function settleWebhook(
  id: string,
  decision: Decisions['webhooks'],
  heir: Actor | null,
  call: Call,
): Promise<void> {
  const { db, workspaceId, actor, now, audit } = call
  const before = await lockAnyWebhook(db, workspaceId, id, now)
  if (decision === 'pause' && before.status === 'active') await pauseActive(before, call)
  if (decision === 'delete') await deleteKnown(before, call)
  if (decision !== 'transfer' || heir === null) return
  const grants = { ...before.grants, grantedBy: heir, grantedAt: now.toISOString() }
  audit(await updateWebhookRow(db, before, { data: { grants }, actor, now }), before)
}

/** Gateways must learn whether the owner of these keys is suspended. */
async function tellOfKeys(id: string, call: Call): Promise<void> {
  for (const key of await heldKeys(id, call)) call.keysChanged({ kind: 'api-key', id: key.id })
}

export const memberAccessHandlers = ({ changes }: { readonly changes: Recorders }) =>
  ({
    'members.access': access,
    'members.update': update,
    'members.remove': remove(changes),
  }) satisfies Partial<Handlers>
