// Workspaces: created, listed and changed by the operator; read and renamed by their own keys.
import { Fault } from '#contract/faults/fault.ts'
import type { DefaultRates } from '#contract/rate-limits.ts'
import type {
  getCurrentWorkspace,
  getWorkspace,
  listWorkspaces,
  createWorkspace,
  updateWorkspace,
  updateCurrentWorkspace,
} from '#contract/workspaces.ts'
import { newId } from '#runtime/new-id.ts'
import type { Call, Handlers, Handler, Db } from '../execution/call.ts'
import { runChange, type Recorders } from '../execution/change.ts'
import { duplicate } from '../faults/shared-faults.ts'
import { keyset, type Pager } from '../collection/pagination.ts'
import { isUnchanged } from '../execution/system-fields.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { quotaUsage } from '../execution/quotas.ts'
import { previewPolicy } from '../keys/key-policy/preview.ts'
import { insertMember } from '../members/rows.ts'
import { draft as draftMember } from '../members/rules.ts'
import { previewMembers } from '../members/second-factor-rule.ts'
import {
  findWorkspace,
  fromRow,
  insertWorkspace,
  lockWorkspaceRow,
  updateWorkspaceRow,
  type WorkspaceRow,
} from './rows.ts'
import { withLimits, assertTimeZone, slugCandidates, draftOf, applyPatch, changesKeyChecks } from './rules.ts'

type WorkspaceDeps = {
  readonly pager: Pager
  readonly rates: DefaultRates
  readonly changes: Recorders
  readonly fillSandbox: (call: Call) => Promise<void>
}

export const workspaceHandlers = ({ pager, rates, ...parts }: WorkspaceDeps) =>
  ({
    'workspaces.create': createFilled(rates, parts),
    'workspaces.list': list(pager, rates),
    'workspaces.update': update(rates),
    'workspaces.get': get(rates),
    'workspaces.get-current': getCurrent(rates),
    'workspaces.update-current': updateCurrent(rates),
  }) satisfies Partial<Handlers>

const get =
  (rates: DefaultRates): Handler<typeof getWorkspace> =>
  async ({ id }, { db }) => ({
    ...withLimits(await findWorkspace(db, id), rates),
    usage: await quotaUsage(db, id),
  })

const getCurrent =
  (rates: DefaultRates): Handler<typeof getCurrentWorkspace> =>
  async (_input, { db, workspaceId }) => ({
    ...withLimits(await findWorkspace(db, workspaceId), rates),
    usage: await quotaUsage(db, workspaceId),
  })

const list =
  (pager: Pager, rates: DefaultRates): Handler<typeof listWorkspaces> =>
  async (input, { db }) => {
    const paging = pager.open('workspaces.list', '', input, 'createdAt')
    const rows = await db.workspace.findMany(keyset(paging))
    return pager.page(
      rows,
      paging,
      (row) => row.createdAt.toISOString(),
      (row) => withLimits(fromRow(row), rates),
    )
  }

const randomSlugs = 5

export const create =
  (rates: DefaultRates): Handler<typeof createWorkspace> =>
  async ({ owner, ...input }, { db, now, actor, audit }) => {
    const draft = draftOf(input, now)
    assertTimeZone(draft.timeZone)
    const slugs = input.slug === undefined ? slugCandidates(input.name, Math.random, randomSlugs) : [input.slug]
    const workspace = await insertUnderFreeSlug(db, draft, slugs)
    if (owner !== undefined) {
      const origin = { id: newId(now), workspaceId: workspace.id, actor, now }
      await insertMember(db, draftMember({ ...owner, role: 'owner', status: 'active' }, origin))
    }
    audit({ ...workspace, ...(owner !== undefined && { owner }) })
    return withLimits(workspace, rates)
  }

/** Nobody subscribes to the events of a new sandbox yet, so that no dispatcher is to be told of them at once. */
const createFilled =
  (
    rates: DefaultRates,
    { changes, fillSandbox }: Pick<WorkspaceDeps, 'changes' | 'fillSandbox'>,
  ): Handler<typeof createWorkspace> =>
  async (input, call) => {
    const workspace = await create(rates)(input, call)
    const { id: workspaceId } = workspace
    const change = { principal: { ...call.principal, workspaceId }, workspaceId, action: null }
    if (workspace.sandbox) await runChange(changes, call.db, change, fillSandbox)
    return workspace
  }

async function insertUnderFreeSlug(db: Db, draft: WorkspaceRow, slugs: Iterable<string>): Promise<WorkspaceRow> {
  for (const slug of slugs) {
    const workspace = { ...draft, slug }
    if (await insertWorkspace(db, workspace)) return workspace
  }
  throw duplicate('slug', undefined)
}

const update =
  (rates: DefaultRates): Handler<typeof updateWorkspace> =>
  async (input, call) => {
    const { db, now, audit, keysChanged } = call
    const { id, expectedVersion, dryRun = false, ...patch } = input
    const before = dryRun ? await findWorkspace(db, id) : await lockWorkspaceRow(db, id)
    assertVersion(before, expectedVersion, call)
    if (patch.suspended === false) await assertNotDeleted(db, id)
    const after = applyPatch(before, patch, now)
    assertTimeZone(after.timeZone, before.timeZone)
    await assertSlugIsFree(db, before, after)
    if (dryRun) {
      const keys = await previewPolicy(db, before, after, now)
      const members = await previewMembers(db, before, after, now)
      return { ...withLimits(after, rates), policyPreview: { ...keys, ...members } }
    }
    if (isUnchanged(before, after)) return withLimits(before, rates)
    const saved = { ...after, version: before.version + 1, updatedAt: now.toISOString() }
    await updateWorkspaceRow(db, saved, before)
    audit(saved, before)
    if (changesKeyChecks(before, saved)) keysChanged({ kind: 'workspace', id, version: saved.version })
    return withLimits(saved, rates)
  }

/** While a workspace is deleted it stays suspended. */
async function assertNotDeleted(db: Db, id: string): Promise<void> {
  if ((await db.workspaceDeletion.findUnique({ where: { id }, select: { id: true } })) === null) return
  throw new Fault('invalid_transition', 'The workspace is being deleted: take that back with `workspaces.restore`.')
}

async function assertSlugIsFree(db: Db, { id, slug: current }: WorkspaceRow, { slug }: WorkspaceRow): Promise<void> {
  if (slug === current) return
  const holder = await db.workspace.findFirst({ where: { slug, id: { not: id } }, select: { id: true } })
  if (holder !== null) throw duplicate('slug', holder.id)
}

// The operator updates a workspace outside of its workspace lock, so the row itself is locked here.
const updateCurrent =
  (rates: DefaultRates): Handler<typeof updateCurrentWorkspace> =>
  async ({ expectedVersion, ...patch }, { db, workspaceId, now, audit, preconditions }) => {
    const before = await lockWorkspaceRow(db, workspaceId)
    assertVersion(before, expectedVersion, { preconditions })
    const asked = { ...before, ...patch }
    if (isUnchanged(before, asked)) return withLimits(before, rates)
    assertTimeZone(asked.timeZone, before.timeZone)
    const after = { ...asked, version: before.version + 1, updatedAt: now.toISOString() }
    await updateWorkspaceRow(db, after, before)
    audit(after, before)
    return withLimits(after, rates)
  }
