// The steps of an export: the objects are counted, then written page by page, in the order of the resources. What is
// read is what the API's own lists give to the key.
import { Document, contentPageItemsMax } from '#contract/documents.ts'
import { exportedResources, type ExportedResource } from '#contract/jobs.ts'
import { commented } from '#contract/comments.ts'
import { pageItemsMax } from '#contract/pagination.ts'
import { covers, type CollectedSegment } from '#contract/scopes.ts'
import type { Database } from '#prisma/client.ts'
import type { CallAs } from './call-as.ts'
import { appendLines, emptyGzip, type GzipPiece } from './gzip.ts'
import type { Step, TakenJob } from './rows.ts'

type Counts = Partial<Record<ExportedResource, number>>
/** `at`: of the resources. `after`: the cursor. */
type Position = { readonly at: number; readonly after: string | null; readonly counts: Counts }
type Page = { readonly rows: readonly object[]; readonly after: string | null }

export async function exportStep(db: Database, job: TakenJob, call: CallAs): Promise<Step> {
  const { resources = exportedResources } = job.request
  const position = job.position as Position | null
  if (position === null) return begin(db, job, call, resources)
  const resource = resources[position.at]
  const written = job.files.result ?? emptyGzip
  if (resource === undefined) {
    const last = appendLines(written, [{ object: 'export_end', counts: position.counts }])
    return { ...added(last), position, completed: true }
  }
  const { rows, after } = await pageOf(job, call, resource, position.after)
  const counts = { ...position.counts, [resource]: (position.counts[resource] ?? 0) + rows.length }
  const next: Position = after === null ? { at: position.at + 1, after, counts } : { ...position, after, counts }
  if (rows.length === 0) return { position: next }
  return { ...added(appendLines(written, rows)), position: next, done: rows.length }
}

async function begin(db: Database, job: TakenJob, call: CallAs, resources: readonly ExportedResource[]): Promise<Step> {
  let total = 0
  for (const resource of resources) total += await countOf(db, job, call, resource)
  const { id, workspaceId, sequence, createdAt } = job
  const first = { object: 'export', id, workspaceId, sequence: Number(sequence), createdAt, resources }
  const position: Position = { at: 0, after: null, counts: Object.fromEntries(resources.map((each) => [each, 0])) }
  return { ...added(appendLines(emptyGzip, [first])), position, total }
}

const added = (piece: GzipPiece): Pick<Step, 'files' | 'pieces'> => ({
  files: { result: piece.state },
  pieces: [{ ...piece, file: 'result' }],
})

async function countOf(db: Database, job: TakenJob, call: CallAs, resource: ExportedResource): Promise<number> {
  const { workspaceId } = job
  if (resource === 'members') return db.member.count({ where: { workspaceId, deletedAt: null } })
  if (resource === 'custom-fields') return db.customField.count({ where: { workspaceId } })
  if (resource === 'files')
    return db.file.count({ where: { workspaceId, deletedAt: null, purgedAt: null, createdAt: { lt: job.createdAt } } })
  const { total } = (await call(`${resource}.count`, filterOf(job, resource))) as { readonly total: number }
  return total
}

async function pageOf(job: TakenJob, call: CallAs, resource: ExportedResource, after: string | null): Promise<Page> {
  const input = { ...listInput(job, resource), ...(after !== null && { cursor: after }) }
  const { data, page } = (await call(`${resource}.list`, input)) as {
    readonly data: readonly { readonly createdAt: string }[]
    readonly page: { readonly nextCursor: string | null }
  }
  // The list of files has no such filter.
  const isEarlier = ({ createdAt }: { readonly createdAt: string }) => Date.parse(createdAt) < job.createdAt.getTime()
  return { rows: resource === 'files' ? data.filter(isEarlier) : data, after: page.nextCursor }
}

function listInput(job: TakenJob, resource: ExportedResource): Readonly<Record<string, unknown>> {
  if (resource === 'custom-fields') return { limit: pageItemsMax, includeArchived: true }
  if (resource === 'members') return { limit: pageItemsMax, sort: 'createdAt', ...until(job) }
  if (resource === 'files') return { limit: pageItemsMax, sort: 'createdAt' }
  const oldestFirst = { sort: ['createdAt'], ...filterOf(job, resource) }
  // Their content is shown where it is asked for.
  if (resource === 'documents')
    return { ...oldestFirst, limit: contentPageItemsMax, fields: Object.keys(Document.properties) }
  return { ...oldestFirst, limit: pageItemsMax }
}

/** What is made later is in the feed after the job's sequence. */
const until = ({ createdAt }: TakenJob) => ({ createdBefore: createdAt.toISOString() })

/** Archived ones are exported, too; comments are on what the job may read. */
const filterOf = (job: TakenJob, resource: CollectedSegment): Readonly<Record<string, unknown>> => ({
  ...until(job),
  ...((resource === 'projects' || resource === 'documents') && { includeArchived: true }),
  ...(resource === 'comments' && { subjectType: commented.filter((each) => covers(job.scopes, `${each}:read`)) }),
})
