// The descriptions of the API and of the settings, with the address of this installation in one place. docs/openapi.ts
// has written them, when the packages were installed or the image was built. Anyone may ask for them by any name of
// this host: so what stands before and after the address is compressed once, and another address costs no more than the
// copying.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartupError } from '#runtime/process.ts'
import { constants, crc32, deflateRawSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { etagOf, textMaxAgeSeconds, type StaticFile } from './static-file.ts'

/** Each names the address of the installation as its server. */
export type Descriptions = {
  readonly json: AddressedText
  readonly yaml: AddressedText
  readonly settings: AddressedText
}

/** Stands for the address until it is known. */
const marker = 'https://address.invalid'

const docs = join(import.meta.dirname, '../../docs')

let installed: Descriptions | undefined

/** Those of this installation, read once in a process: to minify and compress them takes a good 50 ms. */
export const installedDescriptions = (): Descriptions => (installed ??= readDescriptions())

/** Throws a StartupError when a file is missing, or is none of those that were written. */
export function readDescriptions(folder = docs): Descriptions {
  return {
    json: read(join(folder, 'openapi.json'), withMarkerInJson),
    yaml: read(join(folder, 'openapi.yaml'), withMarkerInYaml),
    settings: read(join(folder, 'openapi-settings.json'), withMarkerInJson),
  }
}

function read(path: string, prepare: (text: string) => string): AddressedText {
  try {
    return addressedText(prepare(readFileSync(path, 'utf8')), marker)
  } catch (cause) {
    throw new StartupError(`The description ${path} cannot be read. Run "npm run openapi" first.`, { cause })
  }
}

/** Minified. */
function withMarkerInJson(text: string): string {
  const document = JSON.parse(text) as { readonly servers?: readonly object[] }
  const servers = document.servers?.map((server) => ({ ...server, url: marker }))
  return JSON.stringify({ ...document, servers })
}

const withMarkerInYaml = (text: string): string => text.replace(/(?<=^servers:\n +- url: ).*$/m, marker)

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

/** The address comes wherever `marker` stands. Throws where it does not stand there at all. */
export function addressedText(text: string, marker: string): AddressedText {
  const parts = text.split(marker).map((part) => Buffer.from(part))
  if (parts.length === 1) throw new Error('The text has no place for the address')
  const last = parts.length - 1
  const deflated = parts.map((part, index) =>
    index === last ? deflateRawSync(part, { level: 9 }) : deflatedPart(part),
  )
  return (address) => {
    const middle = Buffer.from(address)
    const plain = () => Buffer.concat(between(parts, middle))
    return {
      plain,
      deflated: Buffer.concat(between(deflated, deflatedPart(middle))),
      sizeBytes: parts.reduce((sum, { length }) => sum + length, middle.length * last),
      checksum: between(parts, middle).reduce((sum, part) => crc32(part, sum), 0),
    }
  }
}

const between = <T>(parts: readonly T[], separator: T): T[] =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [separator, part]))

/** Ends on a whole byte and not as the end of the stream, so that another part can follow. */
const deflatedPart = (part: Uint8Array) => deflateRawSync(part, { level: 9, finishFlush: constants.Z_SYNC_FLUSH })

/** Returns a function that finds the file for an address. Those that were asked for last are kept. */
export function addressedFiles(
  text: AddressedText,
  contentType: string,
  sharing: Sharing,
  max = filesMax,
): (address: string) => StaticFile {
  const files = new LRUCache<string, StaticFile>({ max })
  const caching = `${sharing}, max-age=${textMaxAgeSeconds}`
  return (address) => {
    const known = files.get(address)
    if (known !== undefined) return known
    const content = text(address)
    const gzip = gzipped(content)
    const file: StaticFile = {
      contentType,
      caching,
      etag: etagOf(gzip),
      // Most callers take gzip: a megabyte for each name of this host would be kept in vain.
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
