// The operations on jobs: started, listed, read, cancelled, and their files downloaded. run-jobs.ts does the work.
import {
  jobRowsMax,
  openJobsMax,
  type cancelJob,
  type createJob,
  type Job,
  type getJobResult,
  type JobKind,
  type JobRequest,
  type listJobs,
} from '#contract/jobs.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { FileBody } from '#contract/file-answer.ts'
import { covers, scopes, type Scope } from '#contract/scopes.ts'
import type { Database } from '#prisma/client.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { newId } from '#runtime/new-id.ts'
import { keyset, type Pager } from '../collection/pagination.ts'
import { assertHolds } from '../execution/authorize.ts'
import type { Call, Handle, Handler, Handlers } from '../execution/call.ts'
import type { DatabaseSlots } from '../execution/database-slots.ts'
import { invalidField } from '../faults/shared-faults.ts'
import { endBytes } from './gzip.ts'
import { assertRowsFile } from './file-rows.ts'
import {
  assertChanges,
  assertFieldsOf,
  assertImport,
  filterFor,
  placed,
  resourcesFor,
  scopesOfChange,
  scopesOfExport,
} from './requests.ts'
import { cancel, fileBytes, fileIn, findJob, hasRoom, keepInput, lastSequence, toJob, type FileName } from './rows.ts'

type JobDeps = {
  readonly pager: Pager
  readonly db: Database
  readonly slots: Pick<DatabaseSlots, 'read'>
  /** The product's own handlers. */
  readonly handle: Handle
}

export const jobHandlers = (parts: JobDeps) =>
  ({
    'jobs.create': create(parts),
    'jobs.list': list(parts.pager),
    'jobs.get': async ({ id }, call) => toJob(await findJob(call, id)),
    'jobs.cancel': cancelOne,
    'jobs.result': download(parts, 'result'),
    'jobs.refusals': download(parts, 'refusals'),
  }) satisfies Partial<Handlers>

const create =
  (parts: JobDeps): Handler<typeof createJob> =>
  async ({ kind, ...asked }, call) => {
    const { scopes: held } = call.principal
    // A dry run that is none is as if it had not been named.
    const { dryRun = false, text, ...given } = asked
    assertFieldsOf(kind, { ...given, ...(dryRun && { dryRun }), ...(text !== undefined && { text }) })
    if (kind === 'export') {
      const resources = resourcesFor(given.resources, held)
      return insert(call, { kind, request: { resources }, scopes: scopesOfExport(resources, held) })
    }
    const { resource = 'tasks', confirmedTotal } = given
    const needed = scopesOfChange(kind, resource)
    assertHolds(needed, held, 'For this job')
    if (kind === 'import') {
      assertImport(given)
      const request = { ...given, ...(dryRun && { dryRun }) }
      const scopes = await scopesOfRows(given, text, needed, call)
      return insert(call, { kind, request, scopes, ...(text !== undefined && { text }) })
    }
    if (kind === 'update') assertChanges(given)
    const total = await countMatching(parts, given, call)
    if (dryRun) return { object: 'job_estimate', workspaceId: call.workspaceId, kind, request: given, total }
    assertConfirmed(total, confirmedTotal)
    return insert(call, { kind, request: given, scopes: needed, total })
  }

/** The rows come with the call or from a file: exactly one of both. */
async function scopesOfRows(
  { fileId }: JobRequest,
  text: string | undefined,
  needed: readonly Scope[],
  { db, workspaceId, principal }: Call,
): Promise<readonly Scope[]> {
  if (fileId === undefined) {
    if (text === undefined) throw invalidField('text', 'required', 'An import needs its rows: `text` or `fileId`.')
    return needed
  }
  if (text !== undefined) throw invalidField('fileId', 'not_in_list', 'The rows are in `text`: send only one of both.')
  const ofFile: Scope = 'files:read'
  assertHolds([ofFile], principal.scopes, 'For rows from a file')
  await assertRowsFile(db, workspaceId, fileId)
  return [...needed, ofFile]
}

async function countMatching({ handle }: JobDeps, request: JobRequest, call: Call): Promise<number> {
  try {
    const filter = filterFor(request)
    const { total } = (await handle(`${request.resource}.count`, filter, call)) as { readonly total: number }
    return total
  } catch (thrown) {
    // What only the database knows is refused as of the count, such as an unknown custom field.
    throw thrown instanceof Fault && thrown.code === 'invalid_parameter' ? placed('/filter', thrown) : thrown
  }
}

function assertConfirmed(total: number, confirmed: number | undefined): void {
  if (confirmed === undefined)
    throw invalidField('confirmedTotal', 'required', `${total} match. Send the number of a dry run.`)
  if (total <= confirmed && total <= jobRowsMax) return
  if (total > jobRowsMax)
    throw new Fault('limit_reached', `${total} match, and one job changes at most ${jobRowsMax}.`, {
      limit: jobRowsMax,
    })
  throw new Fault('precondition_failed', `${total} match by now, more than were confirmed.`, { total })
}

type NewJob = {
  readonly kind: JobKind
  readonly request: JobRequest
  readonly scopes: readonly Scope[]
  readonly total?: number
  /** The rows of an import. */
  readonly text?: string
}

async function insert(call: Call, job: NewJob) {
  const { db, workspaceId, principal, actor, now } = call
  if (!(await hasRoom(db, workspaceId)))
    throw new Fault('limit_reached', `${openJobsMax} jobs of this workspace wait or run already.`, {
      limit: openJobsMax,
    })
  const { scopes: needed, request, text, ...rest } = job
  const row = await db.job.create({
    data: {
      ...rest,
      // It came as JSON.
      request: request as Prisma.InputJsonObject,
      scopes: [...needed],
      workspaceId,
      id: newId(now),
      status: 'queued',
      keyId: principal.id,
      sequence: await lastSequence(db, workspaceId),
      files: {},
      createdBy: actor,
      createdAt: now,
      updatedAt: now,
    },
  })
  if (text !== undefined) await keepInput(db, row, text)
  const made = toJob(row)
  call.audit(auditedJob(made))
  return made
}

/** What the job was told to do, without the values that an update writes. */
function auditedJob({ object, id, kind, request: { changes, ...request }, total }: Job): object {
  return { object, id, kind, ...request, ...(changes && { changedFields: Object.keys(changes) }), total }
}

const list =
  (pager: Pager): Handler<typeof listJobs> =>
  async (input, { db, workspaceId, principal }) => {
    const paging = pager.open('jobs.list', workspaceId, input, '-createdAt')
    const { where: beyond, ...page } = keyset(paging)
    const { kind, status } = input
    const hidden = scopes.filter((scope) => !covers(principal.scopes, scope))
    const filter = {
      workspaceId,
      ...(kind && { kind: { in: kind } }),
      ...(status && { status: { in: status } }),
      NOT: { scopes: { hasSome: hidden } },
    }
    const rows = await db.job.findMany({ where: { AND: [filter, beyond] }, ...page })
    return pager.page(rows, paging, (row) => row.createdAt.toISOString(), toJob)
  }

const cancelOne: Handler<typeof cancelJob> = async ({ id }, call) => {
  const before = await findJob(call, id)
  await cancel(call.db, before, call.now)
  const after = toJob(await findJob(call, id))
  if (after.status !== before.status)
    call.audit({ object: after.object, id, status: after.status }, { status: before.status })
  return after
}

const fileNames: Readonly<Record<FileName, string>> = { result: '', refusals: '-refusals' }

/** Each piece is read with a database slot of its own, which is free while the caller takes the piece. */
const download =
  ({ db, slots }: JobDeps, file: FileName): Handler<typeof getJobResult> =>
  async ({ id }, call): Promise<FileBody> => {
    const { workspaceId, principal, signal } = call
    const job = await findJob(call, id)
    const state = fileIn(job, file)
    if (state === null) throw new Fault('not_found', `The job is ${job.status}, and has no such file.`)
    return {
      fileName: `${job.kind}-${id}${fileNames[file]}.ndjson.gz`,
      bytes: state.bytes + endBytes,
      etag: `"${id}${fileNames[file]}"`,
      read: (from, to) =>
        fileBytes(
          (work) => slots.read({ ...principal, work: 'jobs.result' }, signal, () => work(db)),
          { workspaceId, jobId: id, file, state },
          { from, to },
        ),
    }
  }
