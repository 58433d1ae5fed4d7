// What anybody may read without a key: the pages, the descriptions of the API, the starter files, and whether the API is
// there. All of it is answered from memory, and no limit of a key stands before it.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { publicPaths } from '#contract/route.ts'
import type { AddressRange } from '#runtime/ip-address.ts'
import { serveDocs, type Serve } from './docs/routes.ts'
import { sendFile, type File } from './downloads/file.ts'
import { readDescriptions } from './downloads/openapi.ts'
import { starterFiles } from './downloads/starter.ts'
import { baseUrlOf } from './request/base-url.ts'
import type { RequestLog } from './request/request-log.ts'

type Find = (request: FastifyRequest) => File

/** Throws a StartupError when the descriptions have not been built. */
export function servePublicRoutes(
  app: FastifyInstance,
  requestLog: RequestLog,
  trustedProxies: readonly AddressRange[],
): void {
  const { json, yaml, settings } = readDescriptions()
  const starter = starterFiles(() => json.plain)
  const serve: Serve = (url, answer) =>
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => {
        requestLog.begin(request.raw, reply.raw, request.id, url)
        return answer(request, reply)
      },
    })
  const serveFile = (url: string, find: Find) => serve(url, (request, reply) => sendFile(request, reply, find(request)))

  serveDocs(serve)
  serveFile(publicPaths.json, () => json)
  serveFile(publicPaths.yaml, () => yaml)
  serveFile(publicPaths.settings, () => settings)
  serveFile(publicPaths.starter, ({ raw }) => starter(baseUrlOf(raw.headers, raw.socket.remoteAddress, trustedProxies)))
  serve(publicPaths.health, () => ({ status: 'ok' }))
}
