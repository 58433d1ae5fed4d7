// The rows of Idempotency-Keys: a request's fingerprint and, sealed, the answer that it got.
import { Fault, type FaultMembers, type FaultCode } from '#contract/faults/fault.ts'
import type { Database } from '#prisma/client.ts'
import { databaseErrorIn } from '#prisma/connection-loss.ts'
import type { Keyring } from '#runtime/keyring.ts'
import { canonicalHash } from '../text/canonical-json.ts'
import { assertHolds } from './authorize.ts'
import type { Db } from './handler.ts'
import { unconditional, type Preconditions } from './preconditions.ts'
import { idempotencyKeptHours } from '#contract/operation.ts'

const lockTimeout = '55P03'
const batchMax = 5_000

/** Whose key it is and what was sent with it. */
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

export const idempotencyStore = ({ seal, open }: Pick<Keyring, 'seal' | 'open'>) => ({
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
    return unpack(JSON.parse(open(row.sealedBody ?? new Uint8Array(), contextOf(request))) as Kept, request)
  },

  /** Keeps the answer in the row that `reserve` made. */
  async keep(tx: Db, request: IdempotentRequest, { body, created = false }: KeptAnswer): Promise<void> {
    const kept: Kept = { body, ...(created && { created }), scopes: request.scopes }
    const sealedBody = seal(JSON.stringify(kept), contextOf(request))
    await tx.idempotencyRecord.update({
      where: { callerId_workspaceId_operation_key: idOf(request) },
      data: { sealedBody },
    })
  },

  /** Keeps a refusal that the same request would always get: of its input alone, not of the moment. */
  async keepRefusal(tx: Db, request: IdempotentRequest, { code, message, members }: Fault): Promise<void> {
    const kept: Kept = { fault: { code, detail: message, members } }
    const sealedBody = seal(JSON.stringify(kept), contextOf(request))
    await tx.idempotencyRecord.update({
      where: { callerId_workspaceId_operation_key: idOf(request) },
      data: { sealedBody },
    })
  },
})

/** A condition in a header makes it another request. One without is hashed as releases do that know no conditions. */
function fingerprintOf({ input, preconditions = unconditional }: IdempotentRequest): Buffer<ArrayBuffer> {
  const { ifMatch, ifNoneMatch } = preconditions
  if (ifMatch === undefined && ifNoneMatch === undefined) return canonicalHash(input)
  return canonicalHash({ input, ifMatch, ifNoneMatch })
}

/** The first request holds the row until its commit; a later one waits for it up to the lock timeout. */
function refuseWaiting(thrown: unknown): never {
  if (!(thrown instanceof Error) || databaseErrorIn(thrown).originalCode !== lockTimeout) throw thrown
  const detail = 'The first request with this key has not ended yet.'
  throw new Fault('idempotency_in_progress', detail, { retryAfterSeconds: 1 }, thrown)
}

/** Inserts the row, or takes over an outdated one. False when an earlier request has it. */
async function isFirst(tx: Db, request: IdempotentRequest, fingerprint: Buffer, now: Date): Promise<boolean> {
  const outdated = outdatedAt(now)
  const { callerId, workspaceId, operation, key } = request
  const written = await tx.$executeRaw`
    INSERT INTO idempotency_record (caller_id, workspace_id, operation, key, fingerprint, created_at)
    VALUES (${callerId}, ${workspaceId}, ${operation}, ${key}, ${fingerprint}, ${now})
    ON CONFLICT (caller_id, workspace_id, operation, key) DO UPDATE
      SET fingerprint = excluded.fingerprint, sealed_body = NULL, created_at = excluded.created_at
      WHERE idempotency_record.created_at < ${outdated}`
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
    last = await db.$executeRaw`
      DELETE FROM idempotency_record WHERE (caller_id, workspace_id, operation, key) IN (
        SELECT caller_id, workspace_id, operation, key FROM idempotency_record
        WHERE created_at < ${outdated} ORDER BY created_at LIMIT ${batchMax}::int FOR UPDATE SKIP LOCKED
      )`
  }
  return deleted
}

/** What was kept before this time is kept no longer. */
const outdatedAt = (now: Date): Date => new Date(now.getTime() - idempotencyKeptHours * 3_600_000)

const idOf = ({ callerId, workspaceId, operation, key }: IdempotentRequest) => ({
  callerId,
  workspaceId,
  operation,
  key,
})
const contextOf = (request: IdempotentRequest): string => JSON.stringify(idOf(request))
