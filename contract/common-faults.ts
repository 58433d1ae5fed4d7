// Refusals that more than one tier makes, in the same words. Pure.
import { Fault } from './fault.ts'

export const insufficientScope = (scope: string): Fault =>
  new Fault('insufficient_scope', `This needs the scope ${scope}.`, { requiredScopes: [scope] })

/** `roles`: those that hold the scope. */
export const insufficientRole = (scope: string, roles: readonly string[]): Fault =>
  new Fault('insufficient_scope', `This needs the role ${roles.join(' or ')} in the workspace.`, {
    requiredScopes: [scope],
    requiredRoles: roles,
  })

/** For what members may do, but not this part of it. */
export const forOperator = (what: string): Fault =>
  new Fault('insufficient_scope', `${what} is for whoever runs this installation.`, { requiredRoles: [] })

export const notSignedIn = (): Fault => new Fault('not_signed_in', 'Sign in to call this.')

export const routeNotFound = (hint?: string): Fault =>
  new Fault('route_not_found', 'There is nothing at this address.', hint === undefined ? {} : { hint })

/** What is short of something for a moment: worth another try after a second. */
export const unavailable = (detail: string, cause?: unknown): Fault =>
  new Fault('unavailable', detail, { retryAfterSeconds: 1 }, cause)

/** The same for whoever finds no room: `policy` is the name of what is full. */
export const overCapacity = (policy: string, detail: string): Fault =>
  new Fault('unavailable', detail, { retryAfterSeconds: 1, 'violated-policies': [policy] })
