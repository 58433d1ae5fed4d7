// A zip archive: the same files give the same bytes, whenever and wherever it is made.
import { crc32, deflateRawSync } from 'node:zlib'

export type Entry = {
  readonly path: string
  readonly method: number
  readonly checksum: number
  readonly size: number
  readonly packed: Uint8Array
}

const version = 20
const utf8 = 0x0800
const asItIs = 0
const deflated = 8
/** Of the gzip that Node makes: its header, and checksum and size at its end. What lies between is what a zip holds. */
const gzipHeaderBytes = 10
const gzipTrailerBytes = 8
const unix = 3
/** 1 January 1980, the beginning of the format's time. */
const day = 0x21

export const packedEntry = (path: string, content: Uint8Array): Entry => ({
  ...{ path, method: deflated, checksum: crc32(content), size: content.length },
  packed: deflateRawSync(content, { level: 9 }),
})

/** Larger and made at once. */
export const plainEntry = (path: string, content: Uint8Array): Entry => ({
  ...{ path, method: asItIs, checksum: crc32(content), size: content.length, packed: content },
})

/** Of content that was packed elsewhere. */
export const gzippedEntry = (path: string, content: Uint8Array, gzip: Uint8Array): Entry => ({
  ...{ path, method: deflated, checksum: crc32(content), size: content.length },
  packed: gzip.subarray(gzipHeaderBytes, gzip.length - gzipTrailerBytes),
})

export function archiveOf(entries: readonly Entry[]): Buffer {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const entry of entries) {
    const local = localHeader(entry)
    parts.push(local, entry.packed)
    directory.push(directoryHeader(entry, offset))
    offset += local.length + entry.packed.length
  }
  return Buffer.concat([...parts, ...directory, end(entries.length, Buffer.concat(directory).length, offset)])
}

function localHeader(entry: Entry): Buffer {
  const name = Buffer.from(entry.path)
  return Buffer.concat([u32(0x04034b50), u16(version), described(entry, name.length), u16(0), name])
}

function directoryHeader(entry: Entry, offset: number): Buffer {
  const name = Buffer.from(entry.path)
  const mode = entry.path.endsWith('.sh') ? 0o100755 : 0o100644
  return Buffer.concat([
    ...[u32(0x02014b50), u16((unix << 8) | version), u16(version), described(entry, name.length)],
    // No extra field, no comment, first disk, no internal attributes.
    ...[u16(0), u16(0), u16(0), u16(0), u32(mode * 0x10000), u32(offset), name],
  ])
}

/** What both headers say. */
const described = ({ method, checksum, size, packed }: Entry, nameLength: number): Buffer =>
  Buffer.concat([
    ...[u16(utf8), u16(method), u16(0), u16(day)],
    ...[u32(checksum), u32(packed.length), u32(size), u16(nameLength)],
  ])

const end = (count: number, size: number, offset: number): Buffer =>
  Buffer.concat([u32(0x06054b50), u16(0), u16(0), u16(count), u16(count), u32(size), u32(offset), u16(0)])

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
