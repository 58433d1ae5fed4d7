// What anybody may read without a key: the pages, the description of the API, the starter files, and whether the API is
// there. It is made at the first call and answered from memory; no limit of a key stands before it.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { publicPaths } from '#contract/route.ts'
import { describing } from './downloads/openapi.ts'
import { serveDocs, type Serve } from './docs/routes.ts'
import { sendFile, type File } from './downloads/file.ts'
import { baseUrlOf } from './request/base-url.ts'
import type { Serving } from './rest.ts'
import { starterFiles } from './downloads/starter.ts'

type Find = (request: FastifyRequest) => Promise<File>

export function serveDescription(app: FastifyInstance, serving: Pick<Serving, 'running' | 'trusted'>): void {
  const { running, trusted } = serving
  const description = describing()
  const starter = starterFiles(async () => (await description()).json)
  const serve: Serve = (url, answer) =>
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => {
        running.begin(request.raw, reply.raw, request.id, url)
        return answer(request, reply)
      },
    })
  const serveFile = (url: string, find: Find) =>
    serve(url, async (request, reply) => sendFile(request, reply, await find(request)))

  serveDocs(serve)
  serveFile(publicPaths.json, async () => (await description()).json)
  serveFile(publicPaths.yaml, async () => (await description()).yaml)
  serveFile(publicPaths.settings, async () => (await description()).settings)
  serveFile(publicPaths.starter, ({ raw }) => starter(baseUrlOf(raw.headers, raw.socket.remoteAddress, trusted)))
  serve(publicPaths.health, () => ({ status: 'ok' }))
}
