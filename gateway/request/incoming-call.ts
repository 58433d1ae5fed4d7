// A request as the checks see it: free of the server that received it.
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Address } from '#runtime/ip-address.ts'
import { queryOf } from './target.ts'
import type { Trace } from './request-log.ts'

export type Incoming = {
  readonly method: string
  /** Without the question mark. */
  readonly query: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly address: Address | null
  /** Grows while the checks are made. */
  readonly trace: Trace
}

export function incoming(request: FastifyRequest, trace: Trace): Incoming {
  const { raw, method, headers, url } = request
  return { method, query: queryOf(url), headers, rawHeaders: raw.rawHeaders, address: trace.address, trace }
}
