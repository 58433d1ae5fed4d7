// Jobs, and the statements by which a service takes one, writes down its progress and reads its files.
import { gzipSync } from 'node:zlib'
import {
  jobFilesBytesMax,
  jobKeptDays,
  openJobsMax,
  type Job,
  type JobStatus,
  type JobKind,
  type JobRequest,
} from '#contract/jobs.ts'
import type { Actor } from '#contract/shared-fields.ts'
import type { Database } from '#prisma/client.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { column, command, query } from '#prisma/statements.ts'
import { transact } from '#prisma/transaction.ts'
import { assertHolds } from '../execution/authorize.ts'
import type { Call, Db } from '../execution/call.ts'
import { notFoundById } from '../faults/shared-faults.ts'
import { endBytes, endOfGzip, type GzipPiece, type GzipState } from './gzip.ts'

/** The files that a job writes. */
export type FileName = 'result' | 'refusals'
export type JobFiles = { readonly [N in FileName]?: GzipState }
/** What came with an import, and its rows that are still to be written, in pieces. */
const inputFile = 'input'
const rowsFile = 'rows'
type Piece = Pick<GzipPiece, 'number' | 'start' | 'bytes'> & { readonly file: FileName | typeof rowsFile }
type Failure = { readonly code: string; readonly detail: string }

export type JobRow = Omit<Prisma.JobGetPayload<object>, 'leaseOwner' | 'leaseUntil' | 'failures' | 'position'>

const dayMs = 86_400_000

export const toJob = (row: JobRow): Job => ({
  id: row.id,
  object: 'job',
  workspaceId: row.workspaceId,
  // The table's checks allow no other values.
  kind: row.kind as JobKind,
  status: row.status as JobStatus,
  failure: row.failure as Failure | null,
  request: row.request as JobRequest,
  scopes: row.scopes,
  total: row.total,
  done: row.done,
  refused: row.refused,
  sequence: Number(row.sequence),
  result: shownFile(row, 'result'),
  refusals: shownFile(row, 'refusals'),
  createdAt: row.createdAt.toISOString(),
  createdBy: row.createdBy as Actor,
  updatedAt: row.updatedAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
  expiresAt: row.endedAt === null ? null : new Date(row.endedAt.getTime() + jobKeptDays * dayMs).toISOString(),
})

/** Null before there is one to download: an export once it has completed, any other file once the job has ended. */
export function fileIn(
  { kind, files, status, endedAt }: Pick<JobRow, 'kind' | 'files' | 'status' | 'endedAt'>,
  name: FileName,
) {
  const isThere = name === 'result' && kind === 'export' ? status === 'completed' : endedAt !== null
  return (isThere && (files as JobFiles)[name]) || null
}

function shownFile(row: JobRow, name: FileName): Job['result'] {
  const file = fileIn(row, name)
  return file && { rows: file.rows, bytes: file.bytes + endBytes }
}

type JobCall = Pick<Call, 'db' | 'workspaceId' | 'principal'>

/** Throws `insufficient_scope` for a job that works with scopes that the caller does not hold. */
export async function findJob({ db, workspaceId, principal }: JobCall, id: string): Promise<JobRow> {
  const row = await db.job.findUnique({ where: { workspaceId_id: { workspaceId, id } } })
  if (row === null) throw notFoundById('job')
  assertHolds(row.scopes, principal.scopes, 'For what this job works with')
  return row
}

/** Under the workspace lock, so that two do not both find room. */
export const hasRoom = async (db: Db, workspaceId: string): Promise<boolean> =>
  (await db.job.count({ where: { workspaceId, endedAt: null } })) < openJobsMax

/** The position of the feed. Under the workspace lock nothing is added to it. */
export async function lastSequence(db: Db, workspaceId: string): Promise<bigint> {
  const row = await db.eventSequence.findUniqueOrThrow({ where: { workspaceId }, select: { last: true } })
  return row.last
}

/** A job that this service works on for as long as it holds the lease. */
export type TakenJob = {
  readonly workspaceId: string
  readonly id: string
  readonly kind: JobKind
  readonly keyId: string
  readonly scopes: readonly string[]
  readonly request: JobRequest
  readonly position: unknown
  readonly files: JobFiles
  readonly sequence: bigint
  readonly createdAt: Date
  readonly failures: number
  readonly owner: string
}

const leaseSeconds = 60

const takeNextRow = query(
  {
    workspaceId: column.uuid,
    id: column.uuid,
    kind: column.text.of<JobKind>(),
    keyId: column.uuid,
    scopes: column.text.list.present,
    request: column.json.of<JobRequest>(),
    position: column.json.orNull,
    files: column.json.of<JobFiles>(),
    sequence: column.bigint,
    createdAt: column.time,
    failures: column.int,
  },
  (owner: string) => Prisma.sql`
    UPDATE job SET status = 'running', lease_owner = ${owner}::uuid,
      lease_until = now() + ${leaseSeconds}::int * interval '1 second', updated_at = now()
    WHERE (workspace_id, id) = (
      SELECT j.workspace_id, j.id FROM job j
      WHERE j.ended_at IS NULL AND j.status IN ('queued', 'running')
        AND (j.lease_until IS NULL OR j.lease_until < now())
        AND NOT EXISTS (SELECT FROM job earlier WHERE earlier.workspace_id = j.workspace_id AND earlier.id < j.id
          AND earlier.ended_at IS NULL AND earlier.status IN ('queued', 'running'))
      ORDER BY j.updated_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING workspace_id AS "workspaceId", id, kind, key_id AS "keyId", scopes, request, position, files, sequence,
      created_at AS "createdAt", failures`,
)

/**
 * Takes the job that was worked on least lately, so that workspaces take turns. Of each workspace the oldest is done
 * first. One whose service has not come back within the lease is taken from it.
 */
export async function takeNext(db: Database, owner: string): Promise<TakenJob | undefined> {
  const [row] = await takeNextRow(db, owner)
  return row && { ...row, owner }
}

export type Step = {
  readonly position: unknown
  readonly files?: JobFiles
  /** What this step has added to the files. */
  readonly pieces?: readonly Piece[]
  /** The piece of rows that this step has written. */
  readonly written?: number
  readonly total?: number
  readonly done?: number
  readonly refused?: number
  /** The job has done all. */
  readonly completed?: boolean
  /** The rest would be refused as well. */
  readonly failure?: Failure
}

/**
 * Writes down a step, together with what it has added to the files. False where the job was cancelled meanwhile, or is
 * another service's by now: then nothing of the step is kept.
 */
export const writeStep = (db: Database, job: TakenJob, step: Step): Promise<boolean> =>
  transact(db, async (tx) => {
    const { workspaceId, id, owner } = job
    const now = new Date()
    const { count } = await tx.job.updateMany({
      where: { workspaceId, id, leaseOwner: owner, endedAt: null },
      data: {
        position: step.position as Prisma.InputJsonValue,
        files: step.files ?? job.files,
        ...(step.total !== undefined && { total: step.total }),
        done: { increment: step.done ?? 0 },
        refused: { increment: step.refused ?? 0 },
        failures: 0,
        updatedAt: now,
        leaseUntil: new Date(now.getTime() + leaseSeconds * 1_000),
        ...(step.completed && { status: 'completed', endedAt: now }),
        ...(step.failure && { status: 'failed', failure: step.failure, endedAt: now }),
      },
    })
    if (count === 0) return false
    const rows = (step.pieces ?? []).map(({ file, number, start, bytes }) => ({
      workspaceId,
      jobId: id,
      file,
      number,
      start,
      bytes: new Uint8Array(bytes),
    }))
    if (rows.length > 0) await tx.jobChunk.createMany({ data: rows })
    if (step.written !== undefined)
      await tx.jobChunk.deleteMany({ where: { workspaceId, jobId: id, file: rowsFile, number: step.written } })
    return true
  })

/** Lets others take it. */
export async function release(db: Db, { workspaceId, id, owner }: TakenJob): Promise<void> {
  const data = { leaseOwner: null, leaseUntil: null }
  await db.job.updateMany({ where: { workspaceId, id, leaseOwner: owner }, data })
}

/** Nobody takes it for so long, after a step that failed. */
export async function postpone(db: Db, { workspaceId, id, owner }: TakenJob, ms: number): Promise<void> {
  const data = { leaseOwner: null, leaseUntil: new Date(Date.now() + ms), failures: { increment: 1 } }
  await db.job.updateMany({ where: { workspaceId, id, leaseOwner: owner }, data })
}

export async function fail(db: Db, { workspaceId, id, owner }: TakenJob, failure: Failure): Promise<void> {
  const now = new Date()
  await db.job.updateMany({
    where: { workspaceId, id, leaseOwner: owner, endedAt: null },
    data: { status: 'failed', failure, endedAt: now, updatedAt: now },
  })
}

export async function cancel(
  db: Db,
  { workspaceId, id }: Pick<JobRow, 'workspaceId' | 'id'>,
  now: Date,
): Promise<void> {
  await db.job.updateMany({
    where: { workspaceId, id, endedAt: null },
    data: { status: 'cancelled', endedAt: now, updatedAt: now },
  })
}

/** Jobs that have ended and of which nobody was told yet. */
export const untold = (db: Db, max: number): Promise<{ workspaceId: string; id: string }[]> =>
  db.job.findMany({
    where: { endedAt: { not: null }, toldAt: null },
    select: { workspaceId: true, id: true },
    orderBy: { endedAt: 'asc' },
    take: max,
  })

/** Null where another service has told of it meanwhile. */
export async function markTold(db: Db, workspaceId: string, id: string, now: Date): Promise<JobRow | null> {
  const { count } = await db.job.updateMany({ where: { workspaceId, id, toldAt: null }, data: { toldAt: now } })
  return count === 0 ? null : db.job.findUniqueOrThrow({ where: { workspaceId_id: { workspaceId, id } } })
}

type ChunkPlace = { readonly workspaceId: string; readonly jobId: string; readonly file: FileName }

const chunkColumns = { number: column.int, start: column.int, bytes: column.bytes }

const chunkAt = query(
  chunkColumns,
  ({ workspaceId, jobId, file }: ChunkPlace, from: number) => Prisma.sql`
    SELECT number, start, bytes FROM job_chunk
    WHERE workspace_id = ${workspaceId}::uuid AND job_id = ${jobId}::uuid AND file = ${file} AND start <= ${from}::int
    ORDER BY number DESC LIMIT 1`,
)

const chunkNumbered = query(
  chunkColumns,
  ({ workspaceId, jobId, file }: ChunkPlace, number: number) => Prisma.sql`
    SELECT number, start, bytes FROM job_chunk
    WHERE workspace_id = ${workspaceId}::uuid AND job_id = ${jobId}::uuid AND file = ${file} AND number = ${number}::int`,
)

type Part = { readonly from: number; readonly to: number }

/**
 * The bytes of a file from one position up to another, which is not part of it. `read` is called once for each piece,
 * when the one before is taken: nothing is held for a reader who waits.
 */
export async function* fileBytes(
  read: <T>(from: (db: Db) => Promise<T>) => Promise<T>,
  place: ChunkPlace & { readonly state: GzipState },
  { from, to }: Part,
): AsyncGenerator<Uint8Array> {
  const { bytes: stored } = place.state
  let at = from
  let [chunk] = at < stored ? await read((db) => chunkAt(db, place, at)) : []
  while (at < Math.min(to, stored)) {
    if (chunk === undefined) throw new Error(`Job ${place.jobId} was deleted while its ${place.file} was read`)
    const { number, start, bytes } = chunk
    yield bytes.subarray(at - start, Math.min(bytes.length, to - start))
    at = start + bytes.length
    if (at < Math.min(to, stored)) [chunk] = await read((db) => chunkNumbered(db, place, number + 1))
  }
  if (to > stored) yield endOfGzip(place.state).subarray(Math.max(0, at - stored), to - stored)
}

export async function keepInput(db: Db, { workspaceId, id }: Pick<JobRow, 'workspaceId' | 'id'>, text: string) {
  const bytes = new Uint8Array(gzipSync(text))
  await db.jobChunk.create({ data: { workspaceId, jobId: id, file: inputFile, number: 0, start: 0, bytes } })
}

/** The bytes of the file that is imported. */
export async function* inputOf(db: Db, { workspaceId, id }: TakenJob): AsyncGenerator<Uint8Array> {
  const place = { workspaceId, jobId: id, file: inputFile, number: 0 }
  const { bytes } = await db.jobChunk.findUniqueOrThrow({ where: { workspaceId_jobId_file_number: place } })
  yield bytes
}

/** A piece of the rows of an import. */
export async function readRows(db: Db, { workspaceId, id }: TakenJob, number: number): Promise<Uint8Array> {
  const place = { workspaceId, jobId: id, file: rowsFile, number }
  const { bytes } = await db.jobChunk.findUniqueOrThrow({ where: { workspaceId_jobId_file_number: place } })
  return bytes
}

/** Deletes jobs that were kept long enough, with their files. */
const deleteOutdatedJobs = command(
  (max: number) => Prisma.sql`
    DELETE FROM job WHERE (workspace_id, id) IN (
      SELECT workspace_id, id FROM job WHERE ended_at < now() - ${jobKeptDays}::int * interval '1 day'
      ORDER BY ended_at LIMIT ${max}::int FOR UPDATE SKIP LOCKED)`,
)

/** Deletes the oldest jobs of a workspace whose files are more than it may have. */
const deleteExcessJobs = command(
  (max: number) => Prisma.sql`
    DELETE FROM job WHERE (workspace_id, id) IN (
      SELECT workspace_id, id FROM (
        SELECT workspace_id, id, sum((SELECT coalesce(sum((file ->> 'bytes')::bigint), 0) FROM jsonb_each(files) AS each (name, file)))
          OVER (PARTITION BY workspace_id ORDER BY ended_at DESC, id DESC) AS bytes
        FROM job WHERE ended_at IS NOT NULL) newest
      WHERE bytes > ${jobFilesBytesMax}::bigint LIMIT ${max}::int)`,
)

/** Deletes what nobody can download: what was imported, and exports that did not complete. */
const deleteUselessChunks = command(
  (max: number) => Prisma.sql`
    DELETE FROM job_chunk WHERE (workspace_id, job_id, file, number) IN (
      SELECT c.workspace_id, c.job_id, c.file, c.number FROM job j
      JOIN job_chunk c ON c.workspace_id = j.workspace_id AND c.job_id = j.id
      WHERE j.ended_at < now() - interval '1 minute'
        AND (c.file IN ('rows', 'input') OR (c.file = 'result' AND j.kind = 'export' AND j.status <> 'completed'))
      LIMIT ${max}::int)`,
)

const deletedMax = 100

/** What is left over is deleted the next time. */
export async function cleanJobs(db: Db): Promise<void> {
  for (const remove of [deleteOutdatedJobs, deleteExcessJobs, deleteUselessChunks]) await remove(db, deletedMax)
}
