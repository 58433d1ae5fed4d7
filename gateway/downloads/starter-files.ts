// The starter files as a zip archive: templates with the address of this installation filled in, and the description of
// the API. They hold no secret: the key comes from the environment in which they run.
//
// Anyone may ask, without a key, by any name of this host. So what does not name the address is compressed once, and so
// is the description around its address; the rest is small and not compressed. Archives for new addresses are made at a
// bounded rate: beyond it callers get the archive with the templates' own address.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import { memoryBuckets, type Rate } from '../rate-limit/token-bucket.ts'
import type { AddressedText, Sharing } from './openapi.ts'
import { compressedFile, type StaticFile } from './static-file.ts'
import { crc32, deflateRawSync } from 'node:zlib'
import { Zip, type ZipInputFile } from 'fflate'

const folder = join(import.meta.dirname, '../../clients/starter')
/** The sources of the published clients that the samples use: their folder in the archive, and where ours are. */
const clients = [
  { place: 'typescript/workspace-client', from: 'typescript/src', extension: 'ts' },
  { place: 'python/workspace_client', from: 'python/src/workspace_client', extension: 'py' },
] as const
/** Where the samples find the client in this repository, and in the archive. */
const clientHere = '../../typescript/src/'
const clientThere = './workspace-client/'
/** The address in the templates; it stays where ours is not known. */
const placeholder = 'https://workspace.example'
const archivesMax = 50
/** Each new archive costs a token. */
const newArchives: Rate = { perMinute: 600, burst: 20 }

type Template = { readonly path: string; readonly text: string }
type MakeArchive = (baseUrl: string) => StaticFile

/** Returns a function that finds the archive for an address, null where the address is not known. */
export function starterFiles(
  openApi: AddressedText,
  sharing: Sharing,
  nowMs = () => performance.now(),
): (baseUrl: string | null) => StaticFile {
  const archives = new LRUCache<string, StaticFile>({ max: archivesMax })
  const buckets = memoryBuckets(() => Math.round(nowMs() * 1_000))
  let prepared: { readonly neutral: StaticFile; readonly makeArchive: MakeArchive } | undefined

  return (baseUrl) => {
    const { neutral, makeArchive } = (prepared ??= prepare(openApi, sharing))
    if (baseUrl === null) return neutral
    const known = archives.get(baseUrl)
    if (known !== undefined) return known
    if (!buckets.consume([{ name: 'archives', rate: newArchives }], 1).allowed) return neutral
    const archive = makeArchive(baseUrl)
    archives.set(baseUrl, archive)
    return archive
  }
}

function prepare(openApi: AddressedText, sharing: Sharing) {
  const makeArchive = archiveMaker(openApi, sharing, readTemplates())
  return { neutral: makeArchive(placeholder), makeArchive }
}

function archiveMaker(openApi: AddressedText, sharing: Sharing, templates: readonly Template[]): MakeArchive {
  const { withAddress = [], withoutAddress = [] } = Object.groupBy(templates, ({ text }) =>
    text.includes(placeholder) ? 'withAddress' : 'withoutAddress',
  )
  const fixed = withoutAddress.map(({ path, text }) => zipEntry(path, Buffer.from(text), 9))
  return (baseUrl) => {
    const filledIn = withAddress.map(({ path, text }) =>
      zipEntry(path, Buffer.from(text.replaceAll(placeholder, baseUrl)), 0),
    )
    const entries = [...fixed, { path: 'openapi.json', ...openApi(baseUrl) }, ...filledIn]
    return compressedFile(zipArchive(entries.toSorted(byPath)), 'application/zip', sharing)
  }
}

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

const byPath = (a: ZipEntry, b: ZipEntry): number => (a.path < b.path ? -1 : 1)

export type ZipEntry = {
  readonly path: string
  /** Of the content, before it is compressed. */
  readonly sizeBytes: number
  readonly checksum: number
  readonly deflated: Uint8Array<ArrayBuffer>
}

const deflate = 8
const unix = 3
/** The earliest time that a zip can hold. fflate writes local time, which this is midnight of in any time zone. */
const modifiedAt = new Date(1980, 0, 1)

/** Level 9 for what goes into many archives; 0, which only wraps the bytes, for what goes into one. */
export function zipEntry(path: string, content: Uint8Array, level: 0 | 9): ZipEntry {
  const deflated = deflateRawSync(content, { level })
  return { path, sizeBytes: content.length, checksum: crc32(content), deflated }
}

/**
 * Of entries that are compressed beforehand, so that one entry can go into many archives. The same entries give the
 * same bytes, whenever and wherever the archive is made.
 */
export function zipArchive(entries: readonly ZipEntry[]): Buffer {
  const chunks: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error
    chunks.push(chunk)
  })
  for (const { path, sizeBytes, checksum, deflated } of entries) {
    const attrs = (path.endsWith('.sh') ? 0o100755 : 0o100644) << 16
    const file: ZipInputFile = {
      filename: path,
      size: sizeBytes,
      crc: checksum,
      compression: deflate,
      os: unix,
      attrs,
      mtime: modifiedAt,
    }
    zip.add(file)
    file.ondata?.(null, deflated, true)
  }
  zip.end()
  return Buffer.concat(chunks)
}
