// A process with another INTERNAL_SECRET than the rest opens nothing that they have sealed, and would find that out one
// customer after the other. So the database holds a proof, sealed under the secret, which every process opens at its start.
import type { KeyObject } from 'node:crypto'
import { StartupError } from '#runtime/startup-error.ts'
import { deriveKey, unseal, seal } from '#runtime/sealing.ts'
import type { Database } from './client.ts'

const known = 'the secret of this installation'
const context = 'installation'

export const proofKey = (secret: string): KeyObject => deriveKey(secret, 'installation-proof')

export const otherSecret =
  'INTERNAL_SECRET is not the one that this database is used with: give this process the same as the others, or, where it was changed on purpose, start a service once with INTERNAL_SECRET_CHANGED=true.'

/** Leaves the proof for those who come later, in place of an earlier one where the secret was `changed`. */
export async function proveSecret(db: Database, secret: string, changed: boolean): Promise<void> {
  const proof = seal(proofKey(secret), known, context)
  await db.$executeRaw`
    INSERT INTO installation AS i (id, sealed_proof, created_at) VALUES (1, ${proof}, now())
    ON CONFLICT (id) DO UPDATE SET sealed_proof = excluded.sealed_proof WHERE ${changed}::boolean`
  await assertSecret(db, secret)
}

/** For processes that only read what others have sealed. */
export async function assertSecret(db: Database, secret: string): Promise<void> {
  if (!(await opensProof(db, proofKey(secret)))) throw new StartupError(otherSecret)
}

/** True as well where nobody has left a proof yet. */
export async function opensProof(db: Database, key: KeyObject): Promise<boolean> {
  const [row] = await db.$queryRaw<{ proof: Uint8Array }[]>`SELECT sealed_proof AS proof FROM installation WHERE id = 1`
  return row === undefined || opens(key, row.proof)
}

// The seal's tag is compared in constant time.
function opens(key: KeyObject, proof: Uint8Array): boolean {
  try {
    return unseal(key, proof, context) === known
  } catch {
    return false
  }
}
