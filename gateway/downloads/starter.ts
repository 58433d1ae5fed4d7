// The starter files as a zip archive: templates with the address of this installation filled in, and the description of
// the API. They hold no secret: the key comes from the environment of whoever runs them.
//
// Anybody may ask, without a key, by any name of this host. So what does not name the address is compressed once, what
// does is small and not compressed, and archives for new names are made at a bounded rate: beyond it callers get the
// archive with the templates' own address.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { archiveOf, entryOf, type Entry } from './archive.ts'
import { asItIs, type File } from './file.ts'

const folder = join(import.meta.dirname, '../../clients/starter')
/** The address in the templates; it stays where ours is not known. */
const placeholder = 'https://workspace.example'
const archivesMax = 50
const newNamesPerSecond = 10
const newNamesBurst = 20

type Find = (baseUrl: string | null) => File
type Template = { readonly path: string; readonly text: string }

/** `openApi` is asked once, for the JSON that goes into each archive. */
export function starterFiles(openApi: () => Uint8Array, nowMs = () => performance.now()): Find {
  const archives = new LRUCache<string, File>({ max: archivesMax })
  const mayMakeOne = newNameBudget(nowMs)
  let maker: Maker | undefined

  return (baseUrl) => {
    const { neutral, archiveFor } = (maker ??= makerOf(openApi()))
    if (baseUrl === null) return neutral
    const known = archives.get(baseUrl)
    if (known !== undefined) return known
    if (!mayMakeOne()) return neutral
    const archive = archiveFor(baseUrl)
    archives.set(baseUrl, archive)
    return archive
  }
}

type Maker = { readonly neutral: File; archiveFor(baseUrl: string): File }

function makerOf(openApi: Uint8Array): Maker {
  const { named = [], nameless = [] } = Object.groupBy(readTemplates(), ({ text }) =>
    text.includes(placeholder) ? 'named' : 'nameless',
  )
  const fixed = [
    entryOf('openapi.json', openApi, 9),
    ...nameless.map(({ path, text }) => entryOf(path, Buffer.from(text), 9)),
  ]
  const archiveFor = (baseUrl: string): File => {
    const filledIn = named.map(({ path, text }) => entryOf(path, Buffer.from(text.replaceAll(placeholder, baseUrl)), 0))
    return asItIs(archiveOf([...fixed, ...filledIn].toSorted(byPath)), 'application/zip')
  }
  return { neutral: archiveFor(placeholder), archiveFor }
}

/** Returns a function that says whether an archive for one more new name may be made, and counts it. */
function newNameBudget(nowMs: () => number): () => boolean {
  let left = newNamesBurst
  let countedAtMs = nowMs()
  return () => {
    const now = nowMs()
    left = Math.min(newNamesBurst, left + ((now - countedAtMs) / 1_000) * newNamesPerSecond)
    countedAtMs = now
    if (left < 1) return false
    left -= 1
    return true
  }
}

const readTemplates = (): Template[] =>
  globSync(['**/*', '**/.*'], { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: file.slice(folder.length + 1), text: readFileSync(file, 'utf8') }))

const byPath = (a: Entry, b: Entry): number => (a.path < b.path ? -1 : 1)
