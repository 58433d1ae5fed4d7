// Who is calling, as the gateway has found out. It reaches the service in one signed header, which only holders of the
// internal secret can make; the service believes nothing else about the caller.
import { Type, type Static } from 'typebox'
import { Role } from '../roles.ts'
import { Id, closed, nullable, type Actor } from '../shared-fields.ts'

export const principalHeader = 'x-internal-principal'

/** Of the service's answer: what the call has cost in database time, in whole milliseconds. It goes no further. */
export const databaseTimeHeader = 'x-internal-database-ms'

/** The gateway removes every header that starts with this from what callers send. */
export const internalHeaderPrefix = 'x-internal-'

const identityFields = {
  /**
   * A person who is signed in is a `member` in a workspace, an `account` outside of any; a `visitor` is not signed in.
   */
  kind: Type.Enum(['api_key', 'operator', 'gateway', 'member', 'account', 'visitor']),
  /** Of the key, member or account; else the kind itself. */
  id: Type.String(),
  name: Type.String(),
  workspaceId: nullable(Id),
  scopes: Type.Array(Type.String()),
  surface: Type.Enum(['http', 'mcp', 'settings', 'internal']),
  /** Of a member or an account. `role` is the member's. */
  session: Type.Optional(closed({ id: Id, role: Type.Optional(Role), isConfirmed: Type.Boolean() })),
}
/** What is the same for all calls of a key in a workspace. */
export const PrincipalIdentity = closed(identityFields)
export type PrincipalIdentity = Static<typeof PrincipalIdentity>

export const Principal = closed({
  ...identityFields,
  requestId: Type.String(),
  clientAddress: Type.String(),
  userAgent: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
  /** What is left of the key's rate limit, for `/me`. */
  quota: nullable(closed({ limit: Type.Integer(), remaining: Type.Integer(), resetSeconds: Type.Integer() })),
  /** The trace that the call belongs to: the header of this name. It is not signed, since nothing is decided by it. */
  traceparent: Type.Optional(Type.String()),
})
export type Principal = Static<typeof Principal>

/** How long a header is valid, before and after it was signed: clock skew and the time on the wire are in it. */
export const principalValidMs = 30_000

/** The actor that events and `createdBy` name. */
export const actorOf = ({ kind, id, name }: Pick<Principal, 'kind' | 'id' | 'name'>): Actor => ({
  type: kind === 'api_key' ? 'api_key' : kind === 'member' || kind === 'account' ? 'user' : 'system',
  id,
  name,
})

// The text of the header that says who calls: `<identity>;<facts>;<mac>`. The identity is the same for all calls of a
// key in a workspace, so that either side works it out once and keeps it. The facts are those of one call. What is
// signed is the identity's digest with the facts, the method and the path: short, however much a key may do.

/** The fields of one call, and when it was signed, in milliseconds since 1970. */
type Facts = Pick<Principal, 'requestId' | 'clientAddress' | 'userAgent' | 'quota'>
export type ReadHeader = {
  readonly identity: string
  readonly facts: string
  readonly mac: string
}
export type ReadFacts = Facts & { readonly signedAt: number }

/** In base64url, which holds no `;`. */
export function identityText({ kind, id, name, workspaceId, scopes, surface, session }: PrincipalIdentity): string {
  return Buffer.from(JSON.stringify({ kind, id, name, workspaceId, scopes, surface, session })).toString('base64url')
}

/** Undefined when it is no JSON. */
export function identityFrom(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}

/** Each fact is percent-encoded, so that none holds a `;`. */
export function factsText({ requestId, clientAddress, userAgent, quota }: Facts, signedAt: number): string {
  const left = quota === null ? '' : `${quota.limit},${quota.remaining},${quota.resetSeconds}`
  const encoded = encodeURIComponent
  return `${signedAt};${encoded(requestId)};${encoded(clientAddress)};${encoded(userAgent ?? '')};${left}`
}

/** `path`: as it is sent, without its query. */
export const signedText = (identityDigest: string, facts: string, method: string, path: string): string =>
  `${identityDigest};${facts};${method} ${path}`

/** Returns null when the text is in another form. */
export function readHeader(text: string): ReadHeader | null {
  const [first, last] = [text.indexOf(';'), text.lastIndexOf(';')]
  if (first <= 0 || first === last) return null
  return { identity: text.slice(0, first), facts: text.slice(first + 1, last), mac: text.slice(last + 1) }
}

/** Of facts whose signature is right. Returns null when they are not in the form of `factsText`. */
export function readFacts(text: string): ReadFacts | null {
  const [, signedAt, requestId, clientAddress, userAgent, limit, remaining, resetSeconds] = form.exec(text) ?? []
  if (signedAt === undefined) return null
  const isLimited = limit !== undefined
  return {
    signedAt: Number(signedAt),
    requestId: decoded(requestId),
    clientAddress: decoded(clientAddress),
    userAgent: userAgent === '' ? null : decoded(userAgent),
    quota: isLimited
      ? { limit: Number(limit), remaining: Number(remaining), resetSeconds: Number(resetSeconds) }
      : null,
  }
}

const number = String.raw`(\d{1,15})`
const word = `((?:[^;%]|%[0-9A-F]{2})*)`
const form = new RegExp(`^${number};${word};${word};${word};(?:${number},${number},${number})?$`)

const decoded = (text: string | undefined): string =>
  text?.includes('%') === true ? decodeURIComponent(text) : (text ?? '')
