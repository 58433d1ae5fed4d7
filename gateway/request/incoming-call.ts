// A call as the checks see it: free of the server that received it.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Address } from '#runtime/ip-address.ts'
import { readUpTo } from './read-body.ts'
import type { RequestContext } from './request-context.ts'
import { queryOf } from './target.ts'

export type IncomingCall = {
  readonly method: string
  /** Without the question mark. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  /** Name, value, name, value…, as Node gives them. */
  readonly rawHeaders: readonly string[]
  readonly address: Address | null
  /** Waits for the body's first byte, which is then lost, or for its end. Rejects when the caller disconnects. */
  readonly bytesCome: () => Promise<boolean>
  /** Completed while the checks are made. */
  readonly context: RequestContext
}

export function incomingCall(request: IncomingMessage, context: RequestContext): IncomingCall {
  const { method = '', headers, rawHeaders, url = '' } = request
  const bytesCome = () => readUpTo(request, 0).then(({ isWhole }) => !isWhole)
  return { method, query: queryOf(url), headers, rawHeaders, address: context.address, bytesCome, context }
}
