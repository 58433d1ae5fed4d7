// The single way into a handler, for HTTP and MCP alike: scope, input, then a read, or a change in one transaction with
// what it records, then output. Notifications go out after the commit.
import type { OperationName } from '#contract/api.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { changes, type Operation } from '#contract/operation.ts'
import { clientFor } from '#prisma/caller-signal.ts'
import type { FaultOfDatabase } from '../faults/database-faults.ts'
import { assertInput, assertOutput } from '../validation/validate-operation.ts'
import { authorize, authorizeFields } from './authorize.ts'
import {
  openCall,
  withoutLock,
  type Call,
  type Db,
  type Handlers,
  type Answer,
  type Execute,
  type OperationRequest,
} from './call.ts'
import { commitChange, runChange, type ChangeDeps, type Notifications } from './change.ts'
import type { SlotCaller, DatabaseSlots, WithoutSlot } from './database-slots.ts'
import { answerOnce, idempotentRequest, type IdempotencyStore } from './idempotency.ts'
import { readOnReplica, type ReplicaDeps } from './replica-reads.ts'

export type ExecutionDeps = ChangeDeps & {
  readonly slots: DatabaseSlots
  /** How long one statement of a read may run on Postgres. The operator's take as long as they need. */
  readonly readTimeoutSeconds?: number | undefined
  /** Null, or left out: the primary serves all reads. */
  readonly replica?: ReplicaDeps | null | undefined
  readonly handlers: Handlers
  readonly idempotency: IdempotencyStore
  readonly faultOfDatabase: FaultOfDatabase
  /** Throws `not_found` where there is no such workspace. */
  readonly assertWorkspace: (db: Db, workspaceId: string) => Promise<unknown>
  /** For the audit log. Must not throw. */
  readonly recordRefusal: (fault: Fault, request: OperationRequest) => void
}

export function executor(parts: ExecutionDeps): Execute {
  return async function execute(request) {
    try {
      authorize(request.operation, request.principal)
      authorizeFields(request.operation, request.input, request.principal)
      await assertWorkspace(parts, request.principal)
      if (request.operation.ownTransactions === true) return await runAlone(parts, request)
      return changes(request.operation) ? await change(parts, request) : await read(parts, request)
    } catch (thrown) {
      const fault = parts.faultOfDatabase(thrown)
      if (fault instanceof Fault) parts.recordRefusal(fault, request)
      throw fault
    }
  }
}

/** A key was made for a workspace that exists; the operator may name any. */
async function assertWorkspace(parts: ExecutionDeps, { kind, workspaceId }: Principal): Promise<void> {
  if (kind === 'operator' && workspaceId !== null) await parts.assertWorkspace(parts.db, workspaceId)
}

async function read(parts: ExecutionDeps, request: OperationRequest): Promise<Answer> {
  const { db, slots, handlers, readTimeoutSeconds, replica = null } = parts
  const { operation, principal, signal = neverGone } = request
  const statementMs = principal.kind === 'operator' ? undefined : readTimeoutSeconds && readTimeoutSeconds * 1_000
  const input = assertInput(operation, request.input)
  const run = (from: Db, withoutSlot: WithoutSlot): Promise<unknown> => {
    const { call } = openCall(from, principal, withoutLock(), { withoutSlot, signal })
    return handlerOf(handlers, operation)(input, call)
  }
  const caller = callerOf(request)
  const read = await readOnReplica(replica, operation, caller, { signal, statementMs }, run)
  const body =
    read === null
      ? await slots.read(caller, signal, (withoutSlot) => run(clientFor(db, signal, statementMs), withoutSlot))
      : read.value
  assertOutput(operation, input, body)
  return { body, replayed: false }
}

/** For the share of the database that calls of this kind have. */
const callerOf = ({ principal, operation }: OperationRequest): SlotCaller => ({ ...principal, work: operation.name })

/** Of a caller who cannot be seen to go. */
const neverGone = new AbortController().signal

/** A change whose handler makes its own transactions, on the database slot that it holds. No answer of it is kept. */
async function runAlone({ db, slots, handlers }: ExecutionDeps, request: OperationRequest): Promise<Answer> {
  const { operation, principal, signal, browser = null } = request
  // Throws where an Idempotency-Key was sent.
  idempotentRequest(request)
  const input = assertInput(operation, request.input)
  return await slots.read(callerOf(request), signal, async (withoutSlot) => {
    const context = { withoutSlot, browser, ...(signal && { signal }) }
    const { call, outcome } = openCall(db, principal, withoutLock(), context)
    const body = await handlerOf(handlers, operation)(input, call)
    assertOutput(operation, input, body)
    return { body, replayed: false, ...outcome }
  })
}

async function change(parts: ExecutionDeps, request: OperationRequest): Promise<Answer> {
  const { operation } = request
  const validate = () => assertInput(operation, request.input)
  const idempotent = idempotentRequest(request)
  if (idempotent === null) {
    const input = validate()
    return (await commitChange(parts, request, (tx) => runHandler(parts, tx, request, input))).result
  }
  const { result } = await commitChange(parts, request, (tx) =>
    answerOnce(parts.idempotency, tx, idempotent, validate, (input) => runHandler(parts, tx, request, input)),
  )
  if (result instanceof Fault) throw result
  return result
}

type HandledChange = Notifications & { readonly result: Answer }

async function runHandler(
  parts: ExecutionDeps,
  tx: Db,
  request: OperationRequest,
  input: unknown,
): Promise<HandledChange> {
  const { operation, principal, preconditions, onProgress, signal } = request
  const workspaceId = operation.tenancy === 'workspace' ? principal.workspaceId : null
  const action = operation.audited ? operation : null
  const context = {
    ...(signal && { signal }),
    ...(preconditions && { preconditions }),
    ...(onProgress && { progress: onProgress }),
  }
  const change = { principal, workspaceId, action, importing: operation, context }
  const done = await runChange(parts, tx, change, (call) => handlerOf(parts.handlers, operation)(input, call))
  const { result: body, created, ...notifications } = done
  assertOutput(operation, input, body)
  return { ...notifications, result: { body, created, replayed: false } }
}

type AnyHandler = (input: unknown, call: Call) => Promise<unknown>

// The cast is safe: `Handlers` binds a handler of this very operation to its name, and `assertInput` has validated the
// input against the operation's schema, which the handler's type is made from.
const handlerOf = (handlers: Handlers, { name }: Operation): AnyHandler => handlers[name as OperationName] as AnyHandler
