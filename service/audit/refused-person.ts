// A person who was refused: a member whose role does not do, or somebody with the wrong password of an account that there
// is. Pure.
import type { AuditEntry } from '#contract/audit-entries.ts'
import type { Fault } from '#contract/fault.ts'
import type { FaultCode } from '#contract/fault-codes.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Operation } from '#contract/operation.ts'
import { isDenial } from './denied-call-queue.ts'
import { originOf } from './entry.ts'

export type RefusedPerson = Pick<AuditEntry, 'surface' | 'ip' | 'userAgent' | 'requestId' | 'action' | 'count'> & {
  readonly code: FaultCode
  readonly at: Date
  /** Of a member it belongs to one workspace, of an account to all those where it is a member. */
  readonly who: Refused
  /** The person is signed in, and not somebody who only says to be this account. */
  readonly isSignedIn: boolean
}
type Refused =
  | { readonly kind: 'member'; readonly id: string; readonly name: string; readonly workspaceId: string }
  | { readonly kind: 'account'; readonly id: string }

type Action = Pick<Operation, 'name'>

/** Returns null when the fault is of another kind, or the caller is no member. */
export function refusedMember({ code }: Fault, { name }: Action, by: Principal, at: Date): RefusedPerson | null {
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
  { id }: { readonly id: string },
  by: Principal,
  at: Date,
): RefusedPerson | null {
  if (!codesOfPasswords.has(code)) return null
  const isSignedIn = by.kind === 'account' && by.id === id
  return { who: { kind: 'account', id }, isSignedIn, code, action: name, at, count: 1, ...originOf(by) }
}
