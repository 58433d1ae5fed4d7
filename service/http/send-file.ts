// An answer that is a file: stored bytes, whole or the one part of them that the caller asks for, or lines that are
// read while they are sent.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fileType, type FileBody, type LinesBody } from '#contract/file-answer.ts'
import { entityTagsIn, matchesWeakly } from '#runtime/http-headers.ts'
import { rangeIn } from '#runtime/http-ranges.ts'
import { rangeNotSatisfiable } from '../faults/shared-faults.ts'

export function sendFile({ method, headers }: FastifyRequest, reply: FastifyReply, file: FileBody): FastifyReply {
  const { bytes, etag, fileName } = file
  reply.headers({ etag, 'accept-ranges': 'bytes' })
  const known = entityTagsIn(headers['if-none-match'] ?? '')
  if (known !== null && matchesWeakly(known, etag.slice(1, -1))) return reply.code(304).send()
  const range = rangeIn(headers, file)
  if (range === 'unsatisfiable') throw rangeNotSatisfiable(bytes)
  const { start, end } = range ?? { start: 0, end: bytes - 1 }
  if (range !== null) reply.code(206).header('content-range', `bytes ${start}-${end}/${bytes}`)
  reply.type(fileType).headers({
    'content-length': end - start + 1,
    'content-disposition': `attachment; filename="${fileName}"`,
  })
  return reply.send(method === 'HEAD' ? '' : Readable.from(file.read(start, end + 1), { objectMode: false }))
}

/** After the first line a failure can only break the connection off, which tells the caller. */
export function sendLines({ method }: FastifyRequest, reply: FastifyReply, file: LinesBody): FastifyReply {
  const { fileName, type, lines } = file
  reply.type(`${type}; charset=utf-8`).header('content-disposition', `attachment; filename="${fileName}"`)
  return reply.send(method === 'HEAD' ? '' : Readable.from(lines(), { objectMode: false }))
}
