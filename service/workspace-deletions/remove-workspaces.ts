// Removes workspaces whose time is over, in batches, table by table: those first whose rows refer to others. What is
// gone is counted in the transaction that removes it, on the record that becomes the certificate. A process that dies
// leaves nothing to be known: the next one finds what is left. Several services take turns, a batch each.
import type { KeyChange } from '#contract/internal/gateway-endpoints.ts'
import type { Database } from '#prisma/client.ts'
import { transact } from '#prisma/transaction.ts'
import type { Db } from '../execution/call.ts'
import type { ChangeDeps } from '../execution/change.ts'
import { acquireWorkspaceLock } from '../execution/workspace-lock.ts'
import type { FileStore } from '../files/store.ts'
import { lockWorkspaceRow } from '../workspaces/rows.ts'
import { removalOrder } from './rules.ts'
import {
  anyRow,
  beginRemoval,
  blobsOf,
  clearOwnReferences,
  countRemoved,
  deleteKeys,
  deleteMembers,
  deleteRows,
  deleteStrandedAccounts,
  finishRemoval,
  forgetBlobs,
  lockRemoval,
  nextRemoval,
  workspaceTables,
  type WorkspaceTable,
} from './rows.ts'

type RemovalDeps = Pick<ChangeDeps, 'recordKeyChanges' | 'notifyKeyChange'> & {
  readonly db: Database
  readonly fileStore: Pick<FileStore, 'remove'>
  /** Rows of a batch; a test takes fewer. */
  readonly rowsMax?: number
}

const batchRowsMax = 500
const blobsMax = 50
/** A run ends after so long, so that a process that is to stop does not wait for it. */
const worksForMs = 2_000
/** Between two batches: others have their turn on an embedded database. */
export const pauseMs = 20

/** Returns whether there may be more to do at once. */
export async function removeWorkspaces(deps: RemovalDeps): Promise<boolean> {
  const [due] = await nextRemoval(deps.db)
  if (due === undefined) return false
  const { id } = due
  if (!due.isBegun && !(await begin(deps.db, id))) return true
  const until = Date.now() + worksForMs
  if (!(await removeBlobs(deps, id, until))) return true
  for (const table of removalOrder(await workspaceTables(deps.db)))
    if (!(await empty(deps, table, id, until))) return true
  await finish(deps.db, id)
  return true
}

/** After the changes that are under way. Returns false where it was taken back, or a hold was set meanwhile. */
const begin = (db: Database, id: string): Promise<boolean> =>
  transact(db, async (tx) => {
    await acquireWorkspaceLock(tx, id)
    await lockWorkspaceRow(tx, id)
    return (await beginRemoval(tx, id)) > 0
  })

/** Bytes go before what says where they are. Returns false where there is more, or another service is at it. */
async function removeBlobs({ db, fileStore }: RemovalDeps, id: string, until: number): Promise<boolean> {
  for (;;) {
    const blobs = (await blobsOf(db, id, blobsMax)).map((blob) => blob.id)
    if (blobs.length === 0) return true
    if (Date.now() > until) return false
    for (const blob of blobs) await fileStore.remove({ workspaceId: id, id: blob })
    const isOurs = await recorded(db, id, async (tx) => ({ file_blob: await forgetBlobs(tx, id, blobs) }))
    if (isOurs === null) return false
  }
}

/** Returns false where there is more, or another service is at it. */
async function empty(deps: RemovalDeps, table: WorkspaceTable, id: string, until: number): Promise<boolean> {
  const { rowsMax = batchRowsMax } = deps
  while (await hasRows(deps.db, table, id)) {
    if (Date.now() > until) return false
    const keyChanges: KeyChange[] = []
    const counts = await recorded(deps.db, id, async (tx) => {
      // Those that refer to each other first lose that.
      if (table.ownColumns.length > 0 && (await clearOwnReferences(tx, table, id, rowsMax)) > 0) return {}
      if (table.name === 'member') return removeMembers(tx, id, rowsMax)
      if (table.name !== 'api_key') return { [table.countedAs]: await deleteRows(tx, table, id, rowsMax) }
      const keys = await deleteKeys(tx, id, rowsMax)
      keyChanges.push(...keys.map((key) => ({ kind: 'api-key' as const, id: key.id })))
      await deps.recordKeyChanges(tx, keyChanges)
      return { api_key: keys.length }
    })
    if (counts === null) return false
    keyChanges.forEach(deps.notifyKeyChange)
  }
  return true
}

const hasRows = async (db: Db, table: WorkspaceTable, id: string): Promise<boolean> =>
  (await anyRow(db, table, id))[0]?.found === true

/** Members, and the accounts of people who are a member of no other workspace. */
async function removeMembers(tx: Db, id: string, max: number): Promise<Readonly<Record<string, number>>> {
  const members = await deleteMembers(tx, id, max)
  const accounts = members.flatMap(({ accountId }) => (accountId === null ? [] : [accountId]))
  return { member: members.length, account: await deleteStrandedAccounts(tx, accounts) }
}

type Counts = Readonly<Record<string, number>>

/** Removes something and counts it, or neither. Returns null where another service has the record. */
const recorded = (db: Database, id: string, remove: (tx: Db) => Promise<Counts>): Promise<Counts | null> =>
  transact(db, async (tx) => {
    if ((await lockRemoval(tx, id)).length === 0) return null
    const counts = await remove(tx)
    for (const [table, count] of Object.entries(counts)) if (count > 0) await countRemoved(tx, id, table, count)
    return counts
  })

/** The workspace goes once nothing else is left: what came in meanwhile is found by the next run. */
async function finish(db: Database, id: string): Promise<void> {
  const tables = await workspaceTables(db)
  await recorded(db, id, async (tx) => {
    for (const table of tables) if (table.name !== 'workspace' && (await hasRows(tx, table, id))) return {}
    const workspace = tables.filter(({ name }) => name === 'workspace')
    for (const table of workspace) await countRemoved(tx, id, 'workspace', await deleteRows(tx, table, id, 1))
    await finishRemoval(tx, id)
    return {}
  })
}
