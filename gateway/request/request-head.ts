// What is refused of a request before anybody asks what it wants: a target, a version or a framing that two programs
// could read in two ways. Node's parser has refused the rest (test/gateway/raw-requests.test.ts has both).
import type { IncomingHttpHeaders } from 'node:http'
import { Fault } from '#contract/faults/fault.ts'
import { pathOf, unreadableAddress } from './target.ts'

type RequestHead = {
  readonly url?: string | undefined
  readonly httpVersion: string
  readonly headers: IncomingHttpHeaders
}

/** Throws what answers the request. Whether the path has its slashes right is for `isPlainTarget` to say. */
export function checkRequestHead({ url = '', httpVersion, headers }: RequestHead): void {
  if (!ordinaryUrl.test(url)) checkPath(url)
  checkHost(headers.host, httpVersion)
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw new Fault('invalid_http', 'Call with HTTP/1.1.')
  const coding = headers['transfer-encoding']
  if (coding !== undefined) checkCoding(coding, httpVersion)
}

/** Whether `checkRequestHead` has nothing against it. */
export function isReadableHead(request: RequestHead): boolean {
  try {
    checkRequestHead(request)
    return true
  } catch {
    return false
  }
}

/** Nearly all of them: nothing in it stands for anything else. */
const ordinaryUrl = /^[\w/-]*(?:\?[^#]*)?$/
/** RFC 3986, section 3.3. A fragment never leaves a browser, and a backslash is a slash to some. */
const pathCharacters = /^[\w\-.~!$&'()*+,;=:@/%]*$/
const encodedControl = /%(?:[01][0-9a-f]|7f)/i

function checkPath(url: string): void {
  const path = pathOf(url)
  const canBeRead = pathCharacters.test(path) && !encodedControl.test(path) && !url.includes('#')
  if (!canBeRead || hasDotSegment(path)) throw unreadableAddress()
}

/** `.` and `..`, however they are spelt: whoever resolves them reads another path than was checked. */
function hasDotSegment(path: string): boolean {
  const spelt = path.replaceAll(/%2e/gi, '.').replaceAll(/%(?:2f|5c)/gi, '/')
  return spelt.split('/').some((segment) => segment === '.' || segment === '..')
}

/** RFC 9112, section 3.2: HTTP/1.1 is refused without it, and with one that names no host. */
const hostPattern = /^[\w\-.~!$&'()*+,;=%:[\]]+$/

function checkHost(host: string | undefined, httpVersion: string): void {
  if (host === undefined && httpVersion !== '1.1') return
  if (host === undefined || !hostPattern.test(host)) throw invalidHeader('host', 'Send the header Host.')
}

/** RFC 9112, section 6.1. Whatever else is named there would reach the service without being undone. */
function checkCoding(coding: string, httpVersion: string): void {
  if (httpVersion === '1.1' && coding.trim().toLowerCase() === 'chunked') return
  throw invalidHeader('transfer-encoding', 'Send the body with its length, or by HTTP/1.1 in chunks and nothing else.')
}

const invalidHeader = (header: string, detail: string): Fault =>
  new Fault('invalid_header', detail, { errors: [{ header, code: 'wrong_format', detail }] })
