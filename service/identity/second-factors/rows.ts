// The second factors of accounts: authenticator apps, whose secrets are sealed, and recovery codes as their hashes.
import type { SecondFactor } from '#contract/account.ts'
import { Prisma, type Authenticator, type Passkey } from '#prisma/generated/client.ts'
import { command } from '#prisma/statements.ts'
import type { Keyring } from '#runtime/keyring.ts'
import { newId } from '#runtime/new-id.ts'
import type { Db } from '../../execution/call.ts'
import { findPasskeys } from './passkey-rows.ts'
import { newRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts'

export type FactorsOfAccount = {
  readonly authenticator: Authenticator | null
  /** Oldest first. */
  readonly passkeys: readonly Passkey[]
  readonly recoveryCodes: number
}

export async function findFactors(db: Db, accountId: string): Promise<FactorsOfAccount> {
  const authenticator = await db.authenticator.findUnique({ where: { accountId } })
  const passkeys = await findPasskeys(db, accountId)
  return { authenticator, passkeys, recoveryCodes: await db.recoveryCode.count({ where: { accountId } }) }
}

/** What a sign-in with the password asks for: any one of them. Empty while two-factor authentication is off. */
export function askedFactors({ authenticator, passkeys, recoveryCodes }: FactorsOfAccount): SecondFactor[] {
  if (authenticator === null && passkeys.length === 0) return []
  return [
    ...(authenticator === null ? [] : (['authenticator'] as const)),
    ...(passkeys.length === 0 ? [] : (['passkey'] as const)),
    ...(recoveryCodes === 0 ? [] : (['recovery_code'] as const)),
  ]
}

/** The context binds the sealed secret to its row. */
export const contextOfAuthenticator = (id: string): string => `authenticator:${id}`

export type NewAuthenticator = { readonly accountId: string; readonly secret: string; readonly step: number }

/** Replaces the app that the account had. `step`: of the code that has enabled it. */
export async function putAuthenticator(
  tx: Db,
  { seal }: Pick<Keyring, 'seal'>,
  { accountId, secret, step }: NewAuthenticator,
  now: Date,
): Promise<void> {
  const id = newId(now)
  const fields = {
    id,
    sealedSecret: seal(secret, contextOfAuthenticator(id)),
    createdAt: now,
    lastUsedAt: now,
    lastStep: step,
  }
  await tx.authenticator.upsert({ where: { accountId }, create: { accountId, ...fields }, update: fields })
}

const takeStepRow = command(
  (id: string, step: number, now: Date) => Prisma.sql`
    UPDATE authenticator SET last_step = ${step}::bigint, last_used_at = ${now}
    WHERE id = ${id}::uuid AND last_step < ${step}::bigint`,
)

/** Returns false when this code, or a later one, was taken before: of two calls with one code only one gets it. */
export const takeStep = async (tx: Db, { id }: Pick<Authenticator, 'id'>, step: number, now: Date): Promise<boolean> =>
  (await takeStepRow(tx, id, step, now)) === 1

/** Returns false when the account has no such code, or it was used before. */
export async function takeRecoveryCode(tx: Db, accountId: string, code: string): Promise<boolean> {
  const { count } = await tx.recoveryCode.deleteMany({ where: { accountId, codeHash: recoveryCodeHash(code) } })
  return count === 1
}

/** Replaces all codes of the account. Returns the plain ones, which are shown to the person once and are not stored. */
export async function replaceRecoveryCodes(tx: Db, accountId: string, now: Date): Promise<string[]> {
  const codes = newRecoveryCodes()
  await tx.recoveryCode.deleteMany({ where: { accountId } })
  const data = codes.map((code) => ({ accountId, codeHash: recoveryCodeHash(code), createdAt: now }))
  await tx.recoveryCode.createMany({ data })
  return codes
}

export async function deleteAuthenticator(tx: Db, accountId: string): Promise<boolean> {
  const { count } = await tx.authenticator.deleteMany({ where: { accountId } })
  return count === 1
}

export async function deleteRecoveryCodes(tx: Db, accountId: string): Promise<void> {
  await tx.recoveryCode.deleteMany({ where: { accountId } })
}

/** Removes all factors, and what waits for one. */
export async function deleteFactors(tx: Db, accountId: string): Promise<void> {
  await deleteAuthenticator(tx, accountId)
  await tx.passkey.deleteMany({ where: { accountId } })
  await deleteRecoveryCodes(tx, accountId)
  await tx.factorChallenge.deleteMany({ where: { accountId } })
}

/** What the audit log says of them. */
export const shownFactors = ({ authenticator, passkeys, recoveryCodes }: FactorsOfAccount) => ({
  authenticator: authenticator === null ? 'none' : authenticator.id,
  passkeys: passkeys.map(({ name }) => name),
  recoveryCodes,
})
