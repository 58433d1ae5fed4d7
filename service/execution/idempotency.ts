// Idempotency-Key: the answer to a request is kept, in the transaction of its effect, and given again to whoever sends
// the same request with the same key. Two at the same instant meet at the row: the second waits for the first.
import type { KeyObject } from 'node:crypto'
import { Fault, type FaultCode, type FaultMembers } from '#contract/fault.ts'
import { idempotencyKeptHours } from '#contract/size-limits.ts'
import { refusalIn } from '#prisma/connection-loss.ts'
import { open, seal } from '#runtime/sealing.ts'
import { canonicalHash } from '../text/canonical-json.ts'
import { assertHolds } from './authorize.ts'
import type { Db } from './handler.ts'

const lockTimeout = '55P03'

/** Whose key it is and what it was sent with. */
export type Request = {
  readonly callerId: string
  readonly workspaceId: string
  readonly operation: string
  readonly key: string
  readonly input: unknown
  readonly scopes: readonly string[]
}
/** `scopes`: those of the caller who was given the answer. A release without them kept none. */
type Kept =
  | { body: unknown; scopes?: readonly string[] }
  | { fault: { code: FaultCode; detail: string; members: FaultMembers } }

export function assertKey(key: string): void {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return
  throw new Fault('invalid_idempotency_key', 'An Idempotency-Key has 1 to 255 visible ASCII characters.')
}

export type Idempotency = ReturnType<typeof idempotency>

export const idempotency = (sealingKey: KeyObject) => ({
  /** The kept answer of an equal request, or undefined where this one is the first; then its row is ours. */
  async reserve(tx: Db, request: Request, now: Date): Promise<{ body: unknown } | undefined> {
    const fingerprint = canonicalHash(request.input)
    if (await isFirst(tx, request, fingerprint, now).catch(refuseWaiting)) return undefined
    const row = await tx.idempotencyRecord.findUniqueOrThrow({
      where: { callerId_workspaceId_operation_key: idOf(request) },
    })
    if (!fingerprint.equals(row.fingerprint)) {
      throw new Fault('idempotency_key_reused', 'This Idempotency-Key was sent with another request.')
    }
    return unpack(JSON.parse(open(sealingKey, row.sealedBody ?? new Uint8Array(), contextOf(request))) as Kept, request)
  },

  /** Keeps the answer in the row that `reserve` made. */
  async keep(tx: Db, request: Request, body: unknown): Promise<void> {
    const kept: Kept = { body, scopes: request.scopes }
    const sealedBody = seal(sealingKey, JSON.stringify(kept), contextOf(request))
    await tx.idempotencyRecord.update({
      where: { callerId_workspaceId_operation_key: idOf(request) },
      data: { sealedBody },
    })
  },

  /** Keeps a refusal that the same request would always get: of its input alone, not of the moment. */
  async keepRefusal(tx: Db, request: Request, { code, message, members }: Fault): Promise<void> {
    const kept: Kept = { fault: { code, detail: message, members } }
    const sealedBody = seal(sealingKey, JSON.stringify(kept), contextOf(request))
    await tx.idempotencyRecord.update({
      where: { callerId_workspaceId_operation_key: idOf(request) },
      data: { sealedBody },
    })
  },
})

/** Whoever is first holds the row until its commit. */
function refuseWaiting(thrown: unknown): never {
  if (!(thrown instanceof Error) || refusalIn(thrown).originalCode !== lockTimeout) throw thrown
  const told = 'The first request with this key has not ended yet.'
  throw new Fault('idempotency_in_progress', told, { retryAfterSeconds: 1 }, thrown)
}

/** An outdated row counts as none. */
async function isFirst(tx: Db, request: Request, fingerprint: Buffer, now: Date): Promise<boolean> {
  const outdated = new Date(now.getTime() - idempotencyKeptHours * 3_600_000)
  const { callerId, workspaceId, operation, key } = request
  const written = await tx.$executeRaw`
    INSERT INTO idempotency_record (caller_id, workspace_id, operation, key, fingerprint, created_at)
    VALUES (${callerId}, ${workspaceId}, ${operation}, ${key}, ${fingerprint}, ${now})
    ON CONFLICT (caller_id, workspace_id, operation, key) DO UPDATE
      SET fingerprint = excluded.fingerprint, sealed_body = NULL, created_at = excluded.created_at
      WHERE idempotency_record.created_at < ${outdated}`
  return written === 1
}

/** An answer may hold a secret: it is given again to whoever could still be given it, and not to a key narrowed since. */
function unpack(kept: Kept, { scopes }: Request): { body: unknown } {
  if ('fault' in kept) throw new Fault(kept.fault.code, kept.fault.detail, kept.fault.members)
  assertHolds(kept.scopes ?? [], scopes, 'To be given this answer again')
  return kept
}

const idOf = ({ callerId, workspaceId, operation, key }: Request) => ({ callerId, workspaceId, operation, key })
const contextOf = (request: Request): string => JSON.stringify(idOf(request))
