// What the tools of others read, with the address of this installation filled in: every operation as a request and the
// description in OpenAPI 3.0, which docs/openapi.ts has written; the workflows and the overlay. The files are read at
// the start, where a missing one shows, and compressed at the first request: the largest takes some 100 ms.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { placeholderAddress, publicPaths } from '#contract/route-paths.ts'
import { StartupError } from '#runtime/process.ts'
import { archiveFiles } from './archives.ts'
import { addressedFiles, addressedText, type Sharing } from './openapi.ts'
import type { StaticFile } from './static-file.ts'

/** `baseUrl`: null where the address is not known. */
type FindFile = (baseUrl: string | null) => StaticFile

const docs = join(import.meta.dirname, '../../docs')
const names = {
  json30: 'openapi-3.0.json',
  postman: 'postman.json',
  bruno: 'bruno.json',
  http: 'requests.http',
  workflows: 'workflows.arazzo.yaml',
  overlay: 'generators.overlay.yaml',
} as const
type Texts = Readonly<Record<keyof typeof names, string>>
/** Each is kept for so many addresses: those of callers by any name of this host are made anew. */
const addressesMax = 8

let installed: Texts | undefined

/** The files by the path at which they are served. */
export function collectionFiles(sharing: Sharing): ReadonlyMap<string, FindFile> {
  const { bruno, ...texts } = (installed ??= readCollections())
  const types = {
    json30: 'application/json',
    postman: 'application/json',
    http: 'text/plain; charset=utf-8',
    workflows: 'application/yaml',
    overlay: 'application/yaml',
  } as const
  const files = Object.entries(types) as [keyof typeof types, string][]
  return new Map([
    [publicPaths.bruno as string, archiveFiles({ templates: () => templatesIn(bruno), sharing })],
    ...files.map(([name, type]) => [publicPaths[name], textFiles(texts[name], type, sharing)] as const),
  ])
}

/** Throws a StartupError when a file is missing, or is none of those that were written. */
export function readCollections(folder = docs): Texts {
  const texts = Object.entries(names).map(([name, file]) => [name, read(join(folder, file))])
  return Object.fromEntries(texts) as Texts
}

function read(path: string): string {
  try {
    const text = readFileSync(path, 'utf8')
    if (!text.includes(placeholderAddress)) throw new Error('The file has no place for the address')
    return text
  } catch (cause) {
    throw new StartupError(`The download ${path} cannot be read. Run "npm run openapi" first.`, { cause })
  }
}

function textFiles(text: string, contentType: string, sharing: Sharing): FindFile {
  let find: ((address: string) => StaticFile) | undefined
  return (baseUrl) => {
    find ??= addressedFiles(addressedText(text, placeholderAddress), contentType, sharing, addressesMax)
    return find(baseUrl ?? placeholderAddress)
  }
}

const templatesIn = (bruno: string) =>
  Object.entries(JSON.parse(bruno) as Readonly<Record<string, string>>).map(([path, text]) => ({ path, text }))
