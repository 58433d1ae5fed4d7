// The lists whose pages are measured, and where in them.
import type { Task } from '#contract/tasks.ts'
import { deriveKey, sign, verify } from '#runtime/sealing-and-signing.ts'
import type { Database } from '../../product/database.ts'
import type { Deployment } from '../../product/settings.ts'

export type Listing = {
  /** As asked over HTTP. */
  readonly search: string
  /** The same in SQL, to find a row far from the beginning. */
  readonly where: string
  readonly order: string
  readonly field: 'createdAt' | 'updatedAt' | 'title' | 'dueDate'
}

const everything = 'deleted_at IS NULL'
const ofStatus = `${everything} AND status = 'todo'`

export const listings: readonly Listing[] = [
  { search: 'sort=-createdAt', where: everything, order: 'created_at DESC, id DESC', field: 'createdAt' },
  { search: 'sort=updatedAt', where: everything, order: 'updated_at, id', field: 'updatedAt' },
  { search: 'sort=title', where: everything, order: 'title, id', field: 'title' },
  { search: 'sort=dueDate', where: everything, order: `coalesce(due_date, 'infinity'), id`, field: 'dueDate' },
  { search: 'status=todo&sort=-createdAt', where: ofStatus, order: 'created_at DESC, id DESC', field: 'createdAt' },
  { search: 'status=todo&sort=updatedAt', where: ofStatus, order: 'updated_at, id', field: 'updatedAt' },
]

type Ask = <T>(path: string) => Promise<T>
type Page = { readonly data: readonly Task[]; readonly page: { readonly nextCursor: string | null } }
export type Depth = { readonly rowsIn: number; readonly cursors: readonly string[] }

/** Deep pages that follow each other, so that not the same rows are asked for each time. */
const pagesInTurn = 16
/** Of all rows that match. */
const depth = 0.9

/**
 * Nobody walks so far to measure one page: the position in a genuine cursor is replaced by that of a row which the
 * database names, and signed anew with the deployment's secret. The pages from there on give their own cursors.
 */
export async function deepIn(
  listing: Listing,
  { database, workspaceId, deployment, limit }: Where,
  ask: Ask,
): Promise<Depth> {
  const path = `/tasks?${listing.search}&limit=${limit}`
  const { id, rowsIn } = await rowDeepIn(listing, database, workspaceId)
  const task = await ask<Task>(`/tasks/${id}`)
  const first = (await ask<Page>(path)).page.nextCursor ?? ''
  const key = deriveKey(deployment.internalSecret, 'cursors')
  const genuine = verify(key, first) as object
  let cursor = sign(key, { ...genuine, id, value: JSON.stringify([task[listing.field] ?? 'infinity']) })
  const cursors = [cursor]
  while (cursors.length < pagesInTurn) {
    cursor = (await ask<Page>(`${path}&cursor=${cursor}`)).page.nextCursor ?? ''
    if (cursor === '') break
    cursors.push(cursor)
  }
  return { rowsIn, cursors }
}

export type Where = {
  readonly database: Database
  readonly workspaceId: string
  readonly deployment: Deployment
  readonly limit: number
}

async function rowDeepIn({ where, order }: Listing, database: Database, workspaceId: string) {
  const matching = `FROM task WHERE workspace_id = '${workspaceId}' AND ${where}`
  const { count } = await database.look<{ count: number }>(`SELECT count(*)::float8 AS count ${matching}`)
  const rowsIn = Math.floor(count * depth)
  const { id } = await database.look<{ id: string }>(
    `SELECT id ${matching} ORDER BY ${order} OFFSET ${rowsIn - 1} LIMIT 1`,
  )
  return { id, rowsIn }
}
