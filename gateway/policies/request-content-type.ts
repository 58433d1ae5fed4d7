// Content-Type, Content-Encoding and Content-Length: may the body be sent here? Asked before a byte of it is read; a
// body without a declared length is counted while it is read (gateway/request/read-body.ts).
import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '#contract/fault.ts'

export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

export function checkContent(method: string, headers: IncomingHttpHeaders, bytesMax: number): void {
  if (!hasBody(headers)) return
  checkType(headers, typesFor(method))
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
}

export const tooLarge = (limitBytes: number): Fault =>
  new Fault('body_too_large', `A body has at most ${limitBytes} bytes.`, { limitBytes })

const typesFor = (method: string): string[] =>
  method === 'PATCH' ? ['application/json', 'application/merge-patch+json'] : ['application/json']

function checkType(headers: IncomingHttpHeaders, types: readonly string[]): void {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase())
  if (!types.includes(type)) throw new Fault('unsupported_media_type', `Send ${types.join(' or ')}.`)
  // JSON is UTF-8 (RFC 8259, section 8.1): a body that claims to be something else would be read wrongly.
  if (parameters.some(isOtherCharset)) throw new Fault('unsupported_media_type', 'Send the body in UTF-8.')
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') throw new Fault('unsupported_media_type', 'Send the body without a content encoding.')
}

const isOtherCharset = (parameter: string): boolean =>
  /^charset\s*=/.test(parameter) && !/^charset\s*=\s*"?utf-?8"?$/.test(parameter)
