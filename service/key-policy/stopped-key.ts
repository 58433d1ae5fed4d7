// What a change of the policy means for one key: which rules will stop it, and from when. Pure.
import { codeOfRule, type StoppedKey } from '#contract/key-policy.ts'
import { violationsOf, type CheckedKey, type Policy } from './violations.ts'

export type NamedKey = CheckedKey & { readonly id: string; readonly name: string }
/** `graceOver`: when the grace of each rule has ended. */
export type PolicyChange = {
  readonly before: Policy
  readonly after: Policy
  readonly now: Date
  readonly graceOver: Date
}

/** Returns null for a key that goes on being accepted. */
export function stoppedKey(key: NamedKey, { before, after, now, graceOver }: PolicyChange): StoppedKey | null {
  const stopping = violationsOf(key, after).filter(({ refusedFrom }) => refusedFrom <= graceOver)
  if (stopping.length === 0) return null
  const from = Math.min(...stopping.map(({ refusedFrom }) => refusedFrom.getTime()))
  return {
    id: key.id,
    name: key.name,
    from: new Date(from).toISOString(),
    refused: violationsOf(key, before).some(({ refusedFrom }) => refusedFrom <= now),
    rules: stopping.map(({ rule, refusedFrom }) => ({ rule, code: codeOfRule[rule], from: refusedFrom.toISOString() })),
  }
}
