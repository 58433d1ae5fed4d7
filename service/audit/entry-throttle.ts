// Keeps whoever is refused, or signs in, a thousand times from filling the audit log. Equal entries are one with a count: the
// first is due at once, what follows within ten minutes is due together at their end. Of one person only so many kinds are
// told apart, of what has succeeded and of what was refused. Pure but for the clock that it is given.
import type { PersonEntry } from './person-entry.ts'

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
