// Bytes that are answered as they lie in memory, packed once for those who take gzip.
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { preferredEncoding } from '#runtime/content-negotiation.ts'
import { entityTagsIn, matchesWeakly } from '#runtime/etag-match.ts'

/** `gzip` is null where the bytes are packed already. */
export type File = {
  readonly type: string
  readonly tag: string
  readonly plain: Uint8Array
  readonly gzip: Uint8Array | null
  /** How long anybody may keep it without asking again. */
  readonly maxAgeSeconds: number
}

const maxAgeSeconds = 300

export function packed(text: string, type: string): File {
  const plain = Buffer.from(text)
  return { type, tag: tagOf(plain), plain, gzip: gzipSync(plain, { level: 9 }), maxAgeSeconds }
}

export const asItIs = (plain: Uint8Array, type: string): File => ({
  ...{ type, tag: tagOf(plain), plain, gzip: null },
  maxAgeSeconds: 0,
})

/** `varies`: the header, besides Accept-Encoding, that decides which file it is. */
export function sendFile({ headers }: FastifyRequest, reply: FastifyReply, file: File, varies?: string): FastifyReply {
  const gzip = preferredEncoding(headers['accept-encoding'], ['gzip']) === null ? null : file.gzip
  // The two are different bytes, and a strong tag names bytes.
  const opaque = gzip === null ? file.tag : `${file.tag}-gzip`
  reply.headers({
    etag: `"${opaque}"`,
    'cache-control': `public, max-age=${file.maxAgeSeconds}`,
    vary: [...(varies === undefined ? [] : [varies]), 'accept-encoding'].join(', '),
  })
  // What cannot be read as tags names none that anybody has.
  if (matchesWeakly(entityTagsIn(headers['if-none-match'] ?? '') ?? [], opaque)) return reply.code(304).send()
  if (gzip !== null) reply.header('content-encoding', 'gzip')
  return reply.type(file.type).send(gzip ?? file.plain)
}

const tagOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url').slice(0, 27)
