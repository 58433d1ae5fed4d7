// Legal holds, by the operator. What removes something for good asks for them (execution/legal-hold-rows.ts).
import { Fault } from '#contract/faults/fault.ts'
import type { listLegalHolds, releaseLegalHold, setLegalHold } from '#contract/legal-holds.ts'
import { rowsFor, type Pager } from '../collection/pagination.ts'
import type { Handler, Handlers } from '../execution/call.ts'
import { findLegalHold, fromRow } from '../execution/legal-hold-rows.ts'
import { lockWorkspaceRow } from '../workspaces/rows.ts'

export const legalHoldHandlers = ({ pager }: { readonly pager: Pager }) =>
  ({
    'legal-holds.set': set,
    'legal-holds.release': release,
    'legal-holds.list': list(pager),
  }) satisfies Partial<Handlers>

/** Under the lock of the workspace's row, which a removal takes before it begins. */
const set: Handler<typeof setLegalHold> = async ({ id, reason }, { db, now, actor, audit }) => {
  const { name } = await lockWorkspaceRow(db, id)
  const deletion = await db.workspaceDeletion.findUnique({ where: { id }, select: { startedAt: true } })
  if (deletion !== null && deletion.startedAt !== null)
    throw new Fault('invalid_transition', 'The data of the workspace is being removed: there is nothing left to hold.')
  const before = await findLegalHold(db, id)
  if (before?.reason === reason) return before
  const hold = { reason, createdAt: now, createdBy: actor }
  const row = await db.legalHold.upsert({
    where: { workspaceId: id },
    create: { workspaceId: id, ...hold },
    update: hold,
  })
  const workspace = { id, object: 'workspace', name }
  audit({ ...workspace, legalHold: reason }, { ...workspace, legalHold: before?.reason ?? null })
  return fromRow(row)
}

const release: Handler<typeof releaseLegalHold> = async ({ id }, { db, audit }) => {
  const { name } = await lockWorkspaceRow(db, id)
  const before = await findLegalHold(db, id)
  if (before === null) return null
  await db.legalHold.delete({ where: { workspaceId: id } })
  const workspace = { id, object: 'workspace', name }
  audit({ ...workspace, legalHold: null }, { ...workspace, legalHold: before.reason })
  return null
}

const list =
  (pager: Pager): Handler<typeof listLegalHolds> =>
  async (input, { db }) => {
    const paging = pager.open('legal-holds.list', '', input, 'id')
    const rows = await db.legalHold.findMany({
      ...(paging.after !== null && { where: { workspaceId: { gt: paging.after.id } } }),
      orderBy: { workspaceId: 'asc' },
      take: rowsFor(paging.limit),
    })
    return pager.page(
      rows.map(fromRow),
      paging,
      ({ id }) => id,
      (hold) => hold,
    )
  }
