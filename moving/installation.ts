// The row of the installation: who it is, by which INTERNAL_SECRET it is recognized, and whether it is being filled.
import type { Session } from '#prisma/sql-session.ts'
import { opensProof, proofKey, sealProof } from '#prisma/sealing-rows.ts'
import { keyring, type InternalSecrets } from '#runtime/keyring.ts'
import { StartupError } from '#runtime/process.ts'
import type { Manifest } from './archive.ts'
import type { Secrets } from './sealed-values.ts'

export type InstallationRow = { readonly identity: string; readonly proof: string }

/** Null before the first start of a process. The proof is in base64. */
export async function readInstallationRow(session: Session): Promise<InstallationRow | null> {
  const [row] = await session.query<InstallationRow>(
    `SELECT identity::text AS identity, encode(sealed_proof, 'base64') AS proof FROM installation`,
  )
  return row ?? null
}

/** Throws a StartupError where a key is missing without which the target could not read what is sealed. */
export function assertKeys({ sealedProof, sealedWith }: Manifest, { sealingKeys, ...secrets }: Secrets): void {
  if (sealedProof !== null && !opensBase64(secrets, sealedProof))
    throw new StartupError(
      'The export was sealed with another INTERNAL_SECRET: give that of the source, or give it beside the one of the target as INTERNAL_SECRET_ACCEPTED. Standalone keeps its own in the file internal-secret of its data folder.',
    )
  const { has } = keyring(sealingKeys, secrets, '')
  const missing = sealedWith.filter((id) => !has(id))
  if (missing.length > 0)
    throw new StartupError(
      `SEALING_KEYS lacks keys that secrets in the export need (${missing.join(', ')}): list those of the source behind that of the target. Secrets whose key is lost must be rotated at the source first.`,
    )
}

/** Throws a StartupError where the processes of the target have another INTERNAL_SECRET. */
export function assertOwnSecret({ proof }: InstallationRow, secrets: InternalSecrets): void {
  if (opensBase64({ internalSecret: secrets.internalSecret }, proof)) return
  throw new StartupError('INTERNAL_SECRET is not the one that the target is used with.')
}

const opensBase64 = (secrets: InternalSecrets, proof: string): boolean =>
  opensProof(proofKey(secrets), Buffer.from(proof, 'base64'))

/** From then on the processes of the target recognize their own INTERNAL_SECRET. */
export async function ownProof(session: Session, { internalSecret }: InternalSecrets): Promise<void> {
  const proof = sealProof(proofKey({ internalSecret })).toString('base64')
  await session.query(`UPDATE installation SET sealed_proof = decode($1, 'base64')`, [proof])
}

/** How far the import of an export is: so many rows of a step are written. */
export type Position = { readonly step: number; readonly rows: number }

/** Null where nothing has been imported. Throws a StartupError where another export has been. */
export async function readPosition(session: Session, exportId: string): Promise<Position | null> {
  const [row] = await session.query<{ exportId: string; step: string; rows: string }>(
    'SELECT export_id::text AS "exportId", step::text AS step, rows::text AS rows FROM installation_import',
  )
  if (row === undefined) return null
  if (row.exportId === exportId) return { step: Number(row.step), rows: Number(row.rows) }
  throw new StartupError(
    'Another export has been imported into this database in part: import that one to its end, or make an empty database in its place.',
  )
}

/** From then on no process starts on the database. */
export const beginImport = async (session: Session, exportId: string): Promise<void> =>
  void (await session.query(
    'INSERT INTO installation_import (id, export_id, started_at, step, rows) VALUES (1, $1, now(), 0, 0)',
    [exportId],
  ))

/** Throws a StartupError where another import goes on at the same time. */
export async function movePosition(session: Session, from: Position, to: Position): Promise<void> {
  const moved = await session.query(
    'UPDATE installation_import SET step = $3, rows = $4 WHERE id = 1 AND step = $1 AND rows = $2 RETURNING id',
    [from.step, from.rows, to.step, to.rows],
  )
  if (moved.length === 0) throw new StartupError('Another npm run import fills this database at the same time.')
}

export const endImport = (session: Session): Promise<void> => session.run('DELETE FROM installation_import')
