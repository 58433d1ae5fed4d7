// Does the key hold the scope that an operation needs?
import { covers, type Scope } from '#contract/scopes.ts'
import { Fault, insufficientScope } from '#contract/faults/fault.ts'
import type { Key } from './key.ts'

export function checkHasScopes({ scopes }: Key): void {
  if (scopes.length === 0) throw new Fault('api_key_has_no_scopes', 'This key may do nothing: it holds no scopes.')
}

/** `needed` is null for an operation that needs none. */
export function checkScope({ scopes }: Key, needed: Scope | null): void {
  if (needed === null || covers(scopes, needed)) return
  throw insufficientScope(needed)
}
