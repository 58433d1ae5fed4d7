// The Idempotency-Key of a change: the first request with a key acts; those after it get its answer, kept in the
// transaction of its effect. A refusal of the input is an answer, too. Two at the same instant meet at the row of the
// key: the second waits for the first. A row has a request's fingerprint and, sealed, its answer.
import { Fault, unavailable, type FaultCode, type FaultMembers } from '#contract/faults/fault.ts'
import { takesIdempotencyKey, idempotencyKeptHours } from '#contract/operation.ts'
import type { Database } from '#prisma/client.ts'
import { databaseErrorIn } from '#prisma/database-errors.ts'
import { UnknownSealingKey, type Keyring } from '#runtime/keyring.ts'
import { canonicalHash } from '../text/json.ts'
import { assertHolds } from './authorize.ts'
import type { Db, Answer, OperationRequest } from './call.ts'
import type { Notifications } from './change.ts'
import { unconditional, type Preconditions } from './preconditions.ts'
import { deleteAnswers, takeIdempotencyKey } from './rows.ts'

type Answered<T> = Notifications & { readonly result: T }

/** Returns null where the request has no key, or leaves nothing behind that a second one could repeat. */
export function idempotentRequest(request: OperationRequest): IdempotentRequest | null {
  const { operation, input, principal, preconditions, idempotencyKey: key, dryRun = false } = request
  if (key === undefined || dryRun) return null
  if (!takesIdempotencyKey(operation))
    throw new Fault('invalid_idempotency_key', 'This request does not accept an Idempotency-Key.')
  if (!/^[\x21-\x7e]{1,255}$/.test(key))
    throw new Fault('invalid_idempotency_key', 'An Idempotency-Key must have 1 to 255 visible ASCII characters.')
  const { id: callerId, workspaceId, scopes } = principal
  return {
    callerId,
    workspaceId: workspaceId ?? '',
    operation: operation.name,
    key,
    input,
    ...(preconditions && { preconditions }),
    scopes,
  }
}

/** A refusal of the input is returned and not thrown: that it is kept is to be committed. */
export async function answerOnce(
  store: IdempotencyStore,
  tx: Db,
  request: IdempotentRequest,
  validate: () => unknown,
  act: (input: unknown) => Promise<Answered<Answer>>,
): Promise<Answered<Answer | Fault>> {
  const kept = await store.reserve(tx, request, new Date())
  if (kept !== undefined) return unchanged({ ...kept, replayed: true })
  const validated = resultOf(validate)
  if (validated instanceof Fault) {
    await store.keepRefusal(tx, request, validated)
    return unchanged(validated)
  }
  const answered = await act(validated.input)
  await store.keep(tx, request, answered.result)
  return answered
}

const unchanged = <T>(result: T): Answered<T> => ({ result, notifications: [], keyChanges: [] })

function resultOf(validate: () => unknown): { readonly input: unknown } | Fault {
  try {
    return { input: validate() }
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown
    throw thrown
  }
}

const lockTimeout = '55P03'
const batchMax = 5_000

/** A key with its caller and what was sent with it. */
export type IdempotentRequest = {
  readonly callerId: string
  readonly workspaceId: string
  readonly operation: string
  readonly key: string
  readonly input: unknown
  readonly preconditions?: Preconditions
  readonly scopes: readonly string[]
}
/** `scopes`: those of the caller who was given the answer. A release without them kept none. */
type Kept =
  | { body: unknown; created?: boolean; scopes?: readonly string[] }
  | { fault: { code: FaultCode; detail: string; members: FaultMembers } }

/** `created`: it made an object that it might also have found. */
type KeptAnswer = { readonly body: unknown; readonly created?: boolean }

export type IdempotencyStore = ReturnType<typeof idempotencyStore>

export function idempotencyStore({ seal, open }: Pick<Keyring, 'seal' | 'open'>) {
  async function write(tx: Db, request: IdempotentRequest, kept: Kept): Promise<void> {
    await tx.idempotencyRecord.update({
      where: { callerId_workspaceId_operation_key: idOf(request) },
      data: { sealedBody: seal(JSON.stringify(kept), contextOf(request)) },
    })
  }

  /** While sealing keys are changed, another service may have sealed it with one that this one does not have yet. */
  function opened(sealed: Uint8Array, context: string): string {
    try {
      return open(sealed, context)
    } catch (error) {
      if (!(error instanceof UnknownSealingKey)) throw error
      throw unavailable('The answer to the first request with this key cannot be read here yet.', error)
    }
  }

  return {
    /** Returns the kept answer of an equal request, or undefined when this one is the first and has taken the row. */
    async reserve(tx: Db, request: IdempotentRequest, now: Date): Promise<KeptAnswer | undefined> {
      const fingerprint = fingerprintOf(request)
      if (await isFirst(tx, request, fingerprint, now).catch(refuseWaiting)) return undefined
      const row = await tx.idempotencyRecord.findUniqueOrThrow({
        where: { callerId_workspaceId_operation_key: idOf(request) },
      })
      if (!fingerprint.equals(row.fingerprint)) {
        throw new Fault('idempotency_key_reused', 'This Idempotency-Key was sent with another request.')
      }
      return unpack(JSON.parse(opened(row.sealedBody ?? new Uint8Array(), contextOf(request))) as Kept, request)
    },

    /** Keeps the answer in the row that `reserve` made. */
    keep(tx: Db, request: IdempotentRequest, { body, created = false }: KeptAnswer): Promise<void> {
      return write(tx, request, { body, ...(created && { created }), scopes: request.scopes })
    },

    /** Keeps a refusal that the same request would always get: of its input alone, not of the moment. */
    keepRefusal(tx: Db, request: IdempotentRequest, { code, message, members }: Fault): Promise<void> {
      return write(tx, request, { fault: { code, detail: message, members } })
    },
  }
}

/** A condition in a header makes it another request. One without is hashed as releases do that know no conditions. */
function fingerprintOf({ input, preconditions = unconditional }: IdempotentRequest): Buffer<ArrayBuffer> {
  const { ifMatch, ifNoneMatch } = preconditions
  if (ifMatch === undefined && ifNoneMatch === undefined) return canonicalHash(input)
  return canonicalHash({ input, ifMatch, ifNoneMatch })
}

/** The first request holds the row until its commit; a later one waits for it up to the lock timeout. */
function refuseWaiting(thrown: unknown): never {
  if (!(thrown instanceof Error) || databaseErrorIn(thrown).originalCode !== lockTimeout) throw thrown
  const detail = 'The earlier request with this Idempotency-Key is still running.'
  throw new Fault('idempotency_in_progress', detail, { retryAfterSeconds: 1 }, thrown)
}

/** Inserts the row, or takes over an outdated one. False when an earlier request has it. */
async function isFirst(tx: Db, request: IdempotentRequest, fingerprint: Buffer, now: Date): Promise<boolean> {
  const written = await takeIdempotencyKey(tx, idOf(request), fingerprint, now, outdatedAt(now))
  return written === 1
}

/** An answer may hold a secret: it is not given again to a key that has lost a scope since. */
function unpack(kept: Kept, { scopes }: IdempotentRequest): KeptAnswer {
  if ('fault' in kept) throw new Fault(kept.fault.code, kept.fault.detail, kept.fault.members)
  const { body, created = false } = kept
  assertHolds(kept.scopes ?? [], scopes, 'To be given this answer again')
  return { body, ...(created && { created }) }
}

/** Deletes in batches, so that no statement holds many rows for long. Returns how many there were. */
export async function deleteOutdatedAnswers(db: Database, now: Date): Promise<number> {
  const outdated = outdatedAt(now)
  let deleted = 0
  for (let last = batchMax; last === batchMax; deleted += last) {
    last = await deleteAnswers(db, outdated, batchMax)
  }
  return deleted
}

/** The time before which what was kept is kept no longer. */
const outdatedAt = (now: Date): Date => new Date(now.getTime() - idempotencyKeptHours * 3_600_000)

type KeyOfRequest = Pick<IdempotentRequest, 'callerId' | 'workspaceId' | 'operation' | 'key'>

const idOf = ({ callerId, workspaceId, operation, key }: KeyOfRequest) => ({
  callerId,
  workspaceId,
  operation,
  key,
})

/** The context binds a sealed answer to its row. */
export const contextOf = (request: KeyOfRequest): string => JSON.stringify(idOf(request))
