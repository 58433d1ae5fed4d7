// The passkeys of accounts: public keys alone. What they prove has to be taken, so that no signature counts twice.
import type { Passkey as ShownPasskey } from '#contract/second-factors.ts'
import { Prisma, type Passkey } from '#prisma/generated/client.ts'
import { command } from '#prisma/statements.ts'
import { newId } from '#runtime/new-id.ts'
import type { Db } from '../../execution/call.ts'
import type { Registered } from './webauthn.ts'

export const findPasskeys = (db: Db, accountId: string): Promise<Passkey[]> =>
  db.passkey.findMany({ where: { accountId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })

export const findPasskeyByCredential = (db: Db, credentialId: string): Promise<Passkey | null> =>
  db.passkey.findUnique({ where: { credentialId } })

export type NewPasskey = Registered & {
  readonly accountId: string
  readonly name: string
  readonly transports: string[]
}

export async function insertPasskey(tx: Db, { publicKey, ...passkey }: NewPasskey, now: Date): Promise<void> {
  await tx.passkey.create({
    data: { ...passkey, id: newId(now), publicKey: new Uint8Array(publicKey), createdAt: now },
  })
}

export async function deletePasskeyOf(tx: Db, accountId: string, id: string): Promise<boolean> {
  const { count } = await tx.passkey.deleteMany({ where: { accountId, id } })
  return count === 1
}

const countUse = command(
  (id: string, counter: number, now: Date) => Prisma.sql`
    UPDATE passkey SET counter = ${counter}::bigint, last_used_at = ${now}
    WHERE id = ${id}::uuid AND (counter < ${counter}::bigint OR (counter = 0 AND ${counter}::bigint = 0))`,
)

/** Returns false when the passkey was removed meanwhile, or a copy of it has signed as often. */
export const takeUse = async (tx: Db, { id }: Pick<Passkey, 'id'>, counter: number, now: Date): Promise<boolean> =>
  (await countUse(tx, id, counter, now)) === 1

export const toPasskey = ({ id, name, createdAt, lastUsedAt }: Passkey): ShownPasskey => ({
  id,
  object: 'passkey',
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})
