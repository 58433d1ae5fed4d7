// Answers of more than a kilobyte, compressed for callers that take it. The ETag stays: it names the version of the
// object, however its bytes are packed.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { preferredEncoding } from '#runtime/http-headers.ts'

type Encoding = 'br' | 'gzip'

const thresholdBytes = 1_024
// Brotli's usual 11 is for files that are packed once.
const brotliQuality = 4

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

/** A hook that runs before an answer is sent. */
export async function compressed(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  reply.header('vary', 'accept-encoding')
  if (typeof payload !== 'string' || Buffer.byteLength(payload) <= thresholdBytes) return payload
  const encoding = encodingFor([request.headers['accept-encoding']].flat().join(','))
  if (encoding === null) return payload
  reply.header('content-encoding', encoding)
  return encoding === 'gzip'
    ? gzipped(payload)
    : brotli(payload, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } })
}

/** The one that the caller likes better; of two that it likes alike, the smaller. Null: as it is. */
export const encodingFor = (accepted: string): Encoding | null => preferredEncoding(accepted, ['br', 'gzip'])
