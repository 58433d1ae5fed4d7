// People who were refused, have signed in or out: from there to their audit entries, which neither delay nor fail an answer.
// What finds no room, or cannot be written, is passed to `onLost`.
import type { AuditEntry } from '#contract/audit-entries.ts'
import type { FaultCode } from '#contract/fault-codes.ts'
import type { Fault } from '#contract/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Operation } from '#contract/operation.ts'
import type { Database } from '#prisma/client.ts'
import { loop } from '#runtime/loop.ts'
import { newId } from '#runtime/new-id.ts'
import type { Part } from '#runtime/process.ts'
import { isDenial } from './denied-calls.ts'
import { appendEach } from './rows.ts'
import { originOf, type Draft } from './rules.ts'

export type PeopleLog = Part & { record(entry: PersonEntry | null): void; size(): number }
type Membership = { readonly id: string; readonly name: string; readonly workspaceId: string }

const lookEveryMs = 1_000
/** Of one account. It is recorded in no more. */
const workspacesMax = 50

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
  const writing = loop(
    async () => (await write(throttle.take()), lookEveryMs),
    () => {},
  )
  return {
    record: (entry) => void (entry === null || throttle.add(entry) || onLost(1)),
    size: throttle.size,
    close: async () => {
      await writing.close()
      await write(throttle.take(true))
    },
  }
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

/** Who only says to be somebody is a visitor, and the member is whom it was about. */
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

// What the audit logs are told of people: that a member's role does not do, that somebody does not know the password of an
// account that there is, and that somebody has signed in or out. Pure.

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

// Keeps whoever is refused, or signs in, a thousand times from filling the audit log. Equal entries are one with a count: the
// first is due at once, what follows within ten minutes is due together at their end. Of one person only so many kinds are
// told apart, of what has succeeded and of what was refused. Pure but for the clock that it is given.

export type EntryThrottle = {
  /** Returns false where there is no room. */
  add(entry: PersonEntry): boolean
  /** Those that are due, or with `all` whatever has not been taken yet. */
  take(all?: boolean): PersonEntry[]
  size(): number
}
/** `entry` is the first that was not taken, `count` how many there were. */
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

/** What is refused takes no room from what succeeds. */
const personOf = ({ who, code }: PersonEntry): string => `${JSON.stringify(who)} ${code === null}`

/** A sign-in from elsewhere, or with another browser, is never hidden behind the one before. */
const kindOf = ({ action, code, isSignedIn, ip, userAgent }: PersonEntry): string =>
  `${action} ${code} ${isSignedIn} ${code === null ? `${ip} ${userAgent}` : ''}`

const isWaiting = ({ count }: Held): boolean => count > 0
