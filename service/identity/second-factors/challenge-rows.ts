// What waits for a second factor, for ten minutes: a sign-in whose password was right, the setup of a factor, or a
// challenge that a passkey is to sign. The
// page that began holds the token; the database has its hash, and what belongs to it sealed. Each works once, and their
// number is bounded.
import { randomBytes, type KeyObject } from 'node:crypto'
import { secondStepMinutes, secondStepTriesMax, setupMinutes } from '#contract/second-factors.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'
import { tokenHash } from '#runtime/bearer-tokens.ts'
import { seal, unseal } from '#runtime/sealing-and-signing.ts'
import type { Db } from '../../execution/call.ts'

export type Purpose = 'sign-in' | 'authenticator-setup' | 'passkey-setup' | 'passkey-sign-in' | 'passkey-confirm'

const minutesOf: Readonly<Record<Purpose, number>> = {
  'sign-in': secondStepMinutes,
  'authenticator-setup': setupMinutes,
  'passkey-setup': setupMinutes,
  'passkey-sign-in': secondStepMinutes,
  'passkey-confirm': secondStepMinutes,
}
const tokenBytes = 32
/** The oldest are deleted when there are more. */
const challengesMax = 10_000
const perAccountMax = 20

export type NewChallenge = { readonly purpose: Purpose; readonly accountId: string | null; readonly state: object }
export type Begun = { readonly token: string; readonly expiresAt: Date }

/** `state` is sealed for this purpose alone. */
export async function putChallenge(
  db: Db,
  key: KeyObject,
  { purpose, accountId, state }: NewChallenge,
  now: Date,
): Promise<Begun> {
  const token = randomBytes(tokenBytes).toString('base64url')
  const expiresAt = new Date(now.getTime() + minutesOf[purpose] * 60_000)
  const sealedState = seal(key, JSON.stringify(state), contextOf(purpose))
  await db.factorChallenge.create({ data: { tokenHash: tokenHash(token), purpose, accountId, sealedState, expiresAt } })
  await deleteSurplus(db, now)
  if (accountId !== null) await deleteSurplusOf(db, accountId, purpose)
  return { token, expiresAt }
}

const contextOf = (purpose: Purpose): string => `factor-challenge:${purpose}`

const deleteSurplus = command(
  (now: Date) => Prisma.sql`
    DELETE FROM factor_challenge WHERE expires_at <= ${now} OR token_hash IN (
      SELECT token_hash FROM factor_challenge ORDER BY expires_at DESC OFFSET ${challengesMax}::int
    )`,
)

/** Nobody who begins again and again takes the place of others. */
const deleteSurplusOf = command(
  (accountId: string, purpose: string) => Prisma.sql`
    DELETE FROM factor_challenge WHERE token_hash IN (
      SELECT token_hash FROM factor_challenge WHERE account_id = ${accountId}::uuid AND purpose = ${purpose}
      ORDER BY expires_at DESC OFFSET ${perAccountMax}::int
    )`,
)

const countedTry = query(
  { accountId: column.uuid.orNull, sealed: column.bytes },
  (hash: Buffer<ArrayBuffer>, purpose: string, now: Date) => Prisma.sql`
    UPDATE factor_challenge SET tries = tries + 1
    WHERE token_hash = ${hash} AND purpose = ${purpose} AND expires_at > ${now} AND tries < ${secondStepTriesMax}::int
    RETURNING account_id AS "accountId", sealed_state AS sealed`,
)

export type Challenge<S> = { readonly token: string; readonly accountId: string | null; readonly state: S }

/**
 * Counts a try before the factor is checked, so that parallel tries gain nothing. Returns null for a challenge that was
 * taken, has expired, was tried too often, or is for something else.
 */
export async function tryChallenge<S>(
  db: Db,
  key: KeyObject,
  { purpose, token }: { readonly purpose: Purpose; readonly token: string },
  now: Date,
): Promise<Challenge<S> | null> {
  const [found] = await countedTry(db, tokenHash(token), purpose, now)
  if (found === undefined) return null
  const state = JSON.parse(unseal(key, found.sealed, contextOf(purpose))) as S
  return { token, accountId: found.accountId, state }
}

/** Returns false when another call has taken it first. Within the transaction of what the challenge was for. */
export async function takeChallenge(tx: Db, { token }: Pick<Challenge<unknown>, 'token'>): Promise<boolean> {
  const { count } = await tx.factorChallenge.deleteMany({ where: { tokenHash: tokenHash(token) } })
  return count === 1
}

export async function deleteOutdatedChallenges(db: Db, now: Date): Promise<void> {
  await db.factorChallenge.deleteMany({ where: { expiresAt: { lte: now } } })
}
