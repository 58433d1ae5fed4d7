// Names and descriptions of the rules of the policy.
import type { PolicyRule, StoppedKey } from '#contract/key-policy.ts'
import { dayText } from '../../ui/moment-text.ts'

type Words = {
  readonly title: string
  /** The effect of the rule. */
  readonly about: string
  /** Why a key is stopped by it. */
  readonly why: string
}

export const ruleWords: Readonly<Record<PolicyRule, Words>> = {
  allowUnboundKeys: {
    title: 'Only allow keys limited to this workspace',
    about: 'Keys with access to several workspaces are denied.',
    why: 'The key has access to several workspaces.',
  },
  requireIpAllowlist: {
    title: 'Require an IP allowlist',
    about: 'Keys without an IP allowlist are denied, because a stolen secret would work from anywhere.',
    why: 'The key has no IP allowlist.',
  },
  requireExpiry: {
    title: 'Require an expiration date',
    about: 'Keys that never expire are denied.',
    why: 'The key never expires.',
  },
  maxKeyAgeDays: {
    title: 'Require rotation',
    about: 'Keys with a secret older than this are denied until they are rotated.',
    why: 'The secret is too old.',
  },
}

/** As the service refuses a key by them. */
export const rules = Object.keys(ruleWords) as PolicyRule[]

/** `Stops 3 keys`. */
export const stopsText = (count: number): string =>
  count === 0 ? 'Affects no keys' : `Affects ${count} ${count === 1 ? 'key' : 'keys'}`

/**
 * The answer to “how many keys would this stop?”, where there is one. `keys`: in all; `stopped`: those that are listed.
 */
export function headlineOf(keys: number, stopped: readonly Pick<StoppedKey, 'refused'>[], isChanged: boolean): string {
  const counted = keys === 1 ? '1 key' : `${keys} keys`
  if (!isChanged) return `This policy affects ${counted}`
  const already = stopped.filter(({ refused }) => refused).length
  return already === 0 ? `This change affects ${counted}` : `This change affects ${counted}. Already denied: ${already}`
}

/** From when requests are answered with 403: at once, from a day on, or the first of them from a day on. */
export function fromWhen(stopped: readonly Pick<StoppedKey, 'refused' | 'from'>[]): string {
  const moments = stopped.map(({ refused, from }) => (refused || !isToCome(from) ? 0 : Date.parse(from)))
  const [first, last] = [Math.min(...moments), Math.max(...moments)]
  if (moments.length === 0 || last === 0) return 'immediately'
  if (first === 0) return `from the dates listed below (some immediately, the last on ${dayText(new Date(last))})`
  return first === last
    ? `from ${dayText(new Date(first))}`
    : `from the dates listed below (the first on ${dayText(new Date(first))})`
}

export const isToCome = (at: string): boolean => Date.parse(at) > Date.now()
