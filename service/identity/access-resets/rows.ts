// The tokens of links that reset access. Only the hash of a token is stored.
import { randomBytes } from 'node:crypto'
import { resetLinkMinutes } from '#contract/accounts.ts'
import type { AccessReset, Account } from '#prisma/generated/client.ts'
import { tokenHash } from '#runtime/bearer-tokens.ts'
import type { Db } from '../../execution/call.ts'

const tokenBytes = 32

export type OpenReset = AccessReset & { readonly account: Account }

/** Replaces the reset that the account had. */
export async function putReset(
  tx: Db,
  accountId: string,
  removesSecondFactors: boolean,
  now: Date,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = randomBytes(tokenBytes).toString('base64url')
  const expiresAt = new Date(now.getTime() + resetLinkMinutes * 60_000)
  const fields = { tokenHash: tokenHash(token), expiresAt, removesSecondFactors }
  await tx.accessReset.upsert({ where: { accountId }, create: { accountId, ...fields }, update: fields })
  return { token, expiresAt }
}

/** Returns null for a token that was used or replaced, or has expired. */
export async function findReset(db: Db, token: string, now: Date): Promise<OpenReset | null> {
  const found = await db.accessReset.findUnique({
    where: { tokenHash: tokenHash(token) },
    include: { account: true },
  })
  return found !== null && found.expiresAt > now ? found : null
}

/** Returns false when another call has used it first. */
export async function takeReset(tx: Db, { accountId, tokenHash: hash }: AccessReset): Promise<boolean> {
  const { count } = await tx.accessReset.deleteMany({ where: { accountId, tokenHash: hash } })
  return count === 1
}

export async function deleteOutdatedResets(db: Db, now: Date): Promise<void> {
  await db.accessReset.deleteMany({ where: { expiresAt: { lte: now } } })
}
