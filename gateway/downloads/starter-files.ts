// The starter files: templates with the address of this installation filled in, and the description of the API. They
// hold no secret: the key comes from the environment in which they run.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { archiveFiles, type Template } from './archives.ts'
import type { AddressedText, Sharing } from './openapi.ts'
import type { StaticFile } from './static-file.ts'

const folder = join(import.meta.dirname, '../../clients/starter')
/** The sources of the published clients that the samples use: their folder in the archive, and where ours are. */
const clients = [
  { place: 'typescript/workspace-client', from: 'typescript/src', extension: 'ts' },
  { place: 'python/workspace_client', from: 'python/src/workspace_client', extension: 'py' },
] as const
/** Where the samples find the client in this repository, and in the archive. */
const clientHere = '../../typescript/src/'
const clientThere = './workspace-client/'

/** Returns a function that finds the archive for an address, null where the address is not known. */
export const starterFiles = (
  openApi: AddressedText,
  sharing: Sharing,
  nowMs?: () => number,
): ((baseUrl: string | null) => StaticFile) =>
  archiveFiles({ templates: readTemplates, addressed: { 'openapi.json': openApi }, sharing, nowMs })

const readTemplates = (): Template[] => [
  ...filesIn(folder, ['**/*', '**/.*']).map(({ path, text }) => ({
    path,
    text: text.replaceAll(clientHere, clientThere),
  })),
  ...clients.flatMap(({ place, from, extension }) =>
    filesIn(join(folder, '..', from), [`*.${extension}`]).map(({ path, text }) => ({ path: `${place}/${path}`, text })),
  ),
]

const filesIn = (folder: string, patterns: readonly string[]): Template[] =>
  globSync(patterns, { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: file.slice(folder.length + 1), text: readFileSync(file, 'utf8') }))
