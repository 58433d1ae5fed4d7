// Files that were built when the packages were installed: those that console/build/main.ts has written for browsers,
// each with its compressed forms beside it, and the package of the command line by cli/pack.ts.
import { globSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { StartupError } from '#runtime/process.ts'
import { compressedFile, etagOf, type StaticFile } from './static-file.ts'

export const builtFolder = join(import.meta.dirname, '../../console/dist')

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}
/** The name of an asset changes with its content. A page names them, so it is asked for each time. */
const caching = { asset: 'public, max-age=31536000, immutable', page: 'no-cache' } as const

/** By the path below the folder: `assets/name-digest.js`. Throws a StartupError when nothing was built. */
export function builtAssets(folder: string): ReadonlyMap<string, StaticFile> {
  const names = globSync('assets/*', { cwd: folder }).filter((name) => extname(name) in types)
  if (names.length === 0) throw notBuilt(folder)
  return new Map(names.map((name) => [name, fileAt(join(folder, name), caching.asset)]))
}

export const builtPage = (folder: string): StaticFile => fileAt(join(folder, 'index.html'), caching.page)

export const notBuilt = (folder: string, cause?: unknown): StartupError =>
  new StartupError(`The console in ${folder} cannot be read. Run "npm run console:build" first.`, { cause })

/** The same for every caller: it names no address. Throws a StartupError when it was not packed. */
export function commandLinePackage(path = join(import.meta.dirname, '../../docs/workspace-cli.tgz')): StaticFile {
  try {
    return compressedFile(readFileSync(path), 'application/gzip', 'public')
  } catch (cause) {
    throw new StartupError(`The command line in ${path} cannot be read. Run "npm run openapi" first.`, { cause })
  }
}

function fileAt(path: string, caching: string): StaticFile {
  const plain = readFileSync(path)
  const compressed = { br: readFileSync(`${path}.br`), gzip: readFileSync(`${path}.gz`) }
  return { contentType: types[extname(path)] ?? '', etag: etagOf(plain), plain, compressed, caching }
}
