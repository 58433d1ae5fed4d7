// The service takes calls from the gateway only, which signs with the internal secret who calls. The signature is
// verified as soon as the headers have arrived: no body of an unsigned request is read, and a slow body cannot outlive
// its signature.
import type { KeyObject } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { unavailable, Fault } from '#contract/faults/fault.ts'
import {
  PrincipalIdentity,
  principalHeader,
  principalValidMs,
  identityFrom,
  readFacts,
  readHeader,
  signedText,
  type Principal,
} from '#contract/internal/principal.ts'
import { digestOf, isMacOf } from '#runtime/sealing-and-signing.ts'
import { isOf } from '../validation/schema-validator.ts'
import { traceOf } from './request-trace.ts'

export type SignedCall = { readonly method: string; readonly path: string; readonly header: unknown }

const isIdentity = isOf(PrincipalIdentity)
const principals = new WeakMap<FastifyRequest, Principal>()

/** An `onRequest` hook. `mayCall` throws when this caller may not use the route. */
export const verifyPrincipal =
  (key: KeyObject, mayCall: (principal: Principal, request: FastifyRequest) => void) =>
  async (request: FastifyRequest): Promise<void> => {
    const { method, url, headers } = request
    const call = { method, path: url.split('?', 1)[0] ?? '', header: headers[principalHeader] }
    const principal = principalFromHeader(call, key, Date.now())
    mayCall(principal, request)
    const trace = traceOf(request)
    if (trace !== undefined) principal.traceparent = trace.traceparent
    principals.set(request, principal)
  }

/** Undefined before the signature is verified, or when it was refused. */
export const verifiedPrincipal = (request: FastifyRequest): Principal | undefined => principals.get(request)

/** The principal of a request whose route has the hook; throws for any other. */
export function principalOf(request: FastifyRequest): Principal {
  const principal = principals.get(request)
  if (principal === undefined) throw new Error(`No principal was verified for ${request.method} ${request.url}`)
  return principal
}

/** Throws when the header was not signed for this method and path, or its signature is too old. */
export function principalFromHeader({ method, path, header }: SignedCall, key: KeyObject, now: number): Principal {
  const read = typeof header === 'string' ? readHeader(header) : null
  if (read === null) throw notOfGateway()
  const { identity, facts, mac } = read
  const digest = known.get(identity)?.digest ?? digestOf(identity)
  if (!isMacOf(key, signedText(digest, facts, method, path), mac)) throw notOfGateway()
  const who = identityOf(identity, digest)
  const call = readFacts(facts)
  if (who === null || call === null) throw notOfGateway()
  const { signedAt, ...ofCall } = call
  if (Math.abs(now - signedAt) > principalValidMs) throw tooLate(now - signedAt)
  return { ...who, ...ofCall }
}

/** Of identities whose signature was right, so that no one else can fill it. */
const known = new LRUCache<string, { readonly digest: string; readonly who: PrincipalIdentity }>({ max: 10_000 })

function identityOf(text: string, digest: string): PrincipalIdentity | null {
  const kept = known.get(text)
  if (kept !== undefined) return kept.who
  const who = identityFrom(text)
  if (!isIdentity(who)) return null
  known.set(text, { digest, who })
  return who
}

const notOfGateway = (): Fault => new Fault('missing_credentials', 'This address answers the gateway only.')

/** The caller's key is not at fault: a service whose clock is wrong is as good as none. */
function tooLate(apartMs: number): Fault {
  const cause = new Error(`A call was signed ${apartMs} ms ago by this clock: compare those of gateway and service`)
  return unavailable('The request took too long inside. Try again.', cause)
}
