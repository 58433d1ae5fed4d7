import { Fault } from '#contract/fault.ts'
import type { rotateMe } from '#contract/me.ts'
import { rotateKey } from '../api-keys/rotate.ts'
import type { Db, Handler } from '../execution/handler.ts'

export const rotate: Handler<typeof rotateMe> = async ({ overlapHours }, call) => {
  await assertAtHome(call.db, call.workspaceId, call.principal.id)
  return rotateKey(call.principal.id, overlapHours, call)
}

/** What happens to a key is told in the workspace that it was made in. One that is bound to none may act elsewhere. */
async function assertAtHome(db: Db, workspaceId: string, id: string): Promise<void> {
  const key = await db.apiKey.findUnique({ where: { workspaceId_id: { workspaceId, id } }, select: { id: true } })
  if (key === null) throw new Fault('workspace_not_allowed', 'A key is rotated in the workspace that it was made in.')
}
