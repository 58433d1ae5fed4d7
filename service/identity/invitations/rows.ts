// The tokens of invitations. Only the hash of a token is stored.
import { randomBytes } from 'node:crypto'
import { invitationDays } from '#contract/invitations.ts'
import type { Invitation, Member, Workspace } from '#prisma/generated/client.ts'
import { tokenHash } from '#runtime/bearer-tokens.ts'
import { newId } from '#runtime/new-id.ts'
import type { Call, Db } from '../../execution/call.ts'

const tokenBytes = 32
type Invited = Invitation & { readonly member: Member & { readonly workspace: Workspace } }

/** Replaces the invitation that the member had. */
export async function putInvitation(
  tx: Db,
  workspaceId: string,
  memberId: string,
  { actor: createdBy, now }: Pick<Call, 'actor' | 'now'>,
): Promise<{ readonly row: Invitation; readonly token: string }> {
  const token = randomBytes(tokenBytes).toString('base64url')
  const expiresAt = new Date(now.getTime() + invitationDays * 86_400_000)
  const fields = { id: newId(now), tokenHash: tokenHash(token), createdAt: now, createdBy, expiresAt }
  const row = await tx.invitation.upsert({
    where: { workspaceId_memberId: { workspaceId, memberId } },
    create: { workspaceId, memberId, ...fields },
    update: fields,
  })
  return { row, token }
}

/** Whether the member has an invitation, which a new one would replace. */
export const isInvited = async (
  db: Db,
  { workspaceId, id: memberId }: { readonly workspaceId: string; readonly id: string },
): Promise<boolean> => (await db.invitation.count({ where: { workspaceId, memberId } })) > 0

/** Returns null for an invitation that cannot be accepted any more. */
export async function findInvited(db: Db, token: string, now: Date): Promise<Invited | null> {
  const found = await db.invitation.findUnique({
    where: { tokenHash: tokenHash(token) },
    include: { member: { include: { workspace: true } } },
  })
  const isOpen =
    found !== null &&
    found.expiresAt > now &&
    found.member.deletedAt === null &&
    found.member.accountId === null &&
    found.member.status !== 'suspended'
  return isOpen ? found : null
}

/** Returns false when another call has used it first. */
export async function takeInvitation(tx: Db, { workspaceId, memberId, id }: Invitation): Promise<boolean> {
  const { count } = await tx.invitation.deleteMany({ where: { workspaceId, memberId, id } })
  return count === 1
}

export async function deleteOutdatedInvitations(db: Db, now: Date): Promise<void> {
  await db.invitation.deleteMany({ where: { expiresAt: { lte: now } } })
}
