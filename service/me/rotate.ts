import { Fault } from '#contract/faults/fault.ts'
import type { rotateMe } from '#contract/me.ts'
import { rotateKey } from '../api-keys/rotate.ts'
import type { Db, Handler } from '../execution/handler.ts'

export const rotate: Handler<typeof rotateMe> = async ({ overlapHours }, call) => {
  await assertHomeWorkspace(call.db, call.workspaceId, call.principal.id)
  return rotateKey(call.principal.id, overlapHours, call)
}

/** Events and audit entries of a key belong to the workspace that made it; an unbound key may also act in others. */
async function assertHomeWorkspace(db: Db, workspaceId: string, id: string): Promise<void> {
  const key = await db.apiKey.findUnique({ where: { workspaceId_id: { workspaceId, id } }, select: { id: true } })
  if (key === null) throw new Fault('workspace_not_allowed', 'A key is rotated in the workspace that it was made in.')
}
