// The console's files under /settings, from memory. Every path there that is not the API's is a page, which the browser
// finds its way in: all of them are answered with the same file.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { consolePrefix, settingsPrefix } from '#contract/route-paths.ts'
import { sendFile } from '../downloads/static-file.ts'
import type { RequestLog } from '../request/request-log.ts'
import { pathOf } from '../request/target.ts'
import type { ConsoleFiles } from './built-files.ts'

/** Nothing is loaded from elsewhere, sent elsewhere, framed, or run that is not a file of ours. */
export const consoleHeaders = {
  'content-security-policy': [
    ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "font-src 'self'"],
    ...["connect-src 'self'", "base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'"],
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
} as const

export function serveConsole(app: FastifyInstance, { page, assets }: ConsoleFiles, requestLog: RequestLog): void {
  function answer(request: FastifyRequest, reply: FastifyReply): void {
    const path = pathOf(request.url)
    const asset = assets.get(path.slice(consolePrefix.length + 1))
    if (asset === undefined && isNoPage(path)) return void reply.callNotFound()
    requestLog.begin(
      request.raw,
      reply.raw,
      request.id,
      asset === undefined ? `${consolePrefix}/*` : `${consolePrefix}/assets/*`,
    )
    sendFile(request, reply.headers(consoleHeaders), asset ?? page)
  }
  for (const url of [consolePrefix, `${consolePrefix}/*`]) app.route({ method: ['GET', 'HEAD'], url, handler: answer })
}

const isNoPage = (path: string): boolean =>
  [settingsPrefix, `${consolePrefix}/assets`].some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
