// A file that is answered from memory. Text is compressed once, for callers that take gzip.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { preferredEncoding } from '#runtime/content-negotiation.ts'
import { entityTagsIn, matchesWeakly } from '#runtime/etag-match.ts'

export type StaticFile = {
  readonly contentType: string
  /** The ETag of `plain`, without its quotes. */
  readonly etag: string
  readonly plain: Uint8Array
  /** Null when `plain` is compressed already. */
  readonly gzip: Uint8Array | null
  /** How long a cache may keep it without asking again. */
  readonly maxAgeSeconds: number
}

const textMaxAgeSeconds = 300

export function textFile(text: string, contentType: string): StaticFile {
  const plain = Buffer.from(text)
  const gzip = gzipSync(plain, { level: 9 })
  return { contentType, etag: etagOf(plain), plain, gzip, maxAgeSeconds: textMaxAgeSeconds }
}

/** A file whose bytes are compressed already, and which caches must ask for each time. */
export const compressedFile = (plain: Uint8Array, contentType: string): StaticFile => ({
  ...{ contentType, etag: etagOf(plain), plain, gzip: null },
  maxAgeSeconds: 0,
})

/** `vary`: the request header that decides which file is sent, where there is one besides Accept-Encoding. */
export function sendFile(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
  vary?: string,
): FastifyReply {
  const gzip = preferredEncoding(headers['accept-encoding'], ['gzip']) === null ? null : file.gzip
  // A strong ETag stands for exact bytes, so the compressed form has another one.
  const etag = gzip === null ? file.etag : `${file.etag}-gzip`
  reply.headers({
    etag: `"${etag}"`,
    'cache-control': `public, max-age=${file.maxAgeSeconds}`,
    vary: [...(vary === undefined ? [] : [vary]), 'accept-encoding'].join(', '),
  })
  // An If-None-Match that cannot be read matches nothing.
  if (matchesWeakly(entityTagsIn(headers['if-none-match'] ?? '') ?? [], etag)) return reply.code(304).send()
  if (gzip !== null) reply.header('content-encoding', 'gzip')
  return reply.type(file.contentType).send(gzip ?? file.plain)
}

const etagOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url').slice(0, 27)
