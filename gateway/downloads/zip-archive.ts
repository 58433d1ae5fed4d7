// A zip archive of entries that are compressed beforehand, so that one entry can go into many archives. The same entries
// give the same bytes, whenever and wherever the archive is made.
import { crc32, deflateRawSync } from 'node:zlib'
import { Zip, type ZipInputFile } from 'fflate'

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

export function zipArchive(entries: readonly ZipEntry[]): Buffer {
  const chunks: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error
    chunks.push(chunk)
  })
  for (const { path, sizeBytes, checksum, deflated } of entries) {
    const attrs = (path.endsWith('.sh') ? 0o100755 : 0o100644) << 16
    const file: ZipInputFile = {
      ...{ filename: path, size: sizeBytes, crc: checksum, compression: deflate },
      ...{ os: unix, attrs, mtime: modifiedAt },
    }
    zip.add(file)
    file.ondata?.(null, deflated, true)
  }
  zip.end()
  return Buffer.concat(chunks)
}
