// The rules of the policy as people are told of them.
import type { PolicyRule, StoppedKey } from '#contract/key-policy.ts'

type Words = {
  readonly title: string
  /** What it is good for. */
  readonly about: string
  /** Why a key is stopped by it. */
  readonly why: string
}

export const ruleWords: Readonly<Record<PolicyRule, Words>> = {
  allowUnboundKeys: {
    title: 'Only keys of this workspace',
    about: 'Keys that act in several workspaces are refused here.',
    why: 'It acts in several workspaces.',
  },
  requireIpAllowlist: {
    title: 'Keys name their addresses',
    about: 'A key without a list of addresses is refused: a stolen secret would work from anywhere.',
    why: 'It names no addresses.',
  },
  requireExpiry: {
    title: 'Keys expire',
    about: 'A key that never ends is refused.',
    why: 'It never expires.',
  },
  maxKeyAgeDays: {
    title: 'Secrets are renewed',
    about: 'A secret that is older is refused until the key is rotated.',
    why: 'Its secret is too old.',
  },
}

/** As the service refuses a key by them. */
export const rules = Object.keys(ruleWords) as PolicyRule[]

/** `Stops 3 keys`. */
export const stopsText = (count: number): string =>
  count === 0 ? 'Stops no key' : `Stops ${count} ${count === 1 ? 'key' : 'keys'}`

/** The answer to “how many keys would this stop?”, where there is one. `keys`: in all; `stopped`: those that are listed. */
export function headlineOf(keys: number, stopped: readonly Pick<StoppedKey, 'refused'>[], isChanged: boolean): string {
  const counted = keys === 1 ? 'one key' : `${keys} keys`
  if (!isChanged) return `These rules stop ${counted}`
  const already = stopped.filter(({ refused }) => refused).length
  return already === 0 ? `This would stop ${counted}` : `This would stop ${counted}; refused already: ${already}`
}

export const isToCome = (at: string): boolean => Date.parse(at) > Date.now()
