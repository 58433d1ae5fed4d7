// The routes by which bytes of files go in and out. While bytes pass, a transfer holds a connection and a little
// memory, but neither a database slot nor a transaction: the file is looked up before, and changed once all are there.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { KeyObject } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Fault, unavailable } from '#contract/faults/fault.ts'
import { downloadFile, fileUploaded, uploadFile } from '#contract/files.ts'
import { colonPath, pathFor } from '#contract/route-paths.ts'
import { transferMinutesMax, type Transfer } from '#contract/transfer.ts'
import { clientFor } from '#prisma/caller-signal.ts'
import { mayLast } from '#runtime/lasting-requests.ts'
import { newId } from '#runtime/new-id.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { authorize } from '../execution/authorize.ts'
import type { Db } from '../execution/call.ts'
import { commitChange, runChange, type ChangeDeps } from '../execution/change.ts'
import type { DatabaseSlots } from '../execution/database-slots.ts'
import { bumpVersion } from '../execution/system-fields.ts'
import { principalOf, verifyPrincipal } from '../http/principal.ts'
import { countedFor } from '../http/request-log.ts'
import { inputFrom } from '../http/request-input.ts'
import { assertMayCall } from '../http/routes.ts'
import { assertInput } from '../validation/validate-operation.ts'
import { byteMeter } from './received-bytes.ts'
import { announceBlob, find, giveUpBlob, holdsFiles, keepBlob, updateFile, type StoredFile } from './rows.ts'
import {
  answeredType,
  assertAnnounced,
  assertAwaitsUpload,
  assertReadable,
  sizeMismatch,
  type Received,
} from './rules.ts'
import { etagOf, partAsked, sendPart } from './sent-bytes.ts'
import type { BlobName, FileStore } from './store.ts'

export type TransferDeps = {
  readonly changes: ChangeDeps & { readonly slots: DatabaseSlots }
  readonly store: FileStore
  readonly principalKey: KeyObject
}
type TransferCall = {
  readonly principal: Principal
  readonly workspaceId: string
  readonly id: string
  readonly signal: AbortSignal
}

export function serveTransfers(app: FastifyInstance, parts: TransferDeps): void {
  // A scope of its own, in which bodies are left as they come.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    serve(scope, uploadFile, parts, (request, reply, call) => upload(request, reply, call, parts))
    serve(scope, downloadFile, parts, (request, reply, call) => download(request, reply, call, parts))
  })
}

type Act = (request: FastifyRequest, reply: FastifyReply, call: TransferCall) => Promise<unknown>

function serve(scope: FastifyInstance, { asked, direction }: Transfer, { principalKey }: TransferDeps, act: Act): void {
  const isCallers = verifyPrincipal(principalKey, (principal) =>
    assertMayCall({ audience: 'api', operation: asked }, principal, {}),
  )
  scope.route({
    method: direction === 'upload' ? 'PUT' : ['GET', 'HEAD'],
    url: colonPath(pathFor(asked, 'api')),
    config: { operation: asked.name },
    onRequest: async (request) => {
      if (direction === 'upload') {
        assertNoKey(request.headers)
        mayLast(request.raw)
      }
      await isCallers(request)
    },
    handler: async (request, reply) => {
      const principal = principalOf(request)
      authorize(asked, principal)
      const { params, query } = request as { params: Readonly<Record<string, unknown>>; query: typeof params }
      const { id } = assertInput(asked, inputFrom(asked, { path: params, query, body: undefined })) as { id: string }
      const call = { principal, workspaceId: principal.workspaceId ?? '', id, signal: signalOf(reply) }
      return await act(request, reply, call)
    },
  })
}

/** Nothing is kept for a repetition: one upload succeeds anyway. Throws `invalid_idempotency_key`. */
function assertNoKey(headers: IncomingHttpHeaders): void {
  if (headers['idempotency-key'] !== undefined)
    throw new Fault('invalid_idempotency_key', 'An upload takes no Idempotency-Key: it succeeds once, without one.')
}

/** Aborted when the caller has gone before the answer is out, and when the transfer has taken all of its time. */
function signalOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => raw.writableFinished || gone.abort())
  return AbortSignal.any([gone.signal, AbortSignal.timeout(transferMinutesMax * 60_000)])
}

type SlotCall = Pick<TransferCall, 'principal' | 'signal'>
type ReadDeps = Pick<TransferDeps, 'changes' | 'store'>

const onSlot = <T>({ principal, signal }: SlotCall, { changes }: ReadDeps, read: (db: Db) => Promise<T>): Promise<T> =>
  changes.slots.read({ ...principal, work: 'files' }, signal, () => read(clientFor(changes.db, signal)))

const inSlot = <T>(call: TransferCall, reply: FastifyReply, parts: ReadDeps, read: (db: Db) => Promise<T>) =>
  countedFor(reply, () => onSlot(call, parts, read))

/** A blob that nobody keeps is removed when no upload of it can be under way any more. */
const uploadRoomMs = (transferMinutesMax + 10) * 60_000

async function upload({ raw, headers }: FastifyRequest, reply: FastifyReply, call: TransferCall, parts: TransferDeps) {
  const { store, changes } = parts
  const { workspaceId, id } = call
  const blob = { workspaceId, id: newId(new Date()) }
  const file = await inSlot(call, reply, parts, async (db) => {
    const found = await find(db, workspaceId, id)
    assertAwaitsUpload(found.status)
    assertLength(found, headers['content-length'])
    await announceBlob(db, workspaceId, blob.id, new Date(Date.now() + uploadRoomMs))
    return found
  })
  try {
    const received = await take(raw, file, call, (source) => store.write(blob, source, file.bytes, call.signal))
    assertAnnounced(file, received)
    await finish(received, blob.id, call, changes)
  } catch (error) {
    // What fails here is tried again by the clean-up.
    await giveUpBlob(changes.db, workspaceId, blob.id).catch(() => {})
    throw error
  }
  return reply.code(204).send()
}

/** One that is not declared is counted as the bytes come. */
function assertLength({ bytes }: StoredFile, declared: string | undefined): void {
  if (declared !== undefined && Number(declared) !== bytes) throw sizeMismatch(bytes, Number(declared))
}

type Write = (source: ReturnType<typeof byteMeter>['through']) => Promise<void>

async function take(
  raw: IncomingMessage,
  { bytes }: StoredFile,
  { signal }: TransferCall,
  write: Write,
): Promise<Received> {
  const meter = byteMeter(bytes)
  const [passed, written] = await Promise.allSettled([
    pipeline(raw, meter.through, { signal, end: true }),
    write(meter.through).catch((error: unknown) => {
      // Nothing reads any more of what comes.
      meter.through.destroy()
      throw error
    }),
  ])
  // Of the two, the one that says what was wrong: the other was ended by it.
  const reasons = [passed, written].flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
  if (reasons.length > 0) throw reasons.find((reason) => reason instanceof Fault) ?? brokenOff(reasons, signal)
  return await meter.received()
}

function brokenOff(reasons: readonly unknown[], signal: AbortSignal): unknown {
  if (signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError')
    return new Fault('request_timeout', `An upload may take ${transferMinutesMax} minutes.`)
  return signal.aborted
    ? new Fault('request_cancelled', 'The upload was broken off: nothing of it is kept.')
    : reasons[0]
}

/** The bytes are the file's in the moment in which this commits. */
async function finish(received: Received, blobId: string, call: TransferCall, changes: ChangeDeps): Promise<void> {
  const { principal, workspaceId, id, signal } = call
  const change = { principal, workspaceId, action: null }
  await commitChange(changes, { principal, operation: uploadFile.asked, signal }, (tx) =>
    runChange(changes, tx, change, async (within) => {
      const { blobId: _blobId, purgedAt: _purgedAt, ...before } = await find(tx, workspaceId, id)
      assertAwaitsUpload(before.status)
      if ((await keepBlob(tx, workspaceId, blobId)) === 0) throw unavailable('The upload took too long. Try again.')
      const [workspace] = await holdsFiles(tx, workspaceId)
      const { sha256, detectedType } = received
      const status = workspace?.isHeld === true ? ('held' as const) : ('available' as const)
      const after = bumpVersion(
        { ...before, sha256, detectedType, status, uploadedAt: within.now.toISOString() },
        within,
      )
      await updateFile(tx, { ...after, blobId })
      within.emit(fileUploaded, after)
    }),
  )
}

async function download(request: FastifyRequest, reply: FastifyReply, call: TransferCall, parts: TransferDeps) {
  const { headers, method } = request
  const file = await inSlot(call, reply, parts, (db) => find(db, call.workspaceId, call.id))
  assertReadable(file, call.principal.scopes.includes('files:release'))
  const part = partAsked(file, headers)
  if (part === 'not modified') return reply.code(304).header('etag', etagOf(file)).send()
  const bytes = method === 'HEAD' ? null : await parts.store.read(blobOf(file), part, call.signal)
  reply.hijack()
  await sendPart(file, part, bytes, reply.raw, call.signal)
  return undefined
}

function blobOf({ id, workspaceId, blobId }: StoredFile): BlobName {
  if (blobId === null) throw new Error(`The file ${id} has no bytes`)
  return { workspaceId, id: blobId }
}

type Reader = { readonly caller: { readonly principal: Principal }; readonly signal: AbortSignal }

/** Whole files in memory, for callers who have seen that they may read this one and that it is small. */
export const fileReader =
  (parts: ReadDeps) =>
  async (id: string, { caller: { principal }, signal }: Reader) => {
    const { workspaceId } = principal
    if (workspaceId === null) throw new Fault('workspace_required', 'Specify a workspace: header x-workspace-id.')
    const file = await onSlot({ principal, signal }, parts, (db) => find(db, workspaceId, id))
    assertReadable(file, false)
    return { type: answeredType(file), bytes: await buffer(await parts.store.read(blobOf(file), null, signal)) }
  }
