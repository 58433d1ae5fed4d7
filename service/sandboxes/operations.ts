// Sandboxes: made by members of a workspace, put back to the sample data, and tried with events that are triggered.
import { Fault } from '#contract/faults/fault.ts'
import type { DefaultRates } from '#contract/rate-limits.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { memberAdded } from '#contract/members.ts'
import { createSandbox, workspaceReset, type resetWorkspace } from '#contract/sandboxes.ts'
import type { Workspace } from '#contract/workspaces.ts'
import { newId } from '#runtime/new-id.ts'
import type { Call, Handle, Handler, Handlers } from '../execution/call.ts'
import { commitChange, runChange, type ChangeDeps, type Notifications } from '../execution/change.ts'
import { assertNoLegalHold } from '../execution/legal-hold-rows.ts'
import { assertRoomFor } from '../execution/quotas.ts'
import { findLinkedAccount, findMember, insertMember, linkAccount } from '../members/rows.ts'
import { draft as draftMember } from '../members/rules.ts'
import { create as createWorkspace } from '../workspaces/operations.ts'
import { findWorkspace, setSandboxOf } from '../workspaces/rows.ts'
import { withLimits } from '../workspaces/rules.ts'
import { fillSandbox } from './fill.ts'
import { removeContent } from './rows.ts'
import { triggerWith } from './trigger.ts'

type SandboxDeps = { readonly handle: Handle; readonly rates: DefaultRates; readonly changes: ChangeDeps }

export const sandboxHandlers = (parts: SandboxDeps) =>
  ({
    'workspaces.create-sandbox': create(parts),
    'workspaces.reset': reset(parts),
    'event-types.trigger': triggerWith(parts),
  }) satisfies Partial<Handlers>

type Made = Notifications & { readonly result: Workspace }

/** Fills the sandbox before it takes the lock of the workspace, whose changes would wait for seconds otherwise. */
const create =
  ({ handle, rates, changes }: SandboxDeps): Handler<typeof createSandbox> =>
  async ({ name }, { db, principal, workspaceId, signal }) => {
    const { sandbox, timeZone, defaultCurrency, defaultCountry } = await findWorkspace(db, workspaceId)
    if (sandbox) throw new Fault('invalid_transition', 'This workspace is a sandbox: it has none of its own.')
    await assertRoomFor(db, workspaceId, 'sandboxes')
    const given = { name, sandbox: true, timeZone, defaultCurrency, defaultCountry }
    const caller = { principal, operation: createSandbox, signal }
    const made = await commitChange(changes, caller, async (tx): Promise<Made> => {
      const outside = { principal, workspaceId: null, action: null }
      const { result } = await runChange(changes, tx, outside, (call) => createWorkspace(rates)(given, call))
      const owner = { ...principal, workspaceId: result.id, ...(principal.kind === 'member' && { id: newId() }) }
      const within = { principal: owner, workspaceId: result.id, action: createSandbox }
      await runChange(changes, tx, within, async (call) => {
        if (principal.kind === 'member') await addOwner(call, principal)
        await fillSandbox(handle, call)
        call.audit(result)
      })
      const noted = { principal, workspaceId, action: createSandbox }
      const { notifications, keyChanges } = await runChange(changes, tx, noted, async (call) => {
        // Once more, under the lock: others may have made sandboxes meanwhile.
        await assertRoomFor(tx, workspaceId, 'sandboxes')
        await setSandboxOf(tx, result.id, workspaceId)
        call.audit(result)
      })
      return { result, notifications, keyChanges }
    })
    return made.result
  }

/** `call`: of the new sandbox. `from`: the member of the other workspace who makes it. */
async function addOwner({ db, workspaceId, actor, now, emit }: Call, from: Principal): Promise<void> {
  const home = from.workspaceId ?? ''
  const { name, email } = await findMember(db, home, from.id)
  const origin = { id: actor.id, workspaceId, actor, now }
  const owner = draftMember({ name, email, role: 'owner', status: 'active' }, origin)
  await insertMember(db, owner)
  await linkAccount(db, owner, await findLinkedAccount(db, home, from.id))
  emit(memberAdded, owner)
}

/** Under the workspace lock: nothing is added between removing and filling. */
const reset =
  ({ handle, rates }: SandboxDeps): Handler<typeof resetWorkspace> =>
  async (_input, call) => {
    const { db, workspaceId, emit, audit } = call
    const workspace = await findWorkspace(db, workspaceId)
    if (!workspace.sandbox) throw new Fault('invalid_transition', 'This workspace is no sandbox: it cannot be reset.')
    await assertNoLegalHold(db, workspaceId)
    const removed = await removeContent(db, workspaceId)
    const shown = withLimits(workspace, rates)
    emit(workspaceReset, shown)
    audit({ ...shown, removed }, shown)
    await fillSandbox(handle, call)
    return shown
  }
