// The starter files as an archive: templates with the address of this installation in them, and its description. They hold
// no secret: a key comes from the environment of whoever runs them.
//
// Anybody may ask, without a key, by any name of this host. So what does not name the address is packed once, what does is
// small and goes in unpacked, and only so many archives for new names are made: beyond that the templates' own address
// stands in them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { asItIs, type File } from './file.ts'
import { take, type Rate } from '../rate-limit/token-bucket.ts'
import { archiveOf, gzippedEntry, packedEntry, plainEntry, type Entry } from './zip.ts'

const folder = join(import.meta.dirname, '../../clients/starter')
/** The address that stands in the templates, and stays there where ours is not known. */
const placeholder = 'https://workspace.example'
const archivesMax = 50
const newNames: Rate = { perMinute: 600, burst: 20 }

type Find = (baseUrl: string | null) => Promise<File>
type Template = { readonly path: string; readonly text: string }

export function starterFiles(description: () => Promise<File>, nowUs = () => performance.now() * 1_000): Find {
  const archives = new LRUCache<string, File>({ max: archivesMax })
  const mayMake = budget(newNames, nowUs)
  let maker: Promise<Maker> | undefined
  // A description that could not be made is tried again at the next call.
  const making = () =>
    (maker ??= description()
      .then(makerOf)
      .catch((error: unknown) => ((maker = undefined), Promise.reject(error))))

  return async (baseUrl) => {
    const { neutral, archiveFor } = await making()
    if (baseUrl === null) return neutral
    const known = archives.get(baseUrl)
    if (known !== undefined) return known
    if (!mayMake()) return neutral
    const archive = archiveFor(baseUrl)
    archives.set(baseUrl, archive)
    return archive
  }
}

type Maker = { readonly neutral: File; archiveFor(baseUrl: string): File }

function makerOf({ plain, gzip }: File): Maker {
  const path = 'openapi.json'
  const described = gzip === null ? packedEntry(path, plain) : gzippedEntry(path, plain, gzip)
  const { named = [], nameless = [] } = Object.groupBy(readTemplates(), ({ text }) =>
    text.includes(placeholder) ? 'named' : 'nameless',
  )
  const fixed = [described, ...nameless.map((template) => packedEntry(template.path, Buffer.from(template.text)))]
  const archiveFor = (baseUrl: string): File => {
    const filledIn = named.map((template) =>
      plainEntry(template.path, Buffer.from(template.text.replaceAll(placeholder, baseUrl))),
    )
    return asItIs(archiveOf([...fixed, ...filledIn].toSorted(byPath)), 'application/zip')
  }
  return { neutral: archiveFor(placeholder), archiveFor }
}

/** Whether there is one left, and takes it. */
function budget(rate: Rate, nowUs: () => number): () => boolean {
  let fullAt = 0
  return () => {
    const taken = take([{ rate, fullAt }], 1, nowUs())
    fullAt = taken.fullAt[0] ?? fullAt
    return taken.allowed
  }
}

const readTemplates = (): Template[] =>
  globSync(['**/*', '**/.*'], { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: file.slice(folder.length + 1), text: readFileSync(file, 'utf8') }))

const byPath = (a: Entry, b: Entry): number => (a.path < b.path ? -1 : 1)
