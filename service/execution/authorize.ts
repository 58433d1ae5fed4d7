// Whether a caller may make a call: the scope that the operation declares, a workspace to act in, and the scopes that
// depend on what a call is about.
import { Fault } from '#contract/fault.ts'
import type { Operation } from '#contract/operation.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { covers, type Scope } from '#contract/scopes.ts'
import { insufficientScope } from '#contract/common-faults.ts'

/** Throws `insufficient_scope` or `workspace_required`. */
export function authorize({ scope, tenancy }: Operation, { scopes, workspaceId }: Principal): void {
  if (scope !== null && !covers(scopes, scope)) {
    throw insufficientScope(scope)
  }
  if (tenancy === 'workspace' && workspaceId === null) {
    throw new Fault('workspace_required', 'Name a workspace: header x-workspace-id or parameter workspaceId.')
  }
}

/** Throws `insufficient_scope` with those that lack. `purpose` begins the sentence that tells what they are for. */
export function assertHolds(needed: readonly string[], held: readonly string[], purpose: string): void {
  // What was written down came from a list of scopes.
  const requiredScopes = needed.filter((scope) => !covers(held, scope as Scope))
  if (requiredScopes.length === 0) return
  throw new Fault('insufficient_scope', `${purpose} a key needs ${requiredScopes.join(', ')}.`, { requiredScopes })
}
