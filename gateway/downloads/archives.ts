// Zip archives with the address of this installation filled in.
//
// Anyone may ask, without a key, by any name of this host. So what does not name the address is compressed once, and so
// is the description around its address; the rest is small and not compressed. Archives for new addresses are made at a
// bounded rate: beyond it callers get the archive with the templates' own address.
import { LRUCache } from 'lru-cache'
import { placeholderAddress } from '#contract/route-paths.ts'
import { memoryBuckets, type Rate } from '../rate-limit/token-bucket.ts'
import type { AddressedText, Sharing } from './openapi.ts'
import { compressedFile, type StaticFile } from './static-file.ts'
import { crc32, deflateRawSync } from 'node:zlib'
import { Zip, type ZipInputFile } from 'fflate'

const archivesMax = 50
/** Each new archive costs a token. */
const newArchives: Rate = { perMinute: 600, burst: 20 }

/** It may name the placeholder address. */
export type Template = { readonly path: string; readonly text: string }
type ArchiveContents = {
  /** Called at the first request. */
  readonly templates: () => readonly Template[]
  /** Texts that are compressed around their address, by path. */
  readonly addressed?: Readonly<Record<string, AddressedText>>
  readonly sharing: Sharing
  readonly nowMs?: (() => number) | undefined
}
type MakeArchive = (baseUrl: string) => StaticFile

/** Returns a function that finds the archive for an address, null where the address is not known. */
export function archiveFiles(contents: ArchiveContents): (baseUrl: string | null) => StaticFile {
  const { nowMs = () => performance.now() } = contents
  const archives = new LRUCache<string, StaticFile>({ max: archivesMax })
  const buckets = memoryBuckets(() => Math.round(nowMs() * 1_000))
  let prepared: { readonly neutral: StaticFile; readonly makeArchive: MakeArchive } | undefined

  return (baseUrl) => {
    const { neutral, makeArchive } = (prepared ??= prepare(contents))
    if (baseUrl === null) return neutral
    const known = archives.get(baseUrl)
    if (known !== undefined) return known
    if (!buckets.consume([{ name: 'archives', rate: newArchives }], 1).allowed) return neutral
    const archive = makeArchive(baseUrl)
    archives.set(baseUrl, archive)
    return archive
  }
}

function prepare(contents: ArchiveContents) {
  const makeArchive = archiveMaker(contents)
  return { neutral: makeArchive(placeholderAddress), makeArchive }
}

function archiveMaker({ templates, addressed = {}, sharing }: ArchiveContents): MakeArchive {
  const { withAddress = [], withoutAddress = [] } = Object.groupBy(templates(), ({ text }) =>
    text.includes(placeholderAddress) ? 'withAddress' : 'withoutAddress',
  )
  const fixed = withoutAddress.map(({ path, text }) => zipEntry(path, Buffer.from(text), 9))
  return (baseUrl) => {
    const filledIn = withAddress.map(({ path, text }) =>
      zipEntry(path, Buffer.from(text.replaceAll(placeholderAddress, baseUrl)), 0),
    )
    const around = Object.entries(addressed).map(([path, text]) => ({ path, ...text(baseUrl) }))
    const entries = [...fixed, ...around, ...filledIn]
    return compressedFile(zipArchive(entries.toSorted(byPath)), 'application/zip', sharing)
  }
}

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
