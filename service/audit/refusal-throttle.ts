// Keeps whoever is refused a thousand times from filling the audit log. Equal refusals are one entry with a count: the first
// is due at once, what follows within ten minutes is due together at their end. Of one person only so many kinds are told
// apart. Pure but for the clock that it is given.
import type { RefusedPerson } from './refused-person.ts'

export type RefusalThrottle = {
  /** Returns false where there is no room. */
  add(refusal: RefusedPerson): boolean
  /** Those that are due, or with `all` whatever has not been taken yet. */
  take(all?: boolean): RefusedPerson[]
  size(): number
}
/** `refusal` is the first that was not taken, `count` how many there were. */
type Held = { refusal: RefusedPerson; count: number; dueAt: number }

const everyMs = 600_000
const peopleMax = 1_000
const kindsEachMax = 20

export function refusalThrottle(now: () => number = () => performance.now()): RefusalThrottle {
  const people = new Map<string, Map<string, Held>>()

  function add(refusal: RefusedPerson): boolean {
    const { who, action, code, isSignedIn } = refusal
    const [person, kind] = [JSON.stringify(who), `${action} ${code} ${isSignedIn}`]
    const kinds = people.get(person) ?? new Map<string, Held>()
    const held = kinds.get(kind)
    if (held !== undefined) {
      if (held.count === 0) held.refusal = refusal
      held.count += 1
      return true
    }
    if (kinds.size >= kindsEachMax || (kinds.size === 0 && people.size >= peopleMax)) return false
    people.set(person, kinds.set(kind, { refusal, count: 1, dueAt: now() }))
    return true
  }

  function take(all = false): RefusedPerson[] {
    const due: RefusedPerson[] = []
    for (const [person, kinds] of people) {
      for (const [kind, held] of kinds) {
        if (!all && held.dueAt > now()) continue
        if (held.count === 0) kinds.delete(kind)
        else due.push({ ...held.refusal, count: held.count })
        Object.assign(held, { count: 0, dueAt: now() + everyMs })
      }
      if (kinds.size === 0) people.delete(person)
    }
    return due
  }

  const size = (): number => [...people.values()].flatMap((kinds) => [...kinds.values()]).filter(isWaiting).length
  return { add, take, size }
}

const isWaiting = ({ count }: Held): boolean => count > 0
