// The gateway's question for a session, asked with every call of somebody who is signed in.
import type { FastifyInstance, onRequestAsyncHookHandler } from 'fastify'
import { Fault } from '#contract/faults/fault.ts'
import { internalPaths } from '#contract/internal/gateway-endpoints.ts'
import { Id } from '#contract/shared-fields.ts'
import type { Database } from '#prisma/client.ts'
import { findSession } from './sessions/find-by-hash.ts'
import { isOf } from './validation/schema-validator.ts'

type Params = { readonly hash: string; readonly workspaceId: string }

const isId = isOf(Id)

/** In place of the id of a workspace anything else stands for none. */
export function serveSessionEndpoint(app: FastifyInstance, db: Database, onRequest: onRequestAsyncHookHandler): void {
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
