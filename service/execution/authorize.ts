// Authorization of a call: the scope that the operation declares, a workspace to act in, and the scopes that depend on
// what a call is about.
import { forOperator, insufficientRole, insufficientScope, Fault } from '#contract/faults/fault.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Operation } from '#contract/operation.ts'
import { rolesWith } from '#contract/roles.ts'
import { covers, type Scope } from '#contract/scopes.ts'

/** Throws `insufficient_scope` or `workspace_required`. */
export function authorize(operation: Operation, { kind, scopes, workspaceId }: Principal): void {
  const { scope, tenancy } = operation
  if (scope !== null && !covers(scopes, scope)) {
    throw kind === 'member' ? insufficientRole(scope, rolesWith(scope)) : insufficientScope(scope)
  }
  if (tenancy === 'workspace' && workspaceId === null) {
    throw new Fault('workspace_required', 'Specify a workspace: header x-workspace-id or parameter workspaceId.')
  }
}

/**
 * Authorizes the fields that are given. Throws `insufficient_scope` for those that are the operator's alone, and
 * `confirmation_required` where the password was not given lately. `input`: as it was sent.
 */
export function authorizeFields(operation: Operation, input: unknown, principal: Principal): void {
  assertFieldScopes(operation, input, principal)
  if (principal.kind === 'operator') return
  const { ofOperator, confirmed } = operation
  const given = fieldsOf(input)
  const refused = ofOperator.find((field) => field in given)
  if (refused !== undefined) throw forOperator(`\`${refused}\``)
  const isDryRun = 'dryRun' in given && given.dryRun === true
  const isAsked = confirmed === true || confirmed?.some((field) => field in given) === true
  if (isAsked && !isDryRun && principal.session?.isConfirmed === false)
    throw new Fault('confirmation_required', 'Confirm with your password, then try again.')
}

/** Throws `insufficient_scope` for a field that needs a scope of its own. */
export function assertFieldScopes({ fieldScopes }: Operation, input: unknown, { scopes }: Principal): void {
  const given = fieldsOf(input)
  for (const [field, scope] of Object.entries(fieldScopes))
    if (field in given) assertHolds([scope], scopes, `For \`${field}\``)
}

const fieldsOf = (input: unknown): object => (typeof input === 'object' && input !== null ? input : {})

/**
 * Throws `insufficient_scope` with the scopes that lack. `purpose` begins the sentence that tells what they are for.
 */
export function assertHolds(needed: readonly string[], held: readonly string[], purpose: string): void {
  // What was written down came from a list of scopes.
  const requiredScopes = needed.filter((scope) => !covers(held, scope as Scope))
  if (requiredScopes.length === 0) return
  throw new Fault('insufficient_scope', `${purpose} a key needs ${requiredScopes.join(', ')}.`, { requiredScopes })
}
