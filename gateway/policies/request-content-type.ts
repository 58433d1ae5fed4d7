// Content-Type, Content-Encoding and Content-Length: may the body be sent here? Asked before the body is read; one without
// a declared length is counted while it is read (gateway/request/read-body.ts). Where no byte comes there is nothing to
// judge: clients name a type for a body that they do not send, such as axios and curl, which call it a form.
import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '#contract/faults/fault.ts'
import type { MaybePromise } from '#runtime/maybe-promise.ts'
import type { IncomingCall } from '../request/incoming-call.ts'

/** Whether one is announced. A body of undeclared length may turn out to have no bytes. */
export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

type Content = Pick<IncomingCall, 'method' | 'headers' | 'bytesCome'>

/** A promise only for a body of a wrong type and undeclared length: whether it has any bytes has to be waited for. */
export function checkContent({ method, headers, bytesCome }: Content, bytesMax: number): MaybePromise<void> {
  if (!hasBody(headers)) return
  const wrongType = faultOfType(headers, typesFor(method))
  if (wrongType !== null) return refuseBytes(wrongType, headers, bytesCome)
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
}

function refuseBytes(fault: Fault, headers: IncomingHttpHeaders, bytesCome: Content['bytesCome']): Promise<void> {
  if (headers['transfer-encoding'] === undefined) throw fault
  return bytesCome().then((come) => {
    if (come) throw fault
  })
}

export const tooLarge = (limitBytes: number): Fault =>
  new Fault('body_too_large', `A body has at most ${limitBytes} bytes.`, { limitBytes })

const typesFor = (method: string): string[] =>
  method === 'PATCH' ? ['application/json', 'application/merge-patch+json'] : ['application/json']

function faultOfType(headers: IncomingHttpHeaders, types: readonly string[]): Fault | null {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase())
  if (!types.includes(type)) return new Fault('unsupported_media_type', `Send ${types.join(' or ')}.`)
  // JSON is UTF-8 (RFC 8259, section 8.1): a body that claims to be something else would be read wrongly.
  if (parameters.some(isOtherCharset)) return new Fault('unsupported_media_type', 'Send the body in UTF-8.')
  const encoding = headers['content-encoding'] ?? 'identity'
  return encoding === 'identity'
    ? null
    : new Fault('unsupported_media_type', 'Send the body without a content encoding.')
}

const isOtherCharset = (parameter: string): boolean =>
  /^charset\s*=/.test(parameter) && !/^charset\s*=\s*"?utf-?8"?$/.test(parameter)
