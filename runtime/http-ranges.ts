// The part of a file that a caller asks for (RFC 9110, section 14). Several ranges at once are answered with the whole
// file, as is a header that cannot be read: the RFC permits both.
import type { IncomingHttpHeaders } from 'node:http'
import { parse } from 'range-parser'

/** Both ends are part of it. */
export type ByteRange = { readonly start: number; readonly end: number }

/** Code 2 of range-parser. */
const outside = 2

/** `etag`: with its quotation marks. Returns null for the whole file, as for a range of another version of it. */
export function rangeIn(
  { range: text, 'if-range': condition }: IncomingHttpHeaders,
  { bytes, etag }: { readonly bytes: number; readonly etag: string },
): ByteRange | 'unsatisfiable' | null {
  if (text === undefined || (condition !== undefined && condition !== etag)) return null
  const { code, type, ranges } = parse(bytes, text)
  const [range, another] = ranges
  if (type !== 'bytes' || another !== undefined) return null
  if (range !== undefined) return { start: range.start, end: range.end }
  return code === outside ? 'unsatisfiable' : null
}
