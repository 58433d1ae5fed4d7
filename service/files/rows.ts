// Files, the names of their bytes in the store, and which key an address is signed for.
import type { File, FileStatus } from '#contract/files.ts'
import type { Actor } from '#contract/shared-fields.ts'
import { Prisma, type File as TableRow } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'
import type { Db } from '../execution/call.ts'
import { notFoundById } from '../faults/shared-faults.ts'
import { isNotHeld } from '../execution/legal-hold-rows.ts'

/** The file with what callers are not shown. */
export type StoredFile = File & { readonly blobId: string | null; readonly purgedAt: Date | null }

/** The file, deleted or not. Throws `not_found`. */
export async function findAny(db: Db, workspaceId: string, id: string): Promise<StoredFile> {
  const row = await db.file.findUnique({ where: { workspaceId_id: { workspaceId, id } } })
  if (row === null) throw notFoundById('file')
  return { ...toFile(row), blobId: row.blobId, purgedAt: row.purgedAt }
}

/** Throws `not_found` also for one that is deleted. */
export async function find(db: Db, workspaceId: string, id: string): Promise<StoredFile> {
  const found = await findAny(db, workspaceId, id)
  if (found.deletedAt !== null) throw notFoundById('file')
  return found
}

export type FileFilter = {
  readonly status?: readonly FileStatus[]
  readonly attached?: boolean
  readonly deleted?: boolean
}
type Page = Pick<Prisma.FileFindManyArgs, 'orderBy' | 'take'>

const links = ['tasks', 'documents', 'crmEntities', 'comments'] as const

export async function findFiles(
  db: Db,
  workspaceId: string,
  { status, attached, deleted = false }: FileFilter,
  beyond: Prisma.FileWhereInput,
  page: Page,
): Promise<File[]> {
  const named = links.map((link) => ({ [link]: { some: {} } }))
  const here: Prisma.FileWhereInput = {
    workspaceId,
    purgedAt: null,
    deletedAt: deleted ? { not: null } : null,
    ...(status && { status: { in: [...status] } }),
    ...(attached === true && { OR: named }),
    ...(attached === false && { NOT: { OR: named } }),
  }
  const rows = await db.file.findMany({ where: { AND: [here, beyond] }, ...page })
  return rows.map(toFile)
}

export async function insertFile(tx: Db, { object: _object, bytes, ...file }: File): Promise<void> {
  await tx.file.create({ data: { ...file, bytes: BigInt(bytes) } })
}

type Next = File & { readonly blobId?: string | null; readonly purgedAt?: Date }

export async function updateFile(tx: Db, { workspaceId, id, object: _object, bytes, ...next }: Next): Promise<void> {
  await tx.file.update({ where: { workspaceId_id: { workspaceId, id } }, data: { ...next, bytes: BigInt(bytes) } })
}

function toFile({ blobId: _blobId, purgedAt: _purgedAt, ...row }: TableRow): File {
  return {
    id: row.id,
    object: 'file',
    workspaceId: row.workspaceId,
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    createdBy: row.createdBy as Actor,
    updatedBy: row.updatedBy as Actor,
    deletedAt: row.deletedAt?.toISOString() ?? null,
    name: row.name,
    bytes: Number(row.bytes),
    type: row.type,
    detectedType: row.detectedType,
    sha256: row.sha256,
    // The table's check allows no other.
    status: row.status as FileStatus,
    uploadedAt: row.uploadedAt?.toISOString() ?? null,
    quarantineReason: row.quarantineReason,
  }
}

/** Whether files of the workspace wait for a scanner. */
export const holdsFiles = query(
  { isHeld: column.bool },
  (workspaceId: string) => Prisma.sql`SELECT hold_files AS "isHeld" FROM workspace WHERE id = ${workspaceId}::uuid`,
)

/** The newest secret of a key, by which a gateway finds the key. A key may act in other workspaces than its own. */
export const newestSecret = query(
  { hash: column.text },
  (keyId: string) => Prisma.sql`
    SELECT encode(s.hash, 'hex') AS hash FROM api_key k
    JOIN api_key_secret s ON s.workspace_id = k.workspace_id AND s.api_key_id = k.id
    WHERE k.id = ${keyId}::uuid ORDER BY s.created_at DESC LIMIT 1`,
)

// The bytes in the store. A blob is written down before its first byte comes, so that whatever dies on the way, its
// remains are found and removed.

export const announceBlob = command(
  (workspaceId: string, id: string, removableAt: Date) => Prisma.sql`
    INSERT INTO file_blob (workspace_id, id, removable_at) VALUES (${workspaceId}::uuid, ${id}::uuid, ${removableAt})`,
)

/** Changes nothing where it was given up meanwhile. */
export const keepBlob = command(
  (workspaceId: string, id: string) => Prisma.sql`
    UPDATE file_blob SET removable_at = NULL
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid AND removable_at IS NOT NULL`,
)

export const giveUpBlob = command(
  (workspaceId: string, id: string) => Prisma.sql`
    UPDATE file_blob SET removable_at = now() WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`,
)

export const removableBlobs = query(
  { workspaceId: column.uuid, id: column.uuid },
  (max: number) => Prisma.sql`
    SELECT workspace_id AS "workspaceId", id FROM file_blob
    WHERE removable_at < now() ORDER BY removable_at LIMIT ${max}::int`,
)

/** Of another attempt to remove it than this one, the time is later. */
export const postponeBlob = command(
  (workspaceId: string, id: string, seconds: number) => Prisma.sql`
    UPDATE file_blob SET removable_at = now() + ${seconds}::int * interval '1 second'
    WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid`,
)

export const forgetBlob = command(
  (workspaceId: string, id: string) => Prisma.sql`
    DELETE FROM file_blob WHERE workspace_id = ${workspaceId}::uuid AND id = ${id}::uuid AND removable_at IS NOT NULL`,
)

/** Files that were announced long ago, and whose bytes have not come. */
export const deleteUnfinished = command(
  (hours: number, max: number) => Prisma.sql`
    DELETE FROM file t USING (
      SELECT d.workspace_id, d.id FROM file d JOIN event_sequence s ON s.workspace_id = d.workspace_id
      WHERE d.status = 'awaiting_upload' AND d.created_at < now() - ${hours}::int * interval '1 hour'
        AND ${isNotHeld('d')}
      LIMIT ${max}::int FOR UPDATE SKIP LOCKED
    ) d
    WHERE t.workspace_id = d.workspace_id AND t.id = d.id`,
)

/** What is left of a file after its days are over: nothing of its content, even where objects name it still. */
export const emptyDeleted = command(
  (days: number, max: number) => Prisma.sql`
    UPDATE file t SET name = '', bytes = 0, sha256 = NULL, detected_type = NULL, quarantine_reason = NULL,
      blob_id = NULL, purged_at = now()
    FROM (
      SELECT d.workspace_id, d.id FROM file d JOIN event_sequence s ON s.workspace_id = d.workspace_id
      WHERE d.purged_at IS NULL AND d.deleted_at < now() - ${days}::int * interval '1 day'
        AND ${isNotHeld('d')}
      LIMIT ${max}::int FOR UPDATE SKIP LOCKED
    ) d
    WHERE t.workspace_id = d.workspace_id AND t.id = d.id`,
)
