// Remembers which addresses names have, for as long as their records say, within bounds. Whoever asks for a name that is being
// asked for waits for the same answer.
import type { LookupAddress } from 'node:dns'

/** Resolves with no address where there is none, or nobody answers. Rejects where too many names are being asked for. */
export type Resolve = (name: string) => Promise<readonly LookupAddress[]>
export type Found = { readonly addresses: readonly LookupAddress[]; readonly ttlSeconds: number }
type Known = { readonly addresses: readonly LookupAddress[]; readonly goodUntilMs: number }

/** Names without addresses, or without an answer, are asked for again after the shorter time. */
const [goodSecondsMin, goodSecondsMax] = [5, 60]
/** Of more names, those that were asked for longest ago are forgotten. */
const namesMax = 10_000
/** More than attempts may be in flight, since a question may outlive the attempt that asked it. */
const questionsMax = 4_000

export function dnsCache(
  ask: (name: string) => Promise<Found>,
  now: () => number = () => performance.now(),
  { names, questions } = { names: namesMax, questions: questionsMax },
): Resolve {
  const known = new Map<string, Known>()
  const asked = new Map<string, Promise<readonly LookupAddress[]>>()

  async function learn(name: string): Promise<readonly LookupAddress[]> {
    const { addresses, ttlSeconds } = await ask(name)
    const goodSeconds = Math.max(goodSecondsMin, Math.min(ttlSeconds, goodSecondsMax))
    known.delete(name)
    known.set(name, { addresses, goodUntilMs: now() + goodSeconds * 1_000 })
    if (known.size > names) known.delete(known.keys().next().value ?? '')
    return addresses
  }

  return async (name) => {
    const before = known.get(name)
    if (before !== undefined && now() < before.goodUntilMs) return before.addresses
    const question = asked.get(name)
    if (question !== undefined) return question
    if (asked.size >= questions) throw new Error('Too many names are being looked up')
    const answer = learn(name).finally(() => asked.delete(name))
    asked.set(name, answer)
    return answer
  }
}
