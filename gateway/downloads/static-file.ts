// A file that is answered from memory. What is compressed was so before: once, not for each caller.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { preferredEncoding, entityTagsIn, matchesWeakly } from '#runtime/http-headers.ts'

/** The server's own preference comes first. */
const encodings = ['br', 'gzip'] as const
type Encoding = (typeof encodings)[number]

export type StaticFile = {
  readonly contentType: string
  /** Stands for `plain`, to the byte; without the quotes. */
  readonly etag: string
  readonly plain: Uint8Array
  /** Empty when `plain` is compressed already. */
  readonly compressed: Readonly<Partial<Record<Encoding, Uint8Array>>>
  /** How long a cache may keep it without asking again: the value of Cache-Control. */
  readonly caching: string
}

export const textMaxAgeSeconds = 300

export function textFile(text: string, contentType: string): StaticFile {
  const plain = Buffer.from(text)
  const compressed = { gzip: gzipSync(plain, { level: 9 }) }
  return { contentType, etag: etagOf(plain), plain, compressed, caching: `public, max-age=${textMaxAgeSeconds}` }
}

/** A file whose bytes are compressed already, and which caches must ask for each time. */
export const compressedFile = (plain: Uint8Array, contentType: string, sharing: 'public' | 'private'): StaticFile => ({
  ...{ contentType, etag: etagOf(plain), plain, compressed: {} },
  caching: `${sharing}, max-age=0`,
})

/** `vary`: the request header that decides which file is sent, where there is one besides Accept-Encoding. */
export function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
  vary?: string,
): FastifyReply {
  const encoding = preferredEncoding(headers['accept-encoding'], encodingsOf(file))
  // A strong ETag stands for exact bytes, so each compressed form has another one.
  const etag = encoding === null ? file.etag : `${file.etag}-${encoding}`
  reply.headers({
    etag: `"${etag}"`,
    'cache-control': file.caching,
    vary: [...(vary === undefined ? [] : [vary]), 'accept-encoding'].join(', '),
  })
  // An If-None-Match that cannot be read matches nothing.
  if (matchesWeakly(entityTagsIn(headers['if-none-match'] ?? '') ?? [], etag)) return reply.code(304).send()
  if (encoding !== null) reply.header('content-encoding', encoding)
  return reply.type(file.contentType).send(encoding === null ? file.plain : file.compressed[encoding])
}

const encodingsOf = ({ compressed }: StaticFile): Encoding[] => encodings.filter((each) => each in compressed)

export const etagOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url').slice(0, 27)
