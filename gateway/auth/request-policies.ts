// Policies of a request's form, before its body is read: its headers, the types of its answer, and the type and the
// length of its body.
import { Fault } from '#contract/faults/fault.ts'
import { answersBytes, answersLines, fileType, linesTypes } from '#contract/file-answer.ts'
import type { Operation } from '#contract/operation.ts'
import { preferredType } from '#runtime/http-headers.ts'
import type { IncomingHttpHeaders } from 'node:http'
import type { MaybePromise } from '#runtime/maybe-promise.ts'
import type { IncomingCall } from '../request/request-context.ts'
import { hasBody, tooLarge } from '../overload/request-bodies.ts'

/** Headers on which a decision rests must be sent once. Of two, one tier might read the first and another the last. */
const once = [
  'authorization',
  'x-api-key',
  'host',
  'content-length',
  'content-type',
  'x-workspace-id',
  'idempotency-key',
]
/** A bit for each. */
const bits = new Map(once.map((name, at) => [name, 1 << at]))

/** `rawHeaders` as Node gives them: name, value, name, value… */
export function checkSingleHeaders(rawHeaders: readonly string[]): void {
  let seen = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase()
    const bit = bits.get(name) ?? 0
    if ((seen & bit) !== 0) throw duplicated(name)
    seen |= bit
  }
}

function duplicated(header: string): Fault {
  const detail = `The header ${header} was sent more than once.`
  return new Fault('invalid_header', detail, { errors: [{ header, code: 'not_unique', detail }] })
}

// The types of an answer. A caller that says nothing takes any (RFC 9110, section 12.5.1).

export const restTypes = ['application/json', 'application/problem+json']
/** Many who download a file say that they take any bytes. */
const anyBytes = 'application/octet-stream'
const typesOfBytes = [fileType, anyBytes, ...restTypes]
const typesOfLines = [...Object.values(linesTypes), anyBytes, ...restTypes]
export const answerTypes = (operation: Operation): readonly string[] =>
  answersBytes(operation) ? typesOfBytes : answersLines(operation) ? typesOfLines : restTypes
export const mcpTypes = ['application/json', 'text/event-stream']

/** Throws `not_acceptable` when the caller takes none of the offered types. */
export function checkAccept(accept: string | undefined, offered: readonly string[]): void {
  negotiatedType(accept, offered)
}

/** Returns the offered type that the caller likes best, of equally liked ones the first; throws as above. */
export function negotiatedType(accept: string | undefined, offered: readonly string[]): string {
  const type = preferredType(accept, offered)
  if (type === null) throw new Fault('not_acceptable', `Responses are ${offered.join(' or ')}.`)
  return type
}

type Content = Pick<IncomingCall, 'method' | 'headers' | 'bytesCome'>

/** A promise only for a body of a wrong type and undeclared length: whether it has any bytes has to be waited for. */
export function checkContent({ method, headers, bytesCome }: Content, bytesMax: number): MaybePromise<void> {
  if (!hasBody(headers)) return
  const wrongType = faultOfType(headers, typesFor(method))
  if (wrongType !== null) return refuseBytes(wrongType, headers, bytesCome)
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
}

/** Of a body that is no JSON: bytes as they are, of whatever type. */
export function checkBytes(headers: IncomingHttpHeaders, bytesMax: number): void {
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') throw encoded()
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge(bytesMax)
}

const encoded = (): Fault => new Fault('unsupported_media_type', 'Send the body without a content encoding.')

function refuseBytes(fault: Fault, headers: IncomingHttpHeaders, bytesCome: Content['bytesCome']): Promise<void> {
  if (headers['transfer-encoding'] === undefined) throw fault
  return bytesCome().then((come) => {
    if (come) throw fault
  })
}

const typesFor = (method: string): string[] =>
  method === 'PATCH' ? ['application/json', 'application/merge-patch+json'] : ['application/json']

function faultOfType(headers: IncomingHttpHeaders, types: readonly string[]): Fault | null {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim().toLowerCase())
  if (!types.includes(type)) return new Fault('unsupported_media_type', `Send ${types.join(' or ')}.`)
  // JSON is UTF-8 (RFC 8259, section 8.1): a body that claims to be something else would be read wrongly.
  if (parameters.some(isOtherCharset)) return new Fault('unsupported_media_type', 'Send the body in UTF-8.')
  const encoding = headers['content-encoding'] ?? 'identity'
  return encoding === 'identity' ? null : encoded()
}

const isOtherCharset = (parameter: string): boolean =>
  /^charset\s*=/.test(parameter) && !/^charset\s*=\s*"?utf-?8"?$/.test(parameter)
