// The endpoints that only the gateway calls, for itself: look-up of keys, changed keys, reports, readiness.
import type { KeyObject } from 'node:crypto'
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import { Type } from 'typebox'
import { Fault } from '#contract/faults/fault.ts'
import { Id, closed } from '#contract/shared-fields.ts'
import {
  DeniedCall,
  KeyUsage,
  deniedCallsPerReportMax,
  KeyActivity,
  keysPerActivityReportMax,
} from '#contract/internal/reports.ts'
import { keysPerQuestionMax, type KeyRecords, internalPaths } from '#contract/internal/gateway-endpoints.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Database } from '#prisma/client.ts'
import { addActivity } from './api-keys/activity.ts'
import { recentKeyChanges } from './api-keys/key-changes.ts'
import { findByHash, findByHashes } from './api-keys/find-by-hash.ts'
import { addUsage } from './api-keys/usage.ts'
import { recordDeniedCallsIn } from './audit/denied-calls.ts'
import { isOf } from './validation/schema-validator.ts'
import { serveSessionEndpoint } from './session-endpoint.ts'
import { countOnce } from './gateway-reports.ts'
import { verifyPrincipal } from './http/principal.ts'

const isUsageReport = isOf(closed({ id: Id, usage: Type.Array(KeyUsage, { maxItems: 100_000 }) }))
const isActivityReport = isOf(
  closed({ id: Id, activity: Type.Array(KeyActivity, { maxItems: keysPerActivityReportMax }) }),
)
const isDeniedCallReport = isOf(
  closed({ id: Id, denials: Type.Array(DeniedCall, { maxItems: deniedCallsPerReportMax }) }),
)

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

  app.post(internalPaths.keyUsage, { onRequest }, async ({ body }, reply) => {
    if (!isUsageReport(body)) throw new Fault('validation_failed', 'Not a usage report.')
    await countOnce(db, body.id, (tx) => addUsage(tx, body.usage))
    return reply.code(204).send()
  })

  app.post(internalPaths.keyActivity, { onRequest }, async ({ body }, reply) => {
    if (!isActivityReport(body)) throw new Fault('validation_failed', 'Not a report of activity.')
    await countOnce(db, body.id, (tx) => addActivity(tx, body.activity))
    return reply.code(204).send()
  })

  app.post(internalPaths.deniedCalls, { onRequest }, async ({ body }, reply) => {
    if (!isDeniedCallReport(body)) throw new Fault('validation_failed', 'Not a report of denied calls.')
    await countOnce(db, body.id, (tx) => recordDeniedCallsIn(tx, body.denials))
    return reply.code(204).send()
  })
}

function assertIsGateway({ kind }: Principal): void {
  if (kind !== 'gateway') throw new Fault('not_found', 'Nothing here.')
}
