// The steps of an export: the objects are counted, then written page by page, in the order of the resources. What is
// read is what the API's own lists give to the key.
import { Document, contentPageItemsMax } from '#contract/documents.ts'
import { exportedResources, type ExportedResource } from '#contract/jobs.ts'
import { commented } from '#contract/comments.ts'
import type { CollectionSegment } from '#contract/scopes.ts'
import { pageItemsMax } from '#contract/pagination.ts'
import { covers } from '#contract/scopes.ts'
import type { Database } from '#prisma/client.ts'
import { commentsAfter, countComments } from '../comments/rows.ts'
import type { CallAs } from './call-as.ts'
import { appendLines, emptyGzip, type GzipPiece } from './gzip.ts'
import type { Step, TakenJob } from './rows.ts'

type Counts = Partial<Record<ExportedResource, number>>
/** `at`: of the resources; null when all are written. `after`: the cursor, or the last comment. */
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
  const { rows, after } = await pageOf(db, job, call, resource, position.after)
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

const isCollection = (resource: ExportedResource): resource is CollectionSegment =>
  !['members', 'custom-fields', 'comments'].includes(resource)

async function countOf(
  db: Database,
  { workspaceId, scopes, createdAt }: TakenJob,
  call: CallAs,
  resource: ExportedResource,
): Promise<number> {
  if (isCollection(resource)) {
    const { total } = (await call(`${resource}.count`, { ...until(createdAt), ...withArchived(resource) })) as {
      readonly total: number
    }
    return total
  }
  if (resource === 'comments') return countComments(db, workspaceId, commentedIn(scopes), createdAt)
  return resource === 'members'
    ? db.member.count({ where: { workspaceId, deletedAt: null } })
    : db.customField.count({ where: { workspaceId } })
}

/** What is made later is in the feed after the job's sequence. */
const until = (createdAt: Date) => ({ createdBefore: createdAt.toISOString() })

const withArchived = (resource: CollectionSegment) =>
  resource === 'projects' || resource === 'documents' ? { includeArchived: true } : {}

const commentedIn = (scopes: readonly string[]) => commented.filter((segment) => covers(scopes, `${segment}:read`))

async function pageOf(
  db: Database,
  { workspaceId, scopes, createdAt }: TakenJob,
  call: CallAs,
  resource: ExportedResource,
  after: string | null,
): Promise<Page> {
  if (resource === 'comments') {
    const rows = await commentsAfter(db, workspaceId, {
      segments: commentedIn(scopes),
      createdBefore: createdAt,
      after,
      limit: pageItemsMax,
    })
    return { rows, after: rows.length < pageItemsMax ? null : (rows.at(-1)?.id ?? null) }
  }
  const input = { ...listInput(resource, createdAt), ...(after !== null && { cursor: after }) }
  const { data, page } = (await call(`${resource}.list`, input)) as {
    readonly data: readonly object[]
    readonly page: { readonly nextCursor: string | null }
  }
  return { rows: data, after: page.nextCursor }
}

function listInput(
  resource: Exclude<ExportedResource, 'comments'>,
  createdAt: Date,
): Readonly<Record<string, unknown>> {
  if (resource === 'custom-fields') return { limit: pageItemsMax, includeArchived: true }
  if (resource === 'members') return { limit: pageItemsMax, sort: 'createdAt', ...until(createdAt) }
  const oldestFirst = { sort: ['createdAt'], ...until(createdAt), ...withArchived(resource) }
  // Their content is shown where it is asked for.
  if (resource === 'documents')
    return { ...oldestFirst, limit: contentPageItemsMax, fields: Object.keys(Document.properties) }
  return { ...oldestFirst, limit: pageItemsMax }
}
