// Deletions of workspaces for good, by the operator: asked for, taken back, and shown. `remove-workspaces.ts` carries
// them out.
import { Fault } from '#contract/faults/fault.ts'
import type { DefaultRates } from '#contract/rate-limits.ts'
import type {
  deleteWorkspace,
  getWorkspaceDeletion,
  listWorkspaceDeletions,
  restoreWorkspace,
} from '#contract/workspace-deletions.ts'
import type { Actor } from '#contract/shared-fields.ts'
import { keyset, type Pager } from '../collection/pagination.ts'
import type { Call, Db, Handler, Handlers } from '../execution/call.ts'
import { assertNoLegalHold, findLegalHold } from '../execution/legal-hold-rows.ts'
import { acquireWorkspaceLock } from '../execution/workspace-lock.ts'
import { invalidParameter, notFoundById } from '../faults/shared-faults.ts'
import { holdPending, lockAnyWebhook, releasePending, updateWebhookRow } from '../webhooks/rows.ts'
import { findWorkspace, lockWorkspaceRow, updateWorkspaceRow, type WorkspaceRow } from '../workspaces/rows.ts'
import { withLimits } from '../workspaces/rules.ts'
import { activeWebhooks, deletionFigures } from './rows.ts'
import { shown } from './rules.ts'

type DeletionDeps = { readonly pager: Pager; readonly rates: DefaultRates; readonly deletionGraceDays: number }

export const workspaceDeletionHandlers = ({ pager, rates, deletionGraceDays }: DeletionDeps) =>
  ({
    'workspaces.delete': remove(deletionGraceDays),
    'workspaces.restore': restore(rates),
    'workspace-deletions.list': list(pager),
    'workspace-deletions.get': get,
  }) satisfies Partial<Handlers>

const dayMs = 86_400_000
/** By this reason the webhooks are known that are enabled when the deletion is taken back. */
const disabledReason = 'The workspace is to be deleted.'

const remove =
  (defaultGraceDays: number): Handler<typeof deleteWorkspace> =>
  async ({ id, confirm, graceDays = defaultGraceDays }, call) => {
    const { db, actor, principal, audit } = call
    const { before, now } = await lockAll(db, id)
    if (confirm !== before.slug)
      throw invalidParameter('confirm', 'not_in_list', `Is not the slug of this workspace, ${before.slug}.`)
    await assertNoLegalHold(db, id)
    if (await db.workspaceDeletion.findUnique({ where: { id } }))
      throw new Fault('invalid_transition', 'The workspace is being deleted already.')
    const after = await suspend(call, before, now.toISOString(), now)
    await disableWebhooks(db, id, actor, now)
    const removeAfter = new Date(now.getTime() + graceDays * dayMs)
    const row = await db.workspaceDeletion.create({
      data: {
        id,
        createdAt: now,
        createdBy: actor,
        requestId: principal.requestId,
        removeAfter,
        wasSuspended: before.suspendedAt !== null,
      },
    })
    audit({ ...after, removeAfter: removeAfter.toISOString() }, { ...before, removeAfter: null })
    return shown(row, false)
  }

const restore =
  (rates: DefaultRates): Handler<typeof restoreWorkspace> =>
  async ({ id }, call) => {
    const { db, actor, audit } = call
    const { before, now } = await lockAll(db, id)
    const deletion = await db.workspaceDeletion.findUnique({ where: { id } })
    if (deletion === null) throw new Fault('not_deleted', 'This workspace is not being deleted.')
    if (deletion.startedAt !== null)
      throw new Fault(
        'invalid_transition',
        'The data of the workspace is being removed: it cannot be taken back any more.',
      )
    await db.workspaceDeletion.delete({ where: { id } })
    const after = await suspend(call, before, deletion.wasSuspended ? before.suspendedAt : null, now)
    await enableWebhooks(db, id, actor, now)
    audit({ ...after, removeAfter: null }, { ...before, removeAfter: deletion.removeAfter.toISOString() })
    return withLimits(after, rates)
  }

/**
 * Changes that are under way end first, and the removal does not begin meanwhile. In the order in which changes lock:
 * the workspace lock, then the row.
 */
async function lockAll(db: Db, id: string): Promise<{ readonly before: WorkspaceRow; readonly now: Date }> {
  await findWorkspace(db, id)
  const { now } = await acquireWorkspaceLock(db, id)
  return { before: await lockWorkspaceRow(db, id), now }
}

async function suspend(
  { db, keysChanged }: Call,
  before: WorkspaceRow,
  suspendedAt: string | null,
  now: Date,
): Promise<WorkspaceRow> {
  const { id, version } = before
  const after = { ...before, suspendedAt: suspendedAt && (before.suspendedAt ?? suspendedAt) }
  const saved = { ...after, version: version + 1, updatedAt: now.toISOString() }
  await updateWorkspaceRow(db, saved, before)
  keysChanged({ kind: 'workspace', id, version: saved.version })
  return saved
}

/** No event tells of it: nobody is sent any more, and nobody may read. */
async function disableWebhooks(db: Db, workspaceId: string, actor: Actor, now: Date): Promise<void> {
  for (const { id } of await activeWebhooks(db, workspaceId)) {
    const before = await lockAnyWebhook(db, workspaceId, id, now)
    await holdPending(db, workspaceId, id)
    await updateWebhookRow(db, before, {
      data: { status: 'disabled', disabledReason, statusChangedAt: now },
      actor,
      now,
    })
  }
}

async function enableWebhooks(db: Db, workspaceId: string, actor: Actor, now: Date): Promise<void> {
  const where = { workspaceId, disabledReason, status: 'disabled', deletedAt: null }
  for (const { id } of await db.webhook.findMany({ where, select: { id: true }, orderBy: { id: 'asc' } })) {
    const before = await lockAnyWebhook(db, workspaceId, id, now)
    await releasePending(db, workspaceId, id, now)
    const data = { status: 'active', disabledReason: null, statusChangedAt: now }
    await updateWebhookRow(db, before, { data, actor, now })
  }
}

const list =
  (pager: Pager): Handler<typeof listWorkspaceDeletions> =>
  async (input, { db }) => {
    const paging = pager.open('workspace-deletions.list', '', input, 'createdAt')
    const rows = await db.workspaceDeletion.findMany(keyset(paging))
    const ids = rows.map(({ id }) => id)
    const holds = ids.length === 0 ? [] : await db.legalHold.findMany({ where: { workspaceId: { in: ids } } })
    const isHeld = new Set(holds.map(({ workspaceId }) => workspaceId))
    return pager.page(
      rows,
      paging,
      ({ createdAt }) => createdAt.toISOString(),
      (row) => shown(row, isHeld.has(row.id)),
    )
  }

const get: Handler<typeof getWorkspaceDeletion> = async ({ id }, { db }) => {
  const row = await db.workspaceDeletion.findUnique({ where: { id } })
  if (row === null) throw notFoundById('workspace that is deleted')
  return shown(row, (await findLegalHold(db, id)) !== null)
}

/** For the metrics. */
export async function readDeletionFigures(db: Db) {
  const [figures] = await deletionFigures(db)
  return figures ?? { scheduled: 0, onHold: 0, removing: 0, overdueSeconds: 0 }
}
