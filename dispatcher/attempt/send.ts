// One POST within bounds: time, size, no redirects, permitted addresses only. What comes back is a value, whatever the
// receiver does.
import { Agent, request } from 'undici'
import type { Timings } from '#contract/deliveries.ts'
import type { AddressRange } from '#runtime/ip-address.ts'
import { isWebPort } from '#runtime/web-ports.ts'
import { failureOf, type FailureCode } from './error-code.ts'
import { guardedConnector, permitsIn } from './ssrf-guard.ts'
import { resolver, type Resolve } from './dns.ts'
import { timed } from './timings.ts'

export type Answer =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      /** The first 4 KiB, as text. */
      readonly body: string
      readonly truncated: boolean
      readonly timings: Timings
    }
  | { readonly kind: 'failed'; readonly error: FailureCode }

export type Send = (url: string, headers: Readonly<Record<string, string>>, body: Buffer) => Promise<Answer>

export type Bounds = {
  readonly allowed: readonly AddressRange[]
  readonly allowHttp: boolean
  readonly timeoutMs?: number
  readonly resolve?: Resolve
}

export const sendTimeoutMs = 15_000
const connectTimeoutMs = 5_000
const keptBytesMax = 4 * 1024
const readBytesMax = 64 * 1024
const headerBytesMax = 16 * 1024

export function openSender({
  allowed,
  allowHttp,
  timeoutMs = sendTimeoutMs,
  resolve = resolver(allowed.length > 0),
}: Bounds) {
  const agent = new Agent({
    connect: guardedConnector(permitsIn(allowed), resolve, connectTimeoutMs),
    maxHeaderSize: headerBytesMax,
    pipelining: 1,
    // One deadline covers it all: undici's own are per chunk, and a drip outlives them.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const send: Send = async (url, headers, body) => {
    if (!isTarget(url, allowHttp)) return { kind: 'failed', error: 'invalid_url' }
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      const { answer, timings } = await timed(() =>
        request(url, { method: 'POST', headers, body, dispatcher: agent, signal }),
      )
      return {
        kind: 'answered',
        status: answer.statusCode,
        headers: textHeaders(answer.headers),
        ...(await start(answer.body)),
        timings,
      }
    } catch (error) {
      return { kind: 'failed', error: failureOf(error) }
    }
  }
  return { send, close: () => agent.destroy() }
}

function isTarget(text: string, allowHttp: boolean): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '' || !isWebPort(url.port)) return false
  return url.protocol === 'https:' || (allowHttp && url.protocol === 'http:')
}

/** The status has been said: a body that is long, slow or cut off takes nothing back. */
async function start(body: AsyncIterable<Buffer>): Promise<{ body: string; truncated: boolean }> {
  const kept: Buffer[] = []
  let read = 0
  let cut = false
  try {
    for await (const chunk of body) {
      if (read < keptBytesMax) kept.push(chunk)
      read += chunk.length
      if (read > readBytesMax) break
    }
  } catch {
    cut = true
  }
  const text = storable(Buffer.concat(kept).subarray(0, keptBytesMax).toString('utf8'))
  return { body: text, truncated: cut || read > keptBytesMax }
}

/** Cookies are the receiver's business; the rest is shown to whoever looks at the attempt. */
function textHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const named = Object.entries(headers).filter(([name, value]) => name !== 'set-cookie' && value !== undefined)
  return Object.fromEntries(named.map(([name, value]) => [name, storable(String(value))]))
}

// The one character that Postgres does not take.
const storable = (text: string): string => text.replaceAll('\u0000', '\uFFFD')
