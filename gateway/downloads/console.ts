// The console's files under /settings, from memory. Every path there that is not the API's is a page, which the browser
// finds its way in: all of them are answered with the same file. console/build/main.ts has written them, when the
// packages were installed or the image was built.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { consolePrefix, settingsPrefix } from '#contract/route-paths.ts'
import { sendFile, etagOf, type StaticFile } from './static-file.ts'
import type { RequestLog } from '../request/request-log.ts'
import { pathOf } from '../request/request-head.ts'
import { globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { StartupError } from '#runtime/process.ts'

/** Nothing is loaded from elsewhere, sent elsewhere, framed, or run that is not a file of ours. */
export const consoleHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
} as const

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

const dist = join(import.meta.dirname, '../../console/dist')
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
/** The name of an asset changes with its content. The page names them, so it is asked for each time. */
const caching = { asset: 'public, max-age=31536000, immutable', page: 'no-cache' } as const

let installed: ConsoleFiles | undefined

/** That of this installation, read once in a process. */
export const installedConsole = (): ConsoleFiles => (installed ??= readConsole())

/** Throws a StartupError when the console was not built. */
export function readConsole(folder = dist): ConsoleFiles {
  try {
    const names = globSync('assets/*', { cwd: folder }).filter((name) => extname(name) in types)
    return {
      page: fileAt(join(folder, 'index.html'), caching.page),
      assets: new Map(names.map((name) => [name, fileAt(join(folder, name), caching.asset)])),
    }
  } catch (cause) {
    throw new StartupError(`The console in ${folder} cannot be read. Run "npm run console:build" first.`, {
      cause,
    })
  }
}

function fileAt(path: string, caching: string): StaticFile {
  const plain = readFileSync(path)
  const compressed = { br: readFileSync(`${path}.br`), gzip: readFileSync(`${path}.gz`) }
  return { contentType: types[extname(path)] ?? '', etag: etagOf(plain), plain, compressed, caching }
}
