// The session that a call came with.
import { notSignedIn } from '#contract/common-faults.ts'
import type { Principal } from '#contract/internal/principal.ts'

export { notSignedIn }

/** Throws `not_signed_in`. */
export function sessionOf({ session }: Principal): NonNullable<Principal['session']> {
  if (session === undefined) throw notSignedIn()
  return session
}
