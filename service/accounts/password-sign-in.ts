// Whether people may sign in with a password: not where a provider is the only way.
import { Fault } from '#contract/faults/fault.ts'

export type PasswordSignIn = 'on' | 'off'

/** Throws `password_sign_in_off`. */
export function assertPasswordSignIn(passwordSignIn: PasswordSignIn): void {
  if (passwordSignIn === 'off')
    throw new Fault('password_sign_in_off', 'People sign in at a provider here, and not with a password.')
}
