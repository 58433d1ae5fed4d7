import type { EventRecord } from '#contract/event-envelope.ts'
import type { getEvent } from '#contract/events.ts'
import { Fault } from '#contract/fault.ts'
import { covers, readScopeOf } from '#contract/scope.ts'
import type { Handler } from '../execution/handler.ts'

export const get: Handler<typeof getEvent> = async ({ id }, { db, workspaceId, principal }) => {
  const row = await db.event.findUnique({
    where: { workspaceId_id: { workspaceId, id } },
    select: { body: true, type: true },
  })
  if (row === null || !covers(principal.scopes, readScopeOf(row.type)))
    throw new Fault('not_found', 'No event has this id.')
  return JSON.parse(row.body) as EventRecord
}
