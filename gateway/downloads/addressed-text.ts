// A text with the address of this installation in one place. Anybody may ask for it by any name of this host, so what stands
// before and after the address is compressed once: another address costs no more than the copying.
import { constants, crc32, deflateRawSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { etagOf, textMaxAgeSeconds, type StaticFile } from './static-file.ts'

/** The same text with one address, and what formats that compress ask about it. */
type Content = {
  readonly plain: () => Buffer
  readonly deflated: Uint8Array<ArrayBuffer>
  /** Both of `plain`. */
  readonly sizeBytes: number
  readonly checksum: number
}
export type AddressedText = (address: string) => Content
/** Public where every caller is answered alike: caches may then share what they keep. */
export type Sharing = 'public' | 'private'

const filesMax = 50
// Deflate, no name and no time, best compression, Unix.
const gzipHead = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 3])

/** The address comes where `marker` stands. Throws where it does not stand there exactly once. */
export function addressedText(text: string, marker: string): AddressedText {
  const [before = '', after = '', ...more] = text.split(marker)
  if (!text.includes(marker) || more.length > 0) throw new Error('The text does not have one place for the address')
  const [head, tail] = [Buffer.from(before), Buffer.from(after)]
  const headChecksum = crc32(head)
  const [headDeflated, tailDeflated] = [deflatedPart(head), deflateRawSync(tail, { level: 9 })]
  return (address) => {
    const middle = Buffer.from(address)
    return {
      plain: () => Buffer.concat([head, middle, tail]),
      deflated: Buffer.concat([headDeflated, deflatedPart(middle), tailDeflated]),
      sizeBytes: head.length + middle.length + tail.length,
      checksum: crc32(tail, crc32(middle, headChecksum)),
    }
  }
}

/** Ends on a whole byte and not as the end of the stream, so that another part can follow. */
const deflatedPart = (part: Uint8Array) => deflateRawSync(part, { level: 9, finishFlush: constants.Z_SYNC_FLUSH })

/** Returns a function that finds the file for an address. Those that were asked for last are kept. */
export function addressedFiles(
  text: AddressedText,
  contentType: string,
  sharing: Sharing,
): (address: string) => StaticFile {
  const files = new LRUCache<string, StaticFile>({ max: filesMax })
  const caching = `${sharing}, max-age=${textMaxAgeSeconds}`
  return (address) => {
    const known = files.get(address)
    if (known !== undefined) return known
    const content = text(address)
    const gzip = gzipped(content)
    const file: StaticFile = {
      ...{ contentType, caching },
      etag: etagOf(gzip),
      // Most callers take gzip: a megabyte for each name of this host would be kept for nobody.
      get plain() {
        return content.plain()
      },
      compressed: { gzip },
    }
    files.set(address, file)
    return file
  }
}

function gzipped({ deflated, checksum, sizeBytes }: Content): Buffer {
  const foot = Buffer.alloc(8)
  foot.writeUInt32LE(checksum, 0)
  foot.writeUInt32LE(sizeBytes, 4)
  return Buffer.concat([gzipHead, deflated, foot])
}
