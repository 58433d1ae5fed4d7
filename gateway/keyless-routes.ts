// What anybody may read without a key: the pages, the descriptions of the API, the starter files, and whether the API is
// there. All of it is answered from memory, and no rate limit applies.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { publicPaths } from '#contract/route-paths.ts'
import type { AddressRange } from '#runtime/ip-address.ts'
import { serveDocs, type Serve } from './docs/routes.ts'
import type { Descriptions } from './downloads/openapi.ts'
import { addressedFiles, type AddressedText } from './downloads/addressed-text.ts'
import { starterFiles } from './downloads/starter-files.ts'
import { sendFile, type StaticFile } from './downloads/static-file.ts'
import { baseUrlOf } from './request/base-url.ts'
import type { RequestLog } from './request/request-log.ts'

type FindFile = (request: FastifyRequest) => StaticFile
type DownloadsDeps = {
  readonly descriptions: Descriptions
  readonly requestLog: RequestLog
  /** Proxies whose X-Forwarded-Proto is believed. */
  readonly trustedProxies: readonly AddressRange[]
  /** The address that callers use; null where nobody has said: then each caller is told the one that it has used. */
  readonly publicUrl: string | null
}

export function serveKeylessRoutes(
  app: FastifyInstance,
  { descriptions, requestLog, trustedProxies, publicUrl }: DownloadsDeps,
): void {
  const { json, yaml, settings } = descriptions
  const addressOf = ({ raw }: FastifyRequest): string | null =>
    publicUrl ?? baseUrlOf(raw.headers, raw.socket.remoteAddress, trustedProxies)
  const sharing = publicUrl === null ? 'private' : 'public'
  const starter = starterFiles(json, sharing)
  const serve: Serve = (url, answer) =>
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => {
        requestLog.begin(request.raw, reply.raw, request.id, url)
        return answer(request, reply)
      },
    })
  const serveFile = (url: string, findFile: FindFile) =>
    serve(url, (request, reply) => sendFile(request, reply, findFile(request)))
  const serveDescription = (url: string, text: AddressedText, contentType: string) => {
    const files = addressedFiles(text, contentType, sharing)
    serveFile(url, (request) => files(addressOf(request) ?? '/'))
  }

  serveDocs(serve)
  serveDescription(publicPaths.json, json, 'application/json')
  serveDescription(publicPaths.yaml, yaml, 'application/yaml')
  serveDescription(publicPaths.settings, settings, 'application/json')
  serveFile(publicPaths.starter, (request) => starter(addressOf(request)))
  serve(publicPaths.health, () => ({ status: 'ok' }))
}
