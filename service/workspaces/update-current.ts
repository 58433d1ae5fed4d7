import type { DefaultRates } from '#contract/rate-limits.ts'
import type { updateCurrentWorkspace } from '#contract/workspaces.ts'
import { isUnchanged } from '../object-versions/changed-fields.ts'
import type { Handler } from '../execution/handler.ts'
import { assertVersion } from '../execution/preconditions.ts'
import { withLimits } from './describe-limits.ts'
import { lockWorkspaceRow, updateWorkspaceRow } from './rows.ts'
import { assertTimeZone } from './time-zone.ts'

// The operator updates a workspace outside of its workspace lock, so the row itself is locked here.
export const updateCurrent =
  (rates: DefaultRates): Handler<typeof updateCurrentWorkspace> =>
  async ({ expectedVersion, ...patch }, { db, workspaceId, now, audit, preconditions }) => {
    const before = await lockWorkspaceRow(db, workspaceId)
    assertVersion(before, expectedVersion, { preconditions })
    const asked = { ...before, ...patch }
    if (isUnchanged(before, asked)) return withLimits(before, rates)
    assertTimeZone(asked.timeZone)
    const after = { ...asked, version: before.version + 1, updatedAt: now.toISOString() }
    await updateWorkspaceRow(db, after)
    audit(after, before)
    return withLimits(after, rates)
  }
