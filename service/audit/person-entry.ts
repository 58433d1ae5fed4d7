// What the audit logs are told of people: that a member's role does not do, that somebody does not know the password of an
// account that there is, and that somebody has signed in or out. Pure.
import type { AuditEntry } from '#contract/audit-entries.ts'
import type { Fault, FaultCode } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Operation } from '#contract/operation.ts'
import { isDenial } from './denied-call-queue.ts'
import { originOf } from './entry.ts'

type OfEntry = Pick<AuditEntry, 'surface' | 'ip' | 'userAgent' | 'requestId' | 'action' | 'count'>
export type PersonEntry = OfEntry & {
  /** Null: it has succeeded. */
  readonly code: FaultCode | null
  readonly at: Date
  /** Of a member it belongs to one workspace, of an account to all those where it is a member. */
  readonly who: Who
  /** The person is signed in, and not somebody who only says to be this account. */
  readonly isSignedIn: boolean
  /** The session that has begun or ended. */
  readonly sessionId?: string
}
type Who =
  | { readonly kind: 'member'; readonly id: string; readonly name: string; readonly workspaceId: string }
  | { readonly kind: 'account'; readonly id: string }

type Action = Pick<Operation, 'name'>
type Named = { readonly id: string }

/** Returns null when the fault is of another kind, or the caller is no member. */
export function refusedMember({ code }: Fault, { name }: Action, by: Principal, at: Date): PersonEntry | null {
  const { kind, id, workspaceId } = by
  if (!isDenial(code) || kind !== 'member' || workspaceId === null) return null
  const who = { kind, id, name: by.name, workspaceId }
  return { who, isSignedIn: true, code, action: name, at, count: 1, ...originOf(by) }
}

const codesOfPasswords: ReadonlySet<FaultCode> = new Set(['wrong_password', 'rate_limited'])

/** Returns null when it was not for the password. */
export function refusedAccount(
  { code }: Fault,
  { name }: Action,
  { id }: Named,
  by: Principal,
  at: Date,
): PersonEntry | null {
  if (!codesOfPasswords.has(code)) return null
  const isSignedIn = by.kind === 'account' && by.id === id
  return { who: { kind: 'account', id }, isSignedIn, code, action: name, at, count: 1, ...originOf(by) }
}

/** Somebody has signed in to the account, or out of it. */
export const sessionEntry = (
  { name }: Action,
  { id }: Named,
  session: Named,
  by: Principal,
  at: Date,
): PersonEntry => ({
  who: { kind: 'account', id },
  isSignedIn: true,
  code: null,
  action: name,
  at,
  count: 1,
  sessionId: session.id,
  ...originOf(by),
})
