// What the tools of others read, with the address of this installation filled in: every operation as a request, which
// docs/openapi.ts has written, and the workflows. The files are read at the start, where a missing one shows, and
// compressed at the first request, which takes some 40 ms.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { placeholderAddress, publicPaths } from '#contract/route-paths.ts'
import { StartupError } from '#runtime/process.ts'
import { archiveFiles } from './archives.ts'
import { addressedFiles, addressedText, type Sharing } from './openapi.ts'
import type { StaticFile } from './static-file.ts'

/** `baseUrl`: null where the address is not known. */
type FindFile = (baseUrl: string | null) => StaticFile
type Texts = { readonly postman: string; readonly bruno: string; readonly http: string; readonly workflows: string }

const docs = join(import.meta.dirname, '../../docs')
/** Each file of Postman has half a megabyte. */
const addressesMax = 8

let installed: Texts | undefined

/** The files by the path at which they are served. */
export function collectionFiles(sharing: Sharing): ReadonlyMap<string, FindFile> {
  const { postman, bruno, http, workflows } = (installed ??= readCollections())
  return new Map([
    [publicPaths.postman, textFiles(postman, 'application/json', sharing)],
    [publicPaths.bruno, archiveFiles({ templates: () => templatesIn(bruno), sharing })],
    [publicPaths.http, textFiles(http, 'text/plain; charset=utf-8', sharing)],
    [publicPaths.workflows, textFiles(workflows, 'application/yaml', sharing)],
  ])
}

/** Throws a StartupError when a file is missing, or is none of those that were written. */
export const readCollections = (folder = docs): Texts => ({
  postman: read(join(folder, 'postman.json')),
  bruno: read(join(folder, 'bruno.json')),
  http: read(join(folder, 'requests.http')),
  workflows: read(join(folder, 'workflows.arazzo.yaml')),
})

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
