// The audit entries of people: denied calls of members, wrong passwords, sign-ins and sign-outs, and requests to set a
// new password. They are written after the answer, which they neither delay nor fail. Entries beyond the bounds, or
// that cannot be written, are passed to `onLost`.
import type { AuditEntry } from '#contract/audit-entries.ts'
import type { FaultCode, Fault } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Operation } from '#contract/operation.ts'
import type { Database } from '#prisma/client.ts'
import { loop } from '#runtime/loop.ts'
import { newId } from '#runtime/new-id.ts'
import type { Part } from '#runtime/process.ts'
import { isDenial } from './denied-calls.ts'
import { appendEach } from './rows.ts'
import { originOf, type Draft } from './rules.ts'

export type PeopleLog = Part & {
  record(entry: PersonEntry | null): void
  /** Of the account with this email. Whether there is one is looked up after the answer, which must not say it. */
  recordByEmail(email: string, entry: ClaimedEntry): void
  size(): number
}
type Membership = { readonly id: string; readonly name: string; readonly workspaceId: string }

const lookEveryMs = 1_000
/** An account with more workspaces is recorded in so many of them. */
const workspacesMax = 50
/** Entries whose account was not looked up yet. */
const claimsMax = 1_000

export function openPeopleLog(db: Database, onLost: (count: number, error?: unknown) => void): PeopleLog {
  const throttle = entryThrottle()
  async function write(entries: readonly PersonEntry[]): Promise<void> {
    if (entries.length === 0) return
    try {
      let cause: unknown
      const lost = await appendEach(db, await draftsOf(db, entries), (error) => (cause = error))
      if (lost > 0) onLost(lost, cause)
    } catch (error) {
      onLost(entries.length, error)
    }
  }
  let claims: Claim[] = []
  const record = (entry: PersonEntry): void => {
    if (!throttle.add(entry)) onLost(1)
  }
  async function settleClaims(): Promise<void> {
    const settled = claims
    claims = []
    try {
      for (const entry of await entriesOf(db, settled)) record(entry)
    } catch (error) {
      onLost(settled.length, error)
    }
  }
  const writing = loop(
    async () => {
      await settleClaims()
      await write(throttle.take())
      return lookEveryMs
    },
    () => {},
  )
  return {
    record: (entry) => {
      if (entry !== null) record(entry)
    },
    recordByEmail: (email, entry) => {
      if (claims.length < claimsMax) claims.push({ email: email.toLowerCase(), entry })
      else onLost(1)
    },
    size: () => throttle.size() + claims.length,
    close: async () => {
      await writing.close()
      await settleClaims()
      await write(throttle.take(true))
    },
  }
}

type Claim = { readonly email: string; readonly entry: ClaimedEntry }

/** Leaves out those of emails without an account. */
async function entriesOf(db: Database, claims: readonly Claim[]): Promise<PersonEntry[]> {
  if (claims.length === 0) return []
  const emails = [...new Set(claims.map(({ email }) => email))]
  const accounts = await db.account.findMany({ where: { email: { in: emails } }, select: { id: true, email: true } })
  const ids = new Map(accounts.map(({ id, email }) => [email, id]))
  return claims.flatMap(({ email, entry }) => {
    const id = ids.get(email)
    return id === undefined ? [] : [{ ...entry, who: { kind: 'account', id } }]
  })
}

async function draftsOf(db: Database, entries: readonly PersonEntry[]): Promise<Draft[]> {
  const drafts: Draft[] = []
  for (const entry of entries) for (const member of await membersOf(db, entry)) drafts.push(draftOf(entry, member))
  return drafts
}

async function membersOf(db: Database, { who }: PersonEntry): Promise<readonly Membership[]> {
  if (who.kind === 'member') return [who]
  return await db.member.findMany({
    where: { accountId: who.id, status: 'active', deletedAt: null },
    select: { id: true, name: true, workspaceId: true },
    orderBy: { workspaceId: 'asc' },
    take: workspacesMax,
  })
}

/** A person who only claims the account is a visitor, and the member is the target. */
function draftOf(entry: PersonEntry, { id, name, workspaceId }: Membership): Draft {
  const { who: _who, isSignedIn, sessionId, at, ...rest } = entry
  const actor = isSignedIn ? { type: 'user' as const, id, name } : visitor
  const session = sessionId === undefined ? null : { type: 'session', id: sessionId, name: null }
  return {
    ...rest,
    id: newId(at),
    workspaceId,
    at: at.toISOString(),
    changes: {},
    actor: { ...actor, keyPrefix: null },
    target: isSignedIn ? session : { type: 'member', id, name },
    outcome: entry.code === null ? 'success' : 'denied',
  }
}

const visitor = { type: 'system', id: 'visitor', name: 'Visitor' } as const

type OfEntry = Pick<AuditEntry, 'surface' | 'ip' | 'userAgent' | 'requestId' | 'action' | 'count'>
export type PersonEntry = OfEntry & {
  /** Null for a success. */
  readonly code: FaultCode | null
  readonly at: Date
  /** The entry of a member belongs to one workspace, that of an account to all where it is a member. */
  readonly who: Who
  /** False for a person who only claims to have this account. */
  readonly isSignedIn: boolean
  /** The session that was opened or ended. */
  readonly sessionId?: string
}
export type ClaimedEntry = Omit<PersonEntry, 'who'>
type Who =
  | { readonly kind: 'member'; readonly id: string; readonly name: string; readonly workspaceId: string }
  | { readonly kind: 'account'; readonly id: string }

type Action = Pick<Operation, 'name'>
type Named = { readonly id: string }

/** The role of the member is not enough. Returns null for another fault, and for a caller who is no member. */
export function refusedMember({ code }: Fault, { name }: Action, by: Principal, at: Date): PersonEntry | null {
  const { kind, id, workspaceId } = by
  if (!isDenial(code) || kind !== 'member' || workspaceId === null) return null
  const who = { kind, id, name: by.name, workspaceId }
  return { who, isSignedIn: true, code, action: name, at, count: 1, ...originOf(by) }
}

const codesOfPasswords: ReadonlySet<FaultCode> = new Set(['wrong_password', 'wrong_second_factor', 'rate_limited'])

/** The password or the code is wrong, or was tried too often. Returns null for another fault. */
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

/** Someone who is not signed in asked for something that goes to the person alone. */
export const claimedEntry = ({ name }: Action, by: Principal, at: Date): ClaimedEntry => ({
  isSignedIn: false,
  code: null,
  action: name,
  at,
  count: 1,
  ...originOf(by),
})

/** A session of the account was opened or ended. */
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

/**
 * Keeps a thousand equal events from filling the audit log. Equal entries become one with a count: the first is due at
 * once, those of the next ten minutes together at their end. The kinds per person are bounded, successes apart from
 * denials.
 */
export type EntryThrottle = {
  /** Returns false when there is no room. */
  add(entry: PersonEntry): boolean
  /** The entries that are due; with `all`, every entry that was not taken yet. */
  take(all?: boolean): PersonEntry[]
  size(): number
}
/** `entry` is the first that was not taken, `count` the number of equal ones. */
type Held = { entry: PersonEntry; count: number; dueAt: number }

const everyMs = 600_000
const peopleMax = 1_000
const kindsEachMax = 20

export function entryThrottle(now: () => number = () => performance.now()): EntryThrottle {
  const people = new Map<string, Map<string, Held>>()

  function add(entry: PersonEntry): boolean {
    const [person, kind] = [personOf(entry), kindOf(entry)]
    const kinds = people.get(person) ?? new Map<string, Held>()
    const held = kinds.get(kind)
    if (held !== undefined) {
      if (held.count === 0) held.entry = entry
      held.count += 1
      return true
    }
    if (kinds.size >= kindsEachMax || (kinds.size === 0 && people.size >= peopleMax)) return false
    people.set(person, kinds.set(kind, { entry, count: 1, dueAt: now() }))
    return true
  }

  function take(all = false): PersonEntry[] {
    const due: PersonEntry[] = []
    for (const [person, kinds] of people) {
      for (const [kind, held] of kinds) {
        if (!all && held.dueAt > now()) continue
        if (held.count === 0) kinds.delete(kind)
        else due.push({ ...held.entry, count: held.count })
        Object.assign(held, { count: 0, dueAt: now() + everyMs })
      }
      if (kinds.size === 0) people.delete(person)
    }
    return due
  }

  const size = (): number => [...people.values()].flatMap((kinds) => [...kinds.values()]).filter(isWaiting).length
  return { add, take, size }
}

/** Denials take no room from successes. */
const personOf = ({ who, code }: PersonEntry): string => `${JSON.stringify(who)} ${code === null}`

/** A sign-in from elsewhere, or with another browser, is never hidden behind the one before. */
const kindOf = ({ action, code, isSignedIn, ip, userAgent }: PersonEntry): string =>
  `${action} ${code} ${isSignedIn} ${code === null ? `${ip} ${userAgent}` : ''}`

const isWaiting = ({ count }: Held): boolean => count > 0
