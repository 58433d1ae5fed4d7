// The session that a call came with.
import type { Principal } from '#contract/internal/principal.ts'
import { notSignedIn } from '#contract/faults/fault.ts'

export { notSignedIn }

/** Throws `not_signed_in`. */
export function sessionOf({ session }: Principal): NonNullable<Principal['session']> {
  if (session === undefined) throw notSignedIn()
  return session
}
