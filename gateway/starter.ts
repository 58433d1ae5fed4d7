// The starter files as an archive: templates with the address of this installation in them, and its description. They hold
// no secret: a key comes from the environment of whoever runs them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { asItIs, type File } from './file.ts'
import { archiveOf, entryOf, type Entry } from './zip.ts'

const folder = join(import.meta.dirname, '../clients/starter')
/** The address that stands in the templates, and stays there where ours is not known. */
const placeholder = 'https://workspace.example'
const archivesMax = 20

/** Archives by address: anybody can ask for any, so only some are remembered. */
export function starterFiles(description: () => Promise<Uint8Array>): (baseUrl: string | null) => Promise<File> {
  const archives = new LRUCache<string, File>({ max: archivesMax })
  let described: Entry | undefined
  let templates: readonly Template[] | undefined
  return async (baseUrl) => {
    const address = baseUrl ?? placeholder
    const known = archives.get(address)
    if (known !== undefined) return known
    described ??= entryOf('openapi.json', await description())
    templates ??= readTemplates()
    const entries = templates.map(({ path, text }) => entryOf(path, Buffer.from(text.replaceAll(placeholder, address))))
    const archive = asItIs(archiveOf([...entries, described].toSorted(byPath)), 'application/zip')
    archives.set(address, archive)
    return archive
  }
}

type Template = { readonly path: string; readonly text: string }

const readTemplates = (): Template[] =>
  globSync(['**/*', '**/.*'], { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: file.slice(folder.length + 1), text: readFileSync(file, 'utf8') }))

const byPath = (a: Entry, b: Entry): number => (a.path < b.path ? -1 : 1)
