// A sandbox is put back to its sample data.
import { Fault } from '#contract/faults/fault.ts'
import type { DefaultRates } from '#contract/rate-limits.ts'
import { workspaceReset, type resetWorkspace } from '#contract/sandboxes.ts'
import type { Handle, Handler, Handlers } from '../execution/call.ts'
import { assertNoLegalHold } from '../execution/legal-hold-rows.ts'
import { findWorkspace } from '../workspaces/rows.ts'
import { withLimits } from '../workspaces/rules.ts'
import { fillSandbox } from './fill.ts'
import { removeContent } from './rows.ts'

type SandboxDeps = { readonly handle: Handle; readonly rates: DefaultRates }

export const sandboxHandlers = (parts: SandboxDeps) =>
  ({ 'workspaces.reset': reset(parts) }) satisfies Partial<Handlers>

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
