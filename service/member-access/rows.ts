// All by which a member can act without signing in: keys, webhooks, and links of invitations that they have seen.
import { memberAccessItemsMax, type MemberAccess, type getMemberAccess } from '#contract/members.ts'
import type { Actor } from '#contract/shared-fields.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import type { Call, Db, Handler } from '../execution/call.ts'
import { findKeys, toApiKey, type KeyRow } from '../keys/api-keys/rows.ts'
import { openRows } from '../identity/sessions/rows.ts'
import { findAnyMember } from '../members/rows.ts'
import { findWebhooks, toWebhook } from '../webhooks/rows.ts'
import { accountOf, sandboxesOf } from './sandboxes.ts'

type AccessCall = Pick<Call, 'db' | 'workspaceId' | 'now'>

export const access: Handler<typeof getMemberAccess> = async ({ id }, call): Promise<MemberAccess> => {
  const { db, workspaceId, now } = call
  await findAnyMember(db, workspaceId, id)
  const keys = await heldKeys(id, call)
  const others = await findKeys(db, { AND: [usable(call), othersMadeBy(id)] }, newestFirst, now)
  const webhooks = await findWebhooks(db, await webhooksBy(id, call), newestFirst, now)
  const invitations = await db.invitation.findMany({
    where: invitationsBy(id, call),
    include: { member: { select: { name: true } } },
    ...newestFirst,
  })
  const accountId = await accountOf(id, call)
  const sessions = accountId === null ? [] : await openRows(db, accountId, now)
  return {
    object: 'member_access',
    memberId: id.toLowerCase(),
    keys: listed(keys, (row) => shownKey(row, now)),
    // After a rotation the owner has a secret that the maker has not seen.
    othersKeys: listed(
      others.filter((row) => isFirstSecretLive(row, now)),
      (row) => shownKey(row, now),
    ),
    webhooks: listed(webhooks, (row) => {
      const { name, url, eventTypes, grants, status, createdAt, createdBy } = toWebhook(row, undefined, now)
      return { id: row.id, name, url, eventTypes, grants, status, createdAt, createdBy }
    }),
    invitations: listed(invitations, ({ id: invitationId, memberId, member: { name }, createdAt, expiresAt }) => ({
      id: invitationId,
      memberId,
      name,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
    sandboxes: listed(await sandboxesOf(id, call), ({ id: sandboxId, name, createdAt }) => ({
      id: sandboxId,
      name,
      createdAt: createdAt.toISOString(),
    })),
    sessions: { count: sessions.length },
  }
}

const newestFirst = { orderBy: [{ createdAt: 'desc' as const }, { id: 'desc' as const }] }

function listed<Row, Item>(rows: readonly Row[], shown: (row: Row) => Item): { count: number; data: Item[] } {
  return { count: rows.length, data: rows.slice(0, memberAccessItemsMax).map(shown) }
}

function shownKey(row: KeyRow, now: Date): MemberAccess['keys']['data'][number] {
  const { id, name, prefix, ownerId, scopes, status, lastUsedAt, createdAt, createdBy } = toApiKey(row, now)
  return { id, name, prefix, ownerId, scopes, status, lastUsedAt, createdAt, createdBy }
}

/** Usable keys, newest first, that the member owns, or made without an owner. */
export const heldKeys = (memberId: string, call: AccessCall): Promise<KeyRow[]> =>
  findKeys(call.db, { AND: [usable(call), ofMember(memberId)] }, newestFirst, call.now)

const usable = ({ workspaceId, now }: AccessCall): Prisma.ApiKeyWhereInput => ({
  workspaceId,
  revokedAt: null,
  OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
})

const ofMember = (memberId: string): Prisma.ApiKeyWhereInput => ({
  OR: [{ ownerId: memberId }, { ownerId: null, ...madeBy(memberId) }],
})

const othersMadeBy = (memberId: string): Prisma.ApiKeyWhereInput => ({
  AND: [madeBy(memberId), { ownerId: { not: null } }, { NOT: { ownerId: memberId } }],
})

const madeBy = (actorId: string) => ({ createdBy: { path: ['id'], equals: actorId.toLowerCase() } })

const isFirstSecretLive = ({ createdAt, secrets }: KeyRow, now: Date): boolean =>
  secrets.some((secret) => {
    const isLive = secret.expiresAt === null || secret.expiresAt > now
    return isLive && secret.createdAt.getTime() === createdAt.getTime()
  })

/** Webhooks that were made or granted by the member, or by any key of theirs, usable or not. */
async function webhooksBy(memberId: string, { db, workspaceId }: AccessCall): Promise<Prisma.WebhookWhereInput> {
  const keys = await db.apiKey.findMany({ where: { workspaceId, ...ofMember(memberId) }, select: { id: true } })
  const actors = [memberId.toLowerCase(), ...keys.map(({ id }) => id)]
  return {
    workspaceId,
    deletedAt: null,
    OR: actors.flatMap((id) => [madeBy(id), { grants: { path: ['grantedBy', 'id'], equals: id } }]),
  }
}

export async function heldWebhookIds(memberId: string, call: AccessCall): Promise<string[]> {
  const where = await webhooksBy(memberId, call)
  return (await call.db.webhook.findMany({ where, select: { id: true } })).map(({ id }) => id)
}

const invitationsBy = (memberId: string, { workspaceId, now }: AccessCall): Prisma.InvitationWhereInput => ({
  workspaceId,
  ...madeBy(memberId),
  expiresAt: { gt: now },
})

/** A person who has seen the link could become the member whom it invites. */
export async function endInvitationsBy(memberId: string, call: AccessCall): Promise<number> {
  return (await call.db.invitation.deleteMany({ where: invitationsBy(memberId, call) })).count
}

/** The active member as the author of grants. */
export async function actorOfMember(db: Db, workspaceId: string, id: string): Promise<Actor | null> {
  const row = await db.member.findFirst({
    where: { workspaceId, id, status: 'active', deletedAt: null },
    select: { id: true, name: true },
  })
  return row && { type: 'user', id: row.id, name: row.name }
}
