// What a handler is: a function from validated input to output, with all that it may touch in its second argument.
import type { Prisma } from '#prisma/generated/client.ts'
import type { OperationName, OperationNamed } from '#contract/api.ts'
import type { Event, EventData } from '#contract/event.ts'
import type { Actor } from '#contract/shared-fields.ts'
import type { Emitted, Input, Operation, Output } from '#contract/operation.ts'
import type { KeyChange } from '#contract/internal/gateway-endpoints.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { WithoutSlot } from './database-slots.ts'
import type { Preconditions } from './preconditions.ts'
import type { QuotaRoom } from './quotas.ts'

/** What an event is about, where that is not the object in its data: a comment's is what the comment is on. */
export type About = { readonly id: string; readonly kind: string | null; readonly projectId: string | null }

/** The database, or a transaction in it. */
export type Db = Prisma.TransactionClient

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
  readonly emit: <X extends E>(event: X, after: EventData<X>, before?: Partial<EventData<X>>, about?: About) => string
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

export type Handler<P extends Operation> = (input: Input<P>, call: Call<Emitted<P>>) => Promise<Output<P>>

/** One handler for each operation: a missing or a wrong one does not compile. */
export type Handlers = { readonly [N in OperationName]: Handler<OperationNamed<N>> }
