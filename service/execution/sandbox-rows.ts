// Whether a workspace is a sandbox, for what only sandboxes have.
import { Fault } from '#contract/faults/fault.ts'
import type { Db } from './call.ts'

/** Throws `sandbox_only` in a workspace that is none. `detail` says what only sandboxes have. */
export async function assertSandbox(db: Db, workspaceId: string, detail: string): Promise<void> {
  const { sandbox } = await db.workspace.findUniqueOrThrow({ where: { id: workspaceId }, select: { sandbox: true } })
  if (!sandbox) throw new Fault('sandbox_only', detail)
}
