// Refusals that more than one tier makes, in the same words. Pure.
import { Fault } from './fault.ts'

export const insufficientScope = (scope: string): Fault =>
  new Fault('insufficient_scope', `This needs the scope ${scope}.`, { requiredScopes: [scope] })

export const routeNotFound = (): Fault => new Fault('route_not_found', 'There is nothing at this address.')

/** What is short of something for a moment: worth another try after a second. */
export const unavailable = (detail: string, cause?: unknown): Fault =>
  new Fault('unavailable', detail, { retryAfterSeconds: 1 }, cause)

/** The same for whoever finds no room: `policy` is the name of what is full. */
export const overCapacity = (policy: string, detail: string): Fault =>
  new Fault('unavailable', detail, { retryAfterSeconds: 1, 'violated-policies': [policy] })
