// Is the key revoked, expired, or held by a member who is suspended?
import { Fault } from '#contract/faults/fault.ts'
import type { Key } from './key.ts'

/** An old secret whose overlap is over counts as expired: the key itself may well have a newer one. */
export function checkState(key: Key, now: number): void {
  if (key.revoked) throw new Fault('api_key_revoked', 'This key was revoked.')
  if (key.expiresAt <= now) throw new Fault('api_key_expired', 'This key, or this secret of it, has expired.')
  if (key.suspended) throw new Fault('api_key_suspended', 'The member who holds this key is suspended.')
}
