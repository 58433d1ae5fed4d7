// The console as console/build/main.ts has written it, when the packages were installed or the image was built.
import { globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { StartupError } from '#runtime/process.ts'
import { etagOf, type StaticFile } from '../downloads/static-file.ts'

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
    throw new StartupError(`The console in ${folder} cannot be read. Run "node console/build/main.ts" first.`, {
      cause,
    })
  }
}

function fileAt(path: string, caching: string): StaticFile {
  const plain = readFileSync(path)
  const compressed = { br: readFileSync(`${path}.br`), gzip: readFileSync(`${path}.gz`) }
  return { contentType: types[extname(path)] ?? '', etag: etagOf(plain), plain, compressed, caching }
}
