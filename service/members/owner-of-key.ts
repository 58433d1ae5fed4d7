// The member that `me` stands for: whoever is signed in, or the owner of the key that calls.
import type { Call } from '../execution/call.ts'

export const noOwner = '`me` is the owner of the key, and this key has none here.'

/** Null for a key without an owner, for one of another workspace's members, and for the operator. */
export async function ownerOfKey({ db, principal, workspaceId }: Call): Promise<string | null> {
  if (principal.kind === 'member') return principal.id
  if (principal.kind !== 'api_key') return null
  const key = await db.apiKey.findFirst({ where: { id: principal.id, workspaceId }, select: { ownerId: true } })
  return key?.ownerId ?? null
}
