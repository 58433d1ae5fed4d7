// Background work: objects that name a removed member as assignee, project member or owner name him no longer, and those
// that name a merged CRM entity name its survivor. They change in batches, each with its next version and its event.
import { timesAfter } from '../collection/change-each.ts'
import type { EachCollection } from '../collection/each-collection.ts'
import { replaceReferences, settle, waitingIn } from '../collection/outdated-references.ts'
import { moveReferences } from '../crm-entities/operations.ts'
import type { ChangeParts } from '../execution/commit-change.ts'
import type { Call } from '../execution/handler.ts'
import { attemptEach, changeAsSystem } from '../execution/system-change.ts'

type Parts = ChangeParts & { readonly eachCollection: EachCollection }

const goneMax = 20
const objectsMax = 200

/** Does one batch for each member or entity that may still be named. Returns false when there is none. */
export async function updateReferences(parts: Parts, max = objectsMax): Promise<boolean> {
  const waiting = await waitingIn(parts.db, goneMax)
  await attemptEach(waiting, ({ workspaceId, id, table }) =>
    changeAsSystem(parts, workspaceId, null, (call) =>
      table === 'member'
        ? forgetMember(parts.eachCollection, id, max, call)
        : moveReferences(parts.eachCollection, id, { call, nextTime: timesAfter(call), max }),
    ),
  )
  return waiting.length > 0
}

async function forgetMember(eachCollection: EachCollection, id: string, max: number, call: Call): Promise<void> {
  const removed = { workspaceId: call.workspaceId, id, table: 'member', successorId: null } as const
  const changed = await replaceReferences(eachCollection, removed, { call, nextTime: timesAfter(call), max })
  // There may be more: the next batch begins with them.
  if (changed < max) await settle(call.db, removed, call.now)
}
