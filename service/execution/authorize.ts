// Whether a caller may make a call: the scope that the operation declares, a workspace to act in, and the scopes that
// depend on what a call is about.
import { Fault } from '#contract/fault.ts'
import type { Operation } from '#contract/operation.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { covers, type Scope } from '#contract/scopes.ts'
import { rolesWith } from '#contract/roles.ts'
import { forOperator, insufficientRole, insufficientScope } from '#contract/common-faults.ts'

/** Throws `insufficient_scope`, `workspace_required` or `confirmation_required`. */
export function authorize(operation: Operation, { kind, scopes, workspaceId, session }: Principal): void {
  const { scope, tenancy, confirmed } = operation
  if (scope !== null && !covers(scopes, scope)) {
    throw kind === 'member' ? insufficientRole(scope, rolesWith(scope)) : insufficientScope(scope)
  }
  if (tenancy === 'workspace' && workspaceId === null) {
    throw new Fault('workspace_required', 'Name a workspace: header x-workspace-id or parameter workspaceId.')
  }
  if (confirmed === true && session?.isConfirmed === false) {
    throw new Fault('confirmation_required', 'Confirm with your password, then try again.')
  }
}

/** Throws `insufficient_scope` when somebody else gives what the operator alone may give. `input`: as it was sent. */
export function assertFields({ ofOperator }: Operation, input: unknown, { kind }: Principal): void {
  if (kind === 'operator' || typeof input !== 'object' || input === null) return
  const given = ofOperator.find((field) => field in input)
  if (given !== undefined) throw forOperator(`\`${given}\``)
}

/** Throws `insufficient_scope` with those that lack. `purpose` begins the sentence that tells what they are for. */
export function assertHolds(needed: readonly string[], held: readonly string[], purpose: string): void {
  // What was written down came from a list of scopes.
  const requiredScopes = needed.filter((scope) => !covers(held, scope as Scope))
  if (requiredScopes.length === 0) return
  throw new Fault('insufficient_scope', `${purpose} a key needs ${requiredScopes.join(', ')}.`, { requiredScopes })
}
