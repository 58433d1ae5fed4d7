// A call, from the request that HTTP or MCP hands over, to what its handler is given, to its answer. A handler is a
// function from validated input to output, with all that it may touch in its second argument.
import type { OperationName, OperationNamed } from '#contract/api.ts'
import type { Event, EventData, EventOrigin } from '#contract/event.ts'
import type { KeyChange } from '#contract/internal/gateway-endpoints.ts'
import { actorOf, type Principal } from '#contract/internal/principal.ts'
import type { Emitted, Input, Operation, Output } from '#contract/operation.ts'
import type { Actor } from '#contract/shared-fields.ts'
import type { Prisma } from '#prisma/generated/client.ts'
import { newId } from '#runtime/new-id.ts'
import type { WithoutSlot } from './database-slots.ts'
import { unconditional, type Preconditions } from './preconditions.ts'
import { takeEvent, type QuotaRoom } from './quotas.ts'

export type OperationRequest = {
  readonly operation: Operation
  /** As it was sent: not validated yet. */
  readonly input: unknown
  readonly principal: Principal
  /** Of a change: a later request with the same key gets the answer of the first and does nothing. */
  readonly idempotencyKey?: string | undefined
  readonly preconditions?: Preconditions | undefined
  /** Aborted when the caller has gone: what is not committed by then is undone, and refused as `request_cancelled`. */
  readonly signal?: AbortSignal | undefined
  /** A change is made as a whole, answered and rolled back: nothing of it is left. Reads ignore it. */
  readonly dryRun?: boolean | undefined
  /** The cookie by which the caller's browser is known; null: none. */
  readonly browser?: string | null | undefined
  /** Called after each part of a change that has many. Must not throw. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined
}
export type Answer = {
  readonly body: unknown
  /** Kept from an earlier request with the same Idempotency-Key. */
  readonly replayed: boolean
  /** An object was made by a call that may also find one. */
  readonly created?: boolean
  /** Of the session that the caller has from now on; null: none any more. */
  readonly sessionToken?: string | null | undefined
  /** The cookie by which the caller's browser is known from now on. */
  readonly browserToken?: string | undefined
}
/** Throws a Fault where the call is refused. */
export type Execute = (request: OperationRequest) => Promise<Answer>

/** The database, or a transaction in it. */
export type Db = Prisma.TransactionClient

export type Handler<P extends Operation> = (input: Input<P>, call: Call<Emitted<P>>) => Promise<Output<P>>

/** One handler for each operation: a missing or a wrong one does not compile. */
export type Handlers = { readonly [N in OperationName]: Handler<OperationNamed<N>> }

/** Runs the handler of this name within another's call. */
export type Handle = (name: string, input: unknown, call: Call) => Promise<unknown>

export type Call<E extends Event = Event> = {
  /** A transaction where the operation changes something. */
  readonly db: Db
  readonly principal: Principal
  readonly actor: Actor
  /** The workspace that the call acts in; empty for operations outside of any. */
  readonly workspaceId: string
  readonly now: Date
  readonly hasCustomFields: boolean
  /** What is left of the workspace's quotas (quotas.ts); null for reads, and outside of any workspace. */
  readonly quotaRoom: QuotaRoom | null
  /**
   * External ids that a batch has found free for all of its items at once. Under the workspace lock nobody else takes
   * one; what takes one takes it out (collection/free-external-ids.ts).
   */
  readonly freeExternalIds: Set<string>
  /** What the headers of the request make the call depend on; handlers judge them by `assertVersion`. */
  readonly preconditions: Preconditions
  /** Aborted when the caller has gone: no further statement of the call is carried out. */
  readonly signal: AbortSignal
  /** Waits for what needs nothing of the database: others use this call's slot meanwhile. Reads only. */
  readonly withoutSlot: WithoutSlot
  /**
   * Records one change of one object, in the same transaction. `before` is what `changes` is computed against;
   * it may lack what only the event has. Returns the event's id.
   */
  readonly emit: <X extends E>(
    event: X,
    after: EventData<X>,
    before?: Partial<EventData<X>>,
    about?: About,
    origin?: EventOrigin,
    onlyWebhookId?: string,
  ) => string
  /**
   * For operations that are `audited`: one change of one object, for the audit log. Needed where nothing is emitted, or
   * where the event does not say what the object was before. Events say the rest by themselves. Without `before` it is
   * an object that is new.
   */
  readonly audit: (after: object, before?: object) => void
  /** The answer is 201: what was asked for did not exist, and was made. */
  readonly created: () => void
  /** Has the caller's cookie hold this token of a session; null: none. It stands in no body. */
  readonly setSession: (token: string | null) => void
  /** The cookie by which the caller's browser is known; null: none. */
  readonly browser: string | null
  /** Has the caller's browser known by this cookie. */
  readonly setBrowser: (token: string) => void
  /** Tells the caller how many parts of a long change are done, and of how many. */
  readonly progress: (done: number, total: number) => void
  readonly isSubcall: boolean
  /** A call within this one, with a time of its own. What it records counts once it is kept. */
  readonly subcall: (now: Date) => { readonly call: Call; readonly keep: () => { readonly created: boolean } }
  /** Notifies every gateway, after the commit, that what it has cached of the key is out of date. */
  readonly keysChanged: (change: KeyChange) => void
}

/** The object that an event is about, where that is not the one in its data: a comment's is what the comment is on. */
export type About = {
  readonly id: string
  readonly kind: string | null
  readonly projectId: string | null
  /** What the event tells of it, beside its project: `{ task: { identifier, … } }`. */
  readonly related: Readonly<Record<string, object>>
}

/** The locked row of the workspace. */
export type WorkspaceSnapshot = {
  /** The time of the change, by the database's clock: later than any that was committed before. */
  readonly now: Date
  /** Whether the workspace has defined any: most have none, and need not be asked again. */
  readonly hasCustomFields: boolean
  /** What is left of its quotas; null where nothing is taken from them. */
  readonly quotaRoom: QuotaRoom | null
}

/** For reads, and for changes outside of any workspace: these look up whether there are custom fields. */
export const withoutLock = (): WorkspaceSnapshot => ({
  now: new Date(),
  hasCustomFields: true,
  quotaRoom: null,
})

/** An event that a handler has emitted: the object after the change and, for `changes`, before it. */
export type EmittedEvent = {
  readonly id: string
  readonly at: Date
  readonly event: Event
  readonly after: object
  readonly before: object | undefined
  readonly about: About | undefined
  readonly origin: EventOrigin | undefined
  /** No other webhook receives it. */
  readonly onlyWebhookId: string | undefined
}

/** One object as it is now and, where it was there before, as it was. */
export type AuditedChange = { readonly after: object; readonly before: object | undefined }

export type Recorded = {
  readonly events: readonly EmittedEvent[]
  readonly audited: readonly AuditedChange[]
  readonly keyChanges: readonly KeyChange[]
}

/** The parts of an answer beside its body. `sessionToken`: see `setSession`; undefined: it stays as it is. */
type BesideBody = { created: boolean; sessionToken: string | null | undefined; browserToken: string | undefined }

export type OpenedCall = {
  readonly call: Call
  readonly outcome: BesideBody
  readonly recorded: Recorded
}

export type CallContext = {
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal
  readonly withoutSlot: WithoutSlot
  readonly preconditions: Preconditions
  readonly browser: string | null
  readonly isSubcall: boolean
  readonly progress: Call['progress']
  readonly freeExternalIds: Set<string>
}
/** For a call whose caller cannot be seen to go, which keeps its slot and depends on no version. */
const defaultContext: Omit<CallContext, 'freeExternalIds'> = {
  signal: new AbortController().signal,
  withoutSlot: (wait) => wait(),
  preconditions: unconditional,
  browser: null,
  isSubcall: false,
  progress: () => {},
}

/** Makes what one call of one handler is given, and collects what it emits until that is recorded. */
export function openCall(
  db: Db,
  principal: Principal,
  snapshot: WorkspaceSnapshot,
  context: Partial<CallContext> = {},
): OpenedCall {
  const events: EmittedEvent[] = []
  const audited: AuditedChange[] = []
  const keyChanges: KeyChange[] = []
  const { freeExternalIds = new Set<string>() } = context
  const outcome: BesideBody = { created: false, sessionToken: undefined, browserToken: undefined }
  const call: Call = {
    db,
    principal,
    actor: actorOf(principal),
    workspaceId: principal.workspaceId ?? '',
    ...snapshot,
    ...defaultContext,
    ...context,
    freeExternalIds,
    emit: (event, after, before, about, origin, onlyWebhookId) => {
      takeEvent(snapshot.quotaRoom, principal)
      const at = snapshot.now
      const id = newId(at)
      events.push({ id, at, event, after, before, about, origin, onlyWebhookId })
      return id
    },
    audit: (after, before) => {
      audited.push({ after, before })
    },
    created: () => {
      outcome.created = true
    },
    setSession: (token) => {
      outcome.sessionToken = token
    },
    setBrowser: (token) => {
      outcome.browserToken = token
    },
    subcall: (now) => {
      const sub = openCall(db, principal, { ...snapshot, now }, { ...context, freeExternalIds, isSubcall: true })
      const keep = () => {
        events.push(...sub.recorded.events)
        audited.push(...sub.recorded.audited)
        keyChanges.push(...sub.recorded.keyChanges)
        return sub.outcome
      }
      return { call: sub.call, keep }
    },
    keysChanged: (keyChange) => {
      keyChanges.push(keyChange)
    },
  }
  return { call, outcome, recorded: { events, audited, keyChanges } }
}
