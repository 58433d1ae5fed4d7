// An authenticator app that is none of ours: what it shows for a key at a time.
import { TOTP } from 'totp-generator'
import { must } from './client.ts'
import type { Person } from './person.ts'

/** In base32. `at`: now, where none is said. */
export async function codeFor(secret: string, at: Date = new Date()): Promise<string> {
  const { otp } = await TOTP.generate(secret, { timestamp: at.getTime(), explicitZeroPad: true })
  return otp
}

/** A code that this app shows at no time around now. */
export async function wrongCodeFor(secret: string): Promise<string> {
  const now = Date.now()
  const near = await Promise.all([-2, -1, 0, 1, 2].map((step) => codeFor(secret, new Date(now + step * 30_000))))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ?? ''
}

/** Sets the app up for somebody who is signed in. A code is good once: the one that was used here is not again. */
export async function withAuthenticator(person: Pick<Person, 'call'>) {
  const { setup, secret } = must(await person.call('POST', '/second-factors/authenticator', {}))
  const enabling = { setup, code: await codeFor(secret) }
  const { recoveryCodes } = must(await person.call('POST', '/second-factors/authenticator/enable', enabling))
  return { secret: String(secret), recoveryCodes: recoveryCodes as string[] }
}
