// Answers of more than a kilobyte, compressed for callers that take it. The ETag stays: it names the version of the
// object, however its bytes are packed.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

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
export function encodingFor(accepted: string): Encoding | null {
  const wishes = new Map(accepted.split(',').map(wish))
  const weight = (encoding: Encoding): number => wishes.get(encoding) ?? wishes.get('*') ?? 0
  const [br, gz] = [weight('br'), weight('gzip')]
  return Math.max(br, gz) <= 0 ? null : br >= gz ? 'br' : 'gzip'
}

/** `gzip;q=0.5` (RFC 9110, section 12.4.2); what cannot be read is no wish. */
function wish(part: string): [string, number] {
  const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase())
  const q = parameters.find((each) => each.startsWith('q='))
  const weight = q === undefined ? 1 : Number(q.slice(2))
  return [name, weight > 0 && weight <= 1 ? weight : 0]
}
