// The single way into a handler, for HTTP, MCP and batches alike: scope, input, then (where something changes) one
// transaction around handler, events and kept answer, then output. What must be told to others is told after the commit.
import type { OperationName } from '#contract/api.ts'
import type { EventNotice } from '#contract/event-envelope.ts'
import { Fault } from '#contract/fault.ts'
import { changes, methodOf, type Operation } from '#contract/operation.ts'
import type { Denial, KeyChange, Principal } from '#contract/principal.ts'
import { covers } from '#contract/scope.ts'
import type { Database } from '#prisma/client.ts'
import { transact } from '#prisma/transaction.ts'
import { recordKeyChanges } from '../api-keys/key-changes.ts'
import { denialOf } from '../audit/denied-call-queue.ts'
import { record as recordAudit } from '../audit/record-changes.ts'
import { beginCall } from './call.ts'
import { faultOfDatabase } from '../faults/database-fault.ts'
import type { Access } from './database-slots.ts'
import type { Call, Db, Handlers } from './handler.ts'
import { assertKey, type Idempotency, type Request } from './idempotency.ts'
import { assertInput, assertOutput } from '../validation/validate-operation.ts'
import { record } from '../outbox/record-events.ts'
import { unconditional, type Preconditions } from './preconditions.ts'
import { takeTurn, type Turn } from './workspace-lock.ts'
import { findWorkspace } from '../workspaces/rows.ts'

export type Parts = {
  readonly db: Database
  readonly access: Access
  readonly handlers: Handlers
  readonly idempotency: Idempotency
  /** For the audit log. Must not throw. */
  readonly noteDenial: (denial: Denial) => void
  /** Both are called after the commit and must not throw. */
  readonly announceEvents: (notices: readonly EventNotice[]) => void
  readonly announceKeyChange: (change: KeyChange) => void
}
type Asked = {
  readonly operation: Operation
  readonly input: unknown
  readonly principal: Principal
  readonly idempotencyKey?: string | undefined
  readonly preconditions?: Preconditions
  /** Aborted when the caller is gone. */
  readonly left?: AbortSignal | undefined
}
export type Answer = {
  readonly body: unknown
  readonly replayed: boolean
  /** An object was made by a call that may also find one. */
  readonly created?: boolean
}
export type Execute = (asked: Asked) => Promise<Answer>

type Done = Answer & { readonly notices: readonly EventNotice[]; readonly keyChanges: readonly KeyChange[] }
type AnyHandler = (input: unknown, call: Call) => Promise<unknown>

export function executor(parts: Parts): Execute {
  return async function execute(asked) {
    try {
      permit(asked.operation, asked.principal)
      await assertWorkspace(parts.db, asked.principal)
      return changes(asked.operation) ? await change(parts, asked) : await read(parts, asked)
    } catch (thrown) {
      const fault = faultOfDatabase(thrown)
      const denial = fault instanceof Fault ? denialOf(fault, asked.operation, asked.principal, new Date()) : null
      if (denial !== null) parts.noteDenial(denial)
      throw fault
    }
  }
}

function permit({ scope, tenancy }: Operation, { scopes, workspaceId }: Principal): void {
  if (scope !== null && !covers(scopes, scope)) {
    throw new Fault('insufficient_scope', `This needs the scope ${scope}.`, { requiredScopes: [scope] })
  }
  if (tenancy === 'workspace' && workspaceId === null) {
    throw new Fault('workspace_required', 'Name a workspace: header x-workspace-id or parameter workspaceId.')
  }
}

/** A key was made for a workspace that exists; the operator may name any. */
async function assertWorkspace(db: Database, { kind, workspaceId }: Principal): Promise<void> {
  if (kind === 'operator' && workspaceId !== null) await findWorkspace(db, workspaceId)
}

async function read({ db, access, handlers }: Parts, asked: Asked): Promise<Answer> {
  const { operation, principal, left = staying } = asked
  const input = assertInput(operation, asked.input)
  const body = await access.read(principal, left, (idle) =>
    handlerOf(handlers, operation)(input, beginCall(db, principal, unturned(), { left, idle }).call),
  )
  assertOutput(operation, body)
  return { body, replayed: false }
}

/** For callers who cannot be seen to go. */
const staying = new AbortController().signal

async function change(parts: Parts, asked: Asked): Promise<Answer> {
  const { notices, keyChanges, ...answer } = await committed(parts, asked)
  parts.announceEvents(notices)
  keyChanges.forEach(parts.announceKeyChange)
  return answer
}

async function committed(parts: Parts, asked: Asked): Promise<Done> {
  const { operation, input, principal, idempotencyKey: key } = asked
  const inTurn = (run: () => Promise<Done>) => parts.access.change(principal, asked.left, run)
  if (key === undefined || methodOf(operation) !== 'POST') {
    const checked = { ...asked, input: assertInput(operation, input) }
    return inTurn(() => transact(parts.db, (tx) => act(parts, tx, checked)))
  }
  assertKey(key)
  const { id: callerId, workspaceId, scopes } = principal
  const request = { callerId, workspaceId: workspaceId ?? '', operation: operation.name, key, input, scopes }
  const check = () => assertInput(operation, input)
  return inTurn(() => once(parts, request, check, (tx, checked) => act(parts, tx, { ...asked, input: checked })))
}

async function act({ handlers }: Parts, tx: Db, asked: Asked): Promise<Done> {
  const { operation, input, principal, preconditions = unconditional } = asked
  const { tenancy } = operation
  const turn = tenancy === 'workspace' && principal.workspaceId ? await takeTurn(tx, principal.workspaceId) : unturned()
  const { call, outcome, emissions, audited, keyChanges } = beginCall(tx, principal, turn, {
    preconditions,
  })
  const body = await handlerOf(handlers, operation)(input, call)
  const notices = await record(tx, emissions, call)
  if (operation.audited) await recordAudit(tx, operation, audited.length > 0 ? audited : emissions, call)
  await recordKeyChanges(tx, keyChanges)
  assertOutput(operation, body)
  return { body, ...outcome, replayed: false, notices, keyChanges }
}

/** Outside of any workspace, and to read one, nobody waits. */
const unturned = (): Turn => ({ now: new Date(), hasCustomFields: true })

/** The first request with a key acts; those after it get its answer. What is wrong with the input is an answer, too. */
async function once(
  { db, idempotency }: Parts,
  request: Request,
  check: () => unknown,
  run: (tx: Db, input: unknown) => Promise<Done>,
): Promise<Done> {
  const done = await transact(db, async (tx) => {
    const kept = await idempotency.reserve(tx, request, new Date())
    if (kept !== undefined) return { body: kept.body, replayed: true, notices: [], keyChanges: [] }
    const checked = resultOf(check)
    if (checked instanceof Fault) {
      await idempotency.keepRefusal(tx, request, checked)
      return checked
    }
    const acted = await run(tx, checked.input)
    await idempotency.keep(tx, request, acted.body)
    return acted
  })
  if (done instanceof Fault) throw done
  return done
}

function resultOf(check: () => unknown): { readonly input: unknown } | Fault {
  try {
    return { input: check() }
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown
    throw thrown
  }
}

// The binding is checked by its type where it is made (handlers.ts); looked up by name, that type is lost.
const handlerOf = (handlers: Handlers, { name }: Operation): AnyHandler =>
  handlers[name as OperationName] as unknown as AnyHandler
