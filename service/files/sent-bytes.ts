// The answer with the bytes of a file, or a part of them: which part was asked for (RFC 9110, sections 13 and 14), and
// headers by which no browser takes it for a page of this origin.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { create as contentDisposition } from 'content-disposition'
import { parse as parseRange } from 'range-parser'
import { Fault } from '#contract/faults/fault.ts'
import type { File } from '#contract/files.ts'
import { entityTagsIn, matchesStrongly, matchesWeakly } from '#runtime/http-headers.ts'
import { answeredType } from './rules.ts'
import type { ByteRange } from './store.ts'

type Sent = Pick<File, 'bytes' | 'name' | 'type' | 'detectedType' | 'sha256'>

/** Its bytes never change: their hash says which they are. */
export const etagOf = ({ sha256 }: Pick<File, 'sha256'>): string => `"${sha256 ?? ''}"`

/** Null: all of it. Throws `precondition_failed` and `range_not_satisfiable`. */
export function partAsked(file: Sent, headers: IncomingHttpHeaders): ByteRange | 'not modified' | null {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers
  const opaque = file.sha256 ?? ''
  if (ifMatch !== undefined && !matchesStrongly(tagsIn('If-Match', ifMatch), opaque))
    throw new Fault('precondition_failed', `The file has the ETag ${etagOf(file)}, which \`If-Match\` does not name.`)
  if (ifNoneMatch !== undefined && matchesWeakly(tagsIn('If-None-Match', ifNoneMatch), opaque)) return 'not modified'
  return rangeIn(headers, file)
}

function tagsIn(header: string, text: string) {
  const tags = entityTagsIn(text)
  if (tags !== null) return tags
  const detail = 'Send the ETag of an earlier answer, with its quotation marks; several with commas, or `*`.'
  throw new Fault('invalid_header', `${header}: ${detail}`, { errors: [{ header, code: 'wrong_format', detail }] })
}

/** Several ranges at once are answered with the whole file, as is what cannot be read: both are permitted. */
function rangeIn({ range: text, 'if-range': condition }: IncomingHttpHeaders, file: Sent): ByteRange | null {
  if (text === undefined || (condition !== undefined && condition !== etagOf(file))) return null
  const { code, type, ranges } = parseRange(file.bytes, text)
  const [range, another] = ranges
  if (type !== 'bytes' || another !== undefined) return null
  if (range !== undefined) return { start: range.start, end: range.end }
  if (code !== unsatisfiable) return null
  throw new Fault('range_not_satisfiable', `The file has ${file.bytes} bytes.`, { bytes: file.bytes })
}

const unsatisfiable = 2

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
