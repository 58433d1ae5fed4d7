// Is the secret older than the key's own rotation policy allows?
import { policyFault } from '#contract/key-policy.ts'
import type { Key } from './key.ts'

export function checkSecretAge({ rotateBy }: Key, now: number): void {
  if (rotateBy <= now) throw policyFault('maxKeyAgeDays')
}
