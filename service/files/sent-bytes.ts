// The answer with the bytes of a file, or a part of them: whether and of which part (RFC 9110, section 13), and headers
// by which no browser takes it for a page of this origin.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { create as contentDisposition } from 'content-disposition'
import { Fault } from '#contract/faults/fault.ts'
import type { File } from '#contract/files.ts'
import { entityTagsIn, matchesStrongly, matchesWeakly } from '#runtime/http-headers.ts'
import { rangeIn, type ByteRange } from '#runtime/http-ranges.ts'
import { rangeNotSatisfiable } from '../faults/shared-faults.ts'
import { answeredType } from './rules.ts'

type Sent = Pick<File, 'bytes' | 'name' | 'type' | 'detectedType' | 'sha256'>

/** Its bytes never change: their hash says which they are. */
export const etagOf = ({ sha256 }: Pick<File, 'sha256'>): string => `"${sha256 ?? ''}"`

/** Null: all of it. Throws `precondition_failed` and `range_not_satisfiable`. */
export function partAsked(file: Sent, headers: IncomingHttpHeaders): ByteRange | 'not modified' | null {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers
  const opaque = file.sha256 ?? ''
  if (ifMatch !== undefined && !matchesStrongly(tagsIn('If-Match', ifMatch), opaque))
    throw new Fault('precondition_failed', `The file has the ETag ${etagOf(file)}, which does not match \`If-Match\`.`)
  if (ifNoneMatch !== undefined && matchesWeakly(tagsIn('If-None-Match', ifNoneMatch), opaque)) return 'not modified'
  const range = rangeIn(headers, { bytes: file.bytes, etag: etagOf(file) })
  if (range === 'unsatisfiable') throw rangeNotSatisfiable(file.bytes)
  return range
}

function tagsIn(header: string, text: string) {
  const tags = entityTagsIn(text)
  if (tags !== null) return tags
  const detail =
    'Send the ETag of an earlier response with its quotation marks, several ETags separated by commas, or `*`.'
  throw new Fault('invalid_header', `${header}: ${detail}`, { errors: [{ header, code: 'wrong_format', detail }] })
}

/** `bytes`: null for the head alone. A read that fails on the way breaks the answer off: its length is known. */
export async function sendPart(
  file: Sent,
  range: ByteRange | null,
  bytes: Readable | null,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const { start, end } = range ?? { start: 0, end: file.bytes - 1 }
  response.writeHead(range === null ? 200 : 206, {
    'content-type': answeredType(file),
    'content-length': end - start + 1,
    'content-disposition': contentDisposition(file.name),
    'content-security-policy': "default-src 'none'; sandbox",
    'accept-ranges': 'bytes',
    etag: etagOf(file),
    ...(range !== null && { 'content-range': `bytes ${start}-${end}/${file.bytes}` }),
  })
  if (bytes === null) response.end()
  // Who asked has gone, or sees the answer break off.
  else await pipeline(bytes, response, { signal }).catch(() => response.destroy())
}
