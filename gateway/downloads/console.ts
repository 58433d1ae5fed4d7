// The console's files under /settings, from memory. Every path there that is not the API's is a page, which the browser
// finds its way in: all of them are answered with the same file. console/build/main.ts has written them, when the
// packages were installed or the image was built.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { consolePrefix, settingsPrefix } from '#contract/route-paths.ts'
import { builtAssets, builtFolder, builtPage, notBuilt } from './built-files.ts'
import { browserHeaders } from './html.ts'
import { sendFile, type StaticFile } from './static-file.ts'
import type { RequestLog } from '../request/request-log.ts'
import { pathOf } from '../request/request-head.ts'
import { StartupError } from '#runtime/process.ts'

export const consoleHeaders = browserHeaders("'self'")

export function serveConsole(app: FastifyInstance, { page, assets }: ConsoleFiles, requestLog: RequestLog): void {
  function answer(request: FastifyRequest, reply: FastifyReply): void {
    const path = pathOf(request.url)
    const asset = assets.get(path.slice(consolePrefix.length + 1))
    if (asset === undefined && isNoPage(path)) {
      reply.callNotFound()
      return
    }
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

/** `page` is the answer at each of the console's pages; `assets` what it loads, by the path below `/settings`. */
export type ConsoleFiles = { readonly page: StaticFile; readonly assets: ReadonlyMap<string, StaticFile> }

let installed: ConsoleFiles | undefined

/** That of this installation, read once in a process. */
export const installedConsole = (): ConsoleFiles => (installed ??= readConsole())

/** Throws a StartupError when the console was not built. */
export function readConsole(folder = builtFolder): ConsoleFiles {
  try {
    return { page: builtPage(folder), assets: builtAssets(folder) }
  } catch (cause) {
    throw cause instanceof StartupError ? cause : notBuilt(folder, cause)
  }
}
