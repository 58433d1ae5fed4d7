// Unpacks a zip archive by its central directory, and checks what the directory says of each file.
import { crc32, inflateRawSync } from 'node:zlib'

type Unpacked = { readonly path: string; readonly content: Buffer; readonly mode: number }

export function unzipped(archive: Buffer): Unpacked[] {
  const end = archive.length - 22
  if (archive.readUInt32LE(end) !== 0x06054b50) throw new Error('The archive has no end')
  const files: Unpacked[] = []
  let at = archive.readUInt32LE(end + 16)
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const nameLength = archive.readUInt16LE(at + 28)
    const path = archive.toString('utf8', at + 46, at + 46 + nameLength)
    files.push({ path, content: contentAt(archive, at, nameLength), mode: archive.readUInt32LE(at + 38) >>> 16 })
    at += 46 + nameLength
  }
  return files
}

function contentAt(archive: Buffer, at: number, nameLength: number): Buffer {
  const [checksum, packed, size, offset] = [16, 20, 24, 42].map((field) => archive.readUInt32LE(at + field))
  const start = (offset ?? 0) + 30 + nameLength
  const bytes = archive.subarray(start, start + (packed ?? 0))
  const content = archive.readUInt16LE(at + 10) === 0 ? bytes : inflateRawSync(bytes)
  if (content.length !== size || crc32(content) !== checksum) throw new Error('A file is not what the directory says')
  return content
}
