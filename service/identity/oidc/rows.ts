// Those who have gone to the provider and are not back: what the answer is held against, sealed, until it comes or ten minutes
// are over. Each is used once; there is a bound on how many there are.
import { randomBytes, type KeyObject } from 'node:crypto'
import { tokenHash } from '#runtime/bearer-tokens.ts'
import { seal, unseal } from '#runtime/sealing-and-signing.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'
import type { Db } from '../../execution/handler.ts'
import type { Checks } from './provider.ts'

/** `invitation`: the token of the one that somebody has come by. */
export type Flow = { readonly checks: Checks; readonly invitation: string | null }

const tokenBytes = 32
const flowMinutes = 10
/** The oldest end when there are more. */
const flowsMax = 10_000
const context = 'sign-in-flow'

const deleteSurplusFlows = command(
  (now: Date) => Prisma.sql`
    DELETE FROM sign_in_flow WHERE expires_at <= ${now} OR token_hash IN (
      SELECT token_hash FROM sign_in_flow ORDER BY expires_at DESC OFFSET ${flowsMax}::int
    )`,
)

export async function putFlow(
  db: Db,
  sealingKey: KeyObject,
  flow: Flow,
  now: Date,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = randomBytes(tokenBytes).toString('base64url')
  const expiresAt = new Date(now.getTime() + flowMinutes * 60_000)
  const sealedState = seal(sealingKey, JSON.stringify(flow), context)
  await db.signInFlow.create({ data: { tokenHash: tokenHash(token), sealedState, expiresAt } })
  await deleteSurplusFlows(db, now)
  return { token, expiresAt }
}

const deleteFlow = query(
  { sealed: column.bytes, expiresAt: column.time },
  (hash: Buffer<ArrayBuffer>) => Prisma.sql`
    DELETE FROM sign_in_flow WHERE token_hash = ${hash}
    RETURNING sealed_state AS sealed, expires_at AS "expiresAt"`,
)

/** Null for one that was taken, is too old, or never was. Of two at the same moment one gets it. */
export async function takeFlow(db: Db, sealingKey: KeyObject, token: string, now: Date): Promise<Flow | null> {
  const [taken] = await deleteFlow(db, tokenHash(token))
  if (taken === undefined || taken.expiresAt <= now) return null
  return JSON.parse(unseal(sealingKey, taken.sealed, context)) as Flow
}

export async function deleteOutdatedFlows(db: Db, now: Date): Promise<void> {
  await db.signInFlow.deleteMany({ where: { expiresAt: { lte: now } } })
}
