// One call of one handler: what the handler is given, and where what it emits is collected until it is recorded.
import { actorOf, type Principal } from '#contract/internal/principal.ts'
import type { KeyChange } from '#contract/internal/gateway-endpoints.ts'
import { newId } from '#runtime/new-id.ts'
import type { WithoutSlot } from './database-slots.ts'
import type { Call, Db } from './handler.ts'
import { unconditional, type Preconditions } from './preconditions.ts'
import { takeEvent } from './quotas.ts'
import type { AuditedChange, EmittedEvent, Recorded } from './record-change.ts'
import type { WorkspaceSnapshot } from './workspace-lock.ts'

/** What the answer says beside its body. `sessionToken`: see `setSession`; undefined: it stays as it is. */
type Outcome = { created: boolean; sessionToken: string | null | undefined; browserToken: string | undefined }

export type OpenedCall = {
  readonly call: Call
  readonly outcome: Outcome
  readonly recorded: Recorded
}

export type RequestContext = {
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal
  readonly withoutSlot: WithoutSlot
  readonly preconditions: Preconditions
  readonly browser: string | null
  readonly isSubcall: boolean
  readonly progress: Call['progress']
}
/** Of a caller who cannot be seen to go, which keeps its slot and depends on no version. */
const defaultContext: RequestContext = {
  signal: new AbortController().signal,
  withoutSlot: (wait) => wait(),
  preconditions: unconditional,
  browser: null,
  isSubcall: false,
  progress: () => {},
}

export function openCall(
  db: Db,
  principal: Principal,
  snapshot: WorkspaceSnapshot,
  context: Partial<RequestContext> = {},
): OpenedCall {
  const events: EmittedEvent[] = []
  const audited: AuditedChange[] = []
  const keyChanges: KeyChange[] = []
  const outcome: Outcome = { created: false, sessionToken: undefined, browserToken: undefined }
  const call: Call = {
    db,
    principal,
    actor: actorOf(principal),
    workspaceId: principal.workspaceId ?? '',
    ...snapshot,
    ...defaultContext,
    ...context,
    emit: (event, after, before, about) => {
      takeEvent(snapshot.quotaRoom, principal)
      const at = snapshot.now
      const id = newId(at)
      events.push({ id, at, event, after, before, about })
      return id
    },
    audit: (after, before) => void audited.push({ after, before }),
    created: () => void (outcome.created = true),
    setSession: (token) => void (outcome.sessionToken = token),
    setBrowser: (token) => void (outcome.browserToken = token),
    subcall: (now) => {
      const sub = openCall(db, principal, { ...snapshot, now }, { ...context, isSubcall: true })
      const keep = () => {
        events.push(...sub.recorded.events)
        audited.push(...sub.recorded.audited)
        keyChanges.push(...sub.recorded.keyChanges)
        return sub.outcome
      }
      return { call: sub.call, keep }
    },
    keysChanged: (keyChange) => void keyChanges.push(keyChange),
  }
  return { call, outcome, recorded: { events, audited, keyChanges } }
}
