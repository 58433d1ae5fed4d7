// Checks at the start that all processes have the same INTERNAL_SECRET: with another one, a process could decrypt
// nothing that the others have sealed. The database holds a known text sealed under the secret, which every process
// must open.
import type { KeyObject } from 'node:crypto'
import { StartupError } from '#runtime/process.ts'
import { deriveKey, unseal, seal } from '#runtime/sealing-and-signing.ts'
import type { Database } from './client.ts'

const knownText = 'the secret of this installation'
const context = 'installation'

export const proofKey = (secret: string): KeyObject => deriveKey(secret, 'installation-proof')

export const wrongSecretMessage =
  'INTERNAL_SECRET is not the one that this database is used with: give this process the same as the others, or, where it was changed on purpose, start a service once with INTERNAL_SECRET_CHANGED=true.'

/**
 * Stores the proof when there is none or when `changed` is set. Throws a StartupError when the secret does not match.
 */
export async function ensureSecretProof(db: Database, secret: string, changed: boolean): Promise<void> {
  const proof = seal(proofKey(secret), knownText, context)
  await db.$executeRaw`
    INSERT INTO installation AS i (id, sealed_proof, created_at) VALUES (1, ${proof}, now())
    ON CONFLICT (id) DO UPDATE SET sealed_proof = excluded.sealed_proof WHERE ${changed}::boolean`
  await assertSecret(db, secret)
}

/** For processes that only read sealed values. Throws a StartupError when the secret does not match. */
export async function assertSecret(db: Database, secret: string): Promise<void> {
  if (!(await matchesProof(db, proofKey(secret)))) throw new StartupError(wrongSecretMessage)
}

/** Also true when there is no proof yet. */
export async function matchesProof(db: Database, key: KeyObject): Promise<boolean> {
  const [row] = await db.$queryRaw<{ proof: Uint8Array }[]>`SELECT sealed_proof AS proof FROM installation WHERE id = 1`
  return row === undefined || opens(key, row.proof)
}

// AES-GCM's tag is compared in constant time.
function opens(key: KeyObject, proof: Uint8Array): boolean {
  try {
    return unseal(key, proof, context) === knownText
  } catch {
    return false
  }
}
