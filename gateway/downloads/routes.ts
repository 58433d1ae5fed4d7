// Routes that need no key: the pages of the documentation, the descriptions of the API, collections of requests, the
// starter files, the command line, and whether the API is there. All of it is answered from memory, and no rate limit
// applies.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { placeholderAddress, publicPaths } from '#contract/route-paths.ts'
import type { AddressRange } from '#runtime/ip-address.ts'
import { commandLinePackage } from './built-files.ts'
import { collectionFiles } from './collections.ts'
import { addressedFiles, type AddressedText, type Descriptions } from './openapi.ts'
import { starterFiles } from './starter-files.ts'
import { sendFile, type StaticFile } from './static-file.ts'
import { baseUrlOf } from '../request/trusted-proxies.ts'
import type { RequestLog } from '../request/request-log.ts'
import { serveSite, type Serve } from './site-routes.ts'

type FindFile = (request: FastifyRequest) => StaticFile
type DownloadsDeps = {
  readonly descriptions: Descriptions
  readonly requestLog: RequestLog
  /** Proxies whose X-Forwarded-Proto is believed. */
  readonly trustedProxies: readonly AddressRange[]
  /** The address that callers use; null where it is not set: then each caller is told the one that it has used. */
  readonly publicUrl: string | null
}

export function serveDownloads(
  app: FastifyInstance,
  { descriptions, requestLog, trustedProxies, publicUrl }: DownloadsDeps,
): void {
  const { json, yaml, settings } = descriptions
  const addressOf = ({ raw }: FastifyRequest): string | null =>
    publicUrl ?? baseUrlOf(raw.headers, raw.socket.remoteAddress, trustedProxies)
  const sharing = publicUrl === null ? 'private' : 'public'
  const starter = starterFiles(json, sharing)
  const commandLine = commandLinePackage()
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

  serveSite(serve, { addressOf: (request) => addressOf(request) ?? placeholderAddress, sharing })
  serveDescription(publicPaths.json, json, 'application/json')
  serveDescription(publicPaths.yaml, yaml, 'application/yaml')
  serveDescription(publicPaths.settings, settings, 'application/json')
  for (const [url, find] of collectionFiles(sharing)) serveFile(url, (request) => find(addressOf(request)))
  serveFile(publicPaths.starter, (request) => starter(addressOf(request)))
  serveFile(publicPaths.commandLine, () => commandLine)
  serve(publicPaths.health, () => ({ status: 'ok' }))
}
