// The quotas of a workspace (contract/quotas.ts): how much is used of each, and the refusal of more. Objects, bytes of
// documents and events are counted in the row that is the workspace lock, so the look costs a change nothing; the rest
// is few enough to be counted when one more is made.
import { Fault } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { quotaNames, standardQuotas, type QuotaChanges, type QuotaName, type Quotas } from '#contract/quotas.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { countedUse, highestUse, usedQuotas, type CountedQuota, type StoredQuota } from './rows.ts'

/** As in call.ts, which needs the types of this file. */
type Db = Prisma.TransactionClient

/** The rest of the stored quotas. One object for a call and its parts, which take from it. */
export type QuotaRoom = { -readonly [N in StoredQuota]: number }

/** Of a workspace's lock row: amounts, and what the operator has set. */
type QuotaRow = { readonly used: Readonly<Record<StoredQuota, number>>; readonly set: unknown }

/** `set`: what the operator has set for the workspace. */
export const quotasOf = (set: unknown): Quotas => ({ ...standardQuotas, ...(set as Partial<Quotas>) })

/**
 * The quotas that are set after a change; null sets a quota back. In the contract's order, so that the same numbers are
 * no change.
 */
export function changedQuotas(set: Partial<Quotas>, changes: QuotaChanges): Partial<Quotas> {
  const next = { ...set, ...changes }
  return Object.fromEntries(quotaNames.flatMap((name) => (typeof next[name] === 'number' ? [[name, next[name]]] : [])))
}

export function roomIn({ used, set }: QuotaRow): QuotaRoom {
  const quotas = quotasOf(set)
  return {
    objects: quotas.objects - used.objects,
    documentBytes: quotas.documentBytes - used.documentBytes,
    fileBytes: quotas.fileBytes - used.fileBytes,
    eventsPerDay: quotas.eventsPerDay - used.eventsPerDay,
  }
}

/** Takes from what is left. Throws `quota_reached`. `room` is null outside of any workspace. */
export function takeQuota(room: QuotaRoom | null, name: StoredQuota, amount: number): void {
  if (room === null || amount <= 0) return
  if (room[name] < amount) throw quotaReached(name)
  room[name] -= amount
}

/** Events are counted for all, and refused to keys alone: people and the service can always mend what is wrong. */
export function takeEvent(room: QuotaRoom | null, { kind }: Pick<Principal, 'kind'>): void {
  if (kind === 'api_key') takeQuota(room, 'eventsPerDay', 1)
}

/**
 * Throws `quota_reached` where there may be no more of these. Under the workspace lock, so that two do not both find
 * room.
 */
export async function assertRoomFor(db: Db, workspaceId: string, name: CountedQuota): Promise<void> {
  if (!(await hasRoomFor(db, workspaceId, name))) throw quotaReached(name)
}

/** Whether there may be one more of these. */
export async function hasRoomFor(db: Db, workspaceId: string, name: CountedQuota): Promise<boolean> {
  const [row] = await countedUse(db, workspaceId, name)
  return row === undefined || row.used < quotasOf(row.set)[name]
}

/** How much of each quota the workspace uses. */
export async function quotaUsage(db: Db, workspaceId: string): Promise<Quotas> {
  const [row] = await usedQuotas(db, workspaceId)
  if (row === undefined) throw new Error(`Workspace ${workspaceId} has no event sequence`)
  return row
}

/** The part of each quota that the workspace that uses most of it uses: 1 where one is used up. */
export async function highestQuotaUse(db: Db): Promise<Readonly<Record<QuotaName, number>>> {
  const [row] = await highestUse(db)
  return row ?? (Object.fromEntries(quotaNames.map((name) => [name, 0])) as Record<QuotaName, number>)
}

const full: Readonly<Record<QuotaName, string>> = {
  objects: 'objects',
  documentBytes: 'bytes of documents',
  fileBytes: 'bytes of files',
  eventsPerDay: 'events per day',
  apiKeys: 'API keys',
  webhooks: 'webhooks',
  members: 'members',
  invitations: 'open invitations',
  customFields: 'custom fields',
  sandboxes: 'sandboxes',
}

function quotaReached(quota: QuotaName): Fault {
  const hint =
    quota === 'eventsPerDay'
      ? 'The count starts again at midnight, UTC. The operator can raise the quota.'
      : 'Remove what is no longer needed, or ask the operator to raise the quota.'
  return new Fault('quota_reached', `The workspace has reached its quota of ${full[quota]}.`, { quota, hint })
}
