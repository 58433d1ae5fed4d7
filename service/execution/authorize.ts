// Whether a caller may make a call: the scope that the operation declares, a workspace to act in, and the scopes that
// depend on what a call is about.
import { Fault, forOperator, insufficientRole, insufficientScope } from '#contract/faults/fault.ts'
import type { Operation } from '#contract/operation.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { covers, type Scope } from '#contract/scopes.ts'
import { rolesWith } from '#contract/roles.ts'

/** Throws `insufficient_scope` or `workspace_required`. */
export function authorize(operation: Operation, { kind, scopes, workspaceId }: Principal): void {
  const { scope, tenancy } = operation
  if (scope !== null && !covers(scopes, scope)) {
    throw kind === 'member' ? insufficientRole(scope, rolesWith(scope)) : insufficientScope(scope)
  }
  if (tenancy === 'workspace' && workspaceId === null) {
    throw new Fault('workspace_required', 'Name a workspace: header x-workspace-id or parameter workspaceId.')
  }
}

/**
 * What depends on the fields that are given. Throws `insufficient_scope` for those that are the operator's alone, and
 * `confirmation_required` where the password was not given lately. `input`: as it was sent.
 */
export function authorizeFields({ ofOperator, confirmed }: Operation, input: unknown, principal: Principal): void {
  if (principal.kind === 'operator') return
  const given = typeof input === 'object' && input !== null ? input : {}
  const refused = ofOperator.find((field) => field in given)
  if (refused !== undefined) throw forOperator(`\`${refused}\``)
  const isDryRun = 'dryRun' in given && given.dryRun === true
  const isAsked = confirmed === true || confirmed?.some((field) => field in given) === true
  if (isAsked && !isDryRun && principal.session?.isConfirmed === false)
    throw new Fault('confirmation_required', 'Confirm with your password, then try again.')
}

/** Throws `insufficient_scope` with those that lack. `purpose` begins the sentence that tells what they are for. */
export function assertHolds(needed: readonly string[], held: readonly string[], purpose: string): void {
  // What was written down came from a list of scopes.
  const requiredScopes = needed.filter((scope) => !covers(held, scope as Scope))
  if (requiredScopes.length === 0) return
  throw new Fault('insufficient_scope', `${purpose} a key needs ${requiredScopes.join(', ')}.`, { requiredScopes })
}
