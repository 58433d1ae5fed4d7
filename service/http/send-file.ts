// An answer that is a file: whole, or the one part of it that the caller asks for (RFC 9110, section 14). Several parts
// at once are not served: the whole is answered, as the RFC allows.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Fault } from '#contract/faults/fault.ts'
import { fileType, type FileBody } from '#contract/file-answer.ts'
import { entityTagsIn, matchesWeakly } from '#runtime/http-headers.ts'

export function sendFile({ method, headers }: FastifyRequest, reply: FastifyReply, file: FileBody): FastifyReply {
  const { bytes, etag, fileName } = file
  reply.headers({ etag, 'accept-ranges': 'bytes' })
  const known = entityTagsIn(headers['if-none-match'] ?? '')
  if (known !== null && matchesWeakly(known, etag.slice(1, -1))) return reply.code(304).send()
  const range = partOf(file, headers)
  if (range === 'outside') {
    reply.header('content-range', `bytes */${bytes}`)
    throw new Fault('range_not_satisfiable', `The file has ${bytes} bytes.`, { bytes })
  }
  const { from, to } = range ?? { from: 0, to: bytes }
  if (range !== null) reply.code(206).header('content-range', `bytes ${from}-${to - 1}/${bytes}`)
  reply.type(fileType).headers({
    'content-length': to - from,
    'content-disposition': `attachment; filename="${fileName}"`,
  })
  return reply.send(method === 'HEAD' ? '' : Readable.from(file.read(from, to), { objectMode: false }))
}

type RangeHeaders = { readonly range?: string | undefined; readonly 'if-range'?: string | string[] | undefined }
/** `to` is not part of it. */
type Range = { readonly from: number; readonly to: number }

/** Null: the whole. A range of another version of the file, and one that cannot be read, is none. */
function partOf({ bytes, etag }: Pick<FileBody, 'bytes' | 'etag'>, headers: RangeHeaders): Range | 'outside' | null {
  const ifRange = [headers['if-range']].flat()[0]
  if (ifRange !== undefined && ifRange !== etag) return null
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.range ?? '') ?? []
  if (first === '' && last === '') return null
  // The last so many bytes.
  if (first === '') return Number(last) === 0 ? 'outside' : { from: Math.max(0, bytes - Number(last)), to: bytes }
  if (last !== '' && Number(last) < Number(first)) return null
  if (Number(first) >= bytes) return 'outside'
  return { from: Number(first), to: last === '' ? bytes : Math.min(bytes, Number(last) + 1) }
}
