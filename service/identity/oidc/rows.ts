// Sign-in flows that are under way at the provider: the checks of the answer, sealed, for ten minutes. Each works once,
// and their number is bounded.
import { randomBytes, type KeyObject } from 'node:crypto'
import { tokenHash } from '#runtime/bearer-tokens.ts'
import { seal, unseal } from '#runtime/sealing-and-signing.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'
import type { Db } from '../../execution/call.ts'
import type { Checks } from './provider.ts'

/** `invitation` is the token of the invitation that started the sign-in. */
export type Flow = { readonly checks: Checks; readonly invitation: string | null }

const tokenBytes = 32
const flowMinutes = 10
/** The oldest are deleted when there are more. */
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

/** Returns null for a flow that was taken, has expired, or never existed. Only one of two parallel calls gets it. */
export async function takeFlow(db: Db, sealingKey: KeyObject, token: string, now: Date): Promise<Flow | null> {
  const [taken] = await deleteFlow(db, tokenHash(token))
  if (taken === undefined || taken.expiresAt <= now) return null
  return JSON.parse(unseal(sealingKey, taken.sealed, context)) as Flow
}

export async function deleteOutdatedFlows(db: Db, now: Date): Promise<void> {
  await db.signInFlow.deleteMany({ where: { expiresAt: { lte: now } } })
}
