// The endpoints that only the gateway calls, for itself: look-up of keys and sessions, changed keys, reports,
// readiness. Reports are counted once. A gateway that got no answer sends its report again and cannot know whether the
// first was taken, so each report has an id, which is stored together with what it adds.
import type { KeyObject } from 'node:crypto'
import type { FastifyInstance, RouteHandlerMethod, onRequestAsyncHookHandler } from 'fastify'
import { Type } from 'typebox'
import { Fault } from '#contract/faults/fault.ts'
import { internalPaths, keysPerQuestionMax, type KeyRecords } from '#contract/internal/gateway-endpoints.ts'
import { ReportedCall, callsPerReportMax } from '#contract/internal/api-calls.ts'
import type { Principal } from '#contract/internal/principal.ts'
import {
  DeniedCall,
  KeyUsage,
  deniedCallsPerReportMax,
  KeyActivity,
  keysPerActivityReportMax,
  PreviousSecretUse,
  previousSecretsPerReportMax,
} from '#contract/internal/reports.ts'
import { Id, closed } from '#contract/shared-fields.ts'
import type { Database } from '#prisma/client.ts'
import { transact } from '#prisma/transaction.ts'
import { recordCalls } from './api-calls/rows.ts'
import { addActivity, addPreviousSecretUse, addUsage, deleteReports, insertReport } from './keys/usage/rows.ts'
import { findByHash, findByHashes } from './keys/api-keys/key-record.ts'
import { recentKeyChanges } from './keys/api-keys/rows.ts'
import { findSession } from './identity/sessions/rows.ts'
import { recordDeniedCallsIn } from './audit/denied-calls.ts'
import type { Db } from './execution/call.ts'
import { verifyPrincipal } from './http/principal.ts'
import { isOf } from './validation/schema-validator.ts'

const isUsageReport = isOf(closed({ id: Id, usage: Type.Array(KeyUsage, { maxItems: 100_000 }) }))
const isPreviousSecretReport = isOf(
  closed({ id: Id, usage: Type.Array(PreviousSecretUse, { maxItems: previousSecretsPerReportMax }) }),
)
const isActivityReport = isOf(
  closed({ id: Id, activity: Type.Array(KeyActivity, { maxItems: keysPerActivityReportMax }) }),
)
const isDeniedCallReport = isOf(
  closed({ id: Id, denials: Type.Array(DeniedCall, { maxItems: deniedCallsPerReportMax }) }),
)
const isCallReport = isOf(closed({ id: Id, calls: Type.Array(ReportedCall, { maxItems: callsPerReportMax }) }))

const hashForm = /^[0-9a-f]{64}$/
const isKeysQuestion = isOf(
  closed({ hashes: Type.Array(Type.String({ pattern: hashForm.source }), { maxItems: keysPerQuestionMax }) }),
)

export function serveGatewayEndpoints(
  app: FastifyInstance,
  db: Database,
  principalKey: KeyObject,
  ready: RouteHandlerMethod,
): void {
  const onRequest = verifyPrincipal(principalKey, assertIsGateway)

  // The same as `/ready`, but signed: a gateway with another internal secret notices before its callers do.
  app.get(internalPaths.ready, { onRequest }, ready)

  app.get<{ Params: { hash: string } }>(
    `${internalPaths.keyByHash}/:hash`,
    { onRequest },
    async ({ params }, reply) => {
      const record = hashForm.test(params.hash) ? await findByHash(db, Buffer.from(params.hash, 'hex')) : null
      if (record === null) throw new Fault('not_found', 'No key has this hash.')
      return reply.send(record)
    },
  )

  app.post(internalPaths.keysByHash, { onRequest }, async ({ body }, reply) => {
    if (!isKeysQuestion(body)) throw new Fault('validation_failed', 'Not a list of hashes.')
    const keys = await findByHashes(
      db,
      body.hashes.map((hash) => Buffer.from(hash, 'hex')),
    )
    return reply.send({ keys } satisfies KeyRecords)
  })

  serveSessionEndpoint(app, db, onRequest)
  app.get(internalPaths.keyChanges, { onRequest }, async (_request, reply) => reply.send(await recentKeyChanges(db)))

  serveReports(app, db, onRequest)
}

/** What gateways report: each report is taken once, however often it arrives. */
function serveReports(app: FastifyInstance, db: Database, onRequest: onRequestAsyncHookHandler): void {
  function take<Report extends { readonly id: string }>(
    path: string,
    isReport: (body: unknown) => body is Report,
    write: (tx: Db, report: Report) => Promise<unknown>,
  ): void {
    app.post(path, { onRequest }, async ({ body }, reply) => {
      if (!isReport(body)) throw new Fault('validation_failed', `Not a report for ${path}.`)
      await countOnce(db, body.id, async (tx) => void (await write(tx, body)))
      return reply.code(204).send()
    })
  }
  take(internalPaths.keyUsage, isUsageReport, (tx, { usage }) => addUsage(tx, usage))
  take(internalPaths.previousSecretUse, isPreviousSecretReport, (tx, { usage }) => addPreviousSecretUse(tx, usage))
  take(internalPaths.keyActivity, isActivityReport, (tx, { activity }) => addActivity(tx, activity))
  take(internalPaths.deniedCalls, isDeniedCallReport, (tx, { denials }) => recordDeniedCallsIn(tx, denials))
  take(internalPaths.apiCalls, isCallReport, (tx, { calls }) => recordCalls(tx, calls, new Date()))
}

function assertIsGateway({ kind }: Principal): void {
  if (kind !== 'gateway') throw new Fault('not_found', 'Nothing here.')
}

type Params = { readonly hash: string; readonly workspaceId: string }

const isId = isOf(Id)

/** In place of the id of a workspace anything else stands for none. */
function serveSessionEndpoint(app: FastifyInstance, db: Database, onRequest: onRequestAsyncHookHandler): void {
  app.get<{ Params: Params }>(
    `${internalPaths.sessionByHash}/:hash/:workspaceId`,
    { onRequest },
    async ({ params: { hash, workspaceId } }, reply) => {
      const asked = isId(workspaceId) ? workspaceId : null
      const isHash = /^[0-9a-f]{64}$/.test(hash)
      const record = isHash ? await findSession(db, Buffer.from(hash, 'hex'), asked, new Date()) : null
      if (record === null) throw new Fault('not_found', 'No session has this hash.')
      return reply.send(record)
    },
  )
}

/** A gateway that is cut off for longer than this, after a report whose answer was lost, may count that one twice. */
const reportIdsKeptHours = 24
const batchMax = 5_000

/** Counts all of the report or nothing. The same report, sent to another service meanwhile, waits for the first. */
export function countOnce(db: Database, reportId: string, count: (tx: Db) => Promise<void>): Promise<void> {
  return transact(db, async (tx) => {
    const isNew = await insertReport(tx, reportId)
    if (isNew === 1) await count(tx)
  })
}

/** Deletes in batches, so that no statement holds many rows for long. */
export async function deleteOutdatedReports(db: Database): Promise<void> {
  for (let last = batchMax; last === batchMax;) {
    last = await deleteReports(db, reportIdsKeptHours, batchMax)
  }
}
