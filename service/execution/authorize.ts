// Scopes that a call needs beside its operation's own: which, depends on what it is about.
import { Fault } from '#contract/fault.ts'
import { covers, type Scope } from '#contract/scope.ts'

/** Throws `insufficient_scope` with those that lack. `purpose` begins the sentence that tells what they are for. */
export function assertHolds(needed: readonly string[], held: readonly string[], purpose: string): void {
  // What was written down came from a list of scopes.
  const requiredScopes = needed.filter((scope) => !covers(held, scope as Scope))
  if (requiredScopes.length === 0) return
  throw new Fault('insufficient_scope', `${purpose} a key needs ${requiredScopes.join(', ')}.`, { requiredScopes })
}
