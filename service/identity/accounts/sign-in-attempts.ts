// Limits password tries. They are counted in the database, since guesses may reach any service. A try is counted before
// the password is checked, so that parallel tries gain nothing; a right one is taken back. An account that is limited
// for one address stays open for others until it has been tried far more often.
import { hash } from 'node:crypto'
import { Fault } from '#contract/faults/fault.ts'
import { networkOf, parseAddress } from '#runtime/ip-address.ts'
import type { Call, Db } from '../../execution/call.ts'
import { addTry, takeBackTries } from './rows.ts'

/** A subject whose tries are counted, with its limit within `windowMinutes`. */
export type Counted = { readonly subject: string; readonly max: number }

const windowMinutes = 15
const perAccountAndAddress = 10
const perAccount = 100
const perAddress = 60
const perKnownBrowser = 10
const perSession = 10
const perFactor = 10
const ofSetupPerAddress = 20
const resetsPerAccount = 3
const resetsPerAddress = 20
const testMailsPerAccount = 5
const flowsPerAddress = 200
const flowsPerKnownBrowser = 30

/** For the password of the account with this email, whether it exists or not. */
export function passwordTries(email: string, address: string): Counted[] {
  const [who, where] = [digestOf(email.toLowerCase()), networkIn(address)]
  return [
    { subject: `account-address.${who}.${where}`, max: perAccountAndAddress },
    { subject: `account.${who}`, max: perAccount },
    { subject: `address.${where}`, max: perAddress },
  ]
}

/** For a browser in which this account has signed in with this password before: tries elsewhere do not count. */
export const knownBrowserTries = (mark: string): Counted[] => [{ subject: `browser.${mark}`, max: perKnownBrowser }]

/** For the password of a person who is signed in, apart from all other tries. */
export const sessionTries = (sessionId: string): Counted[] => [{ subject: `session.${sessionId}`, max: perSession }]

/** For emails to set a new password, whether there is an account with this email or not. */
export function resetTries(email: string, address: string): Counted[] {
  return [
    { subject: `reset-address.${networkIn(address)}`, max: resetsPerAddress },
    { subject: `reset.${digestOf(email.toLowerCase())}`, max: resetsPerAccount },
  ]
}

/** For test emails that a person sends to themself. */
export const testMailTries = (accountId: string): Counted[] => [
  { subject: `test-mail.${accountId}`, max: testMailsPerAccount },
]

/**
 * For a code of the second factor, whose password was right. A known browser and a session have a count of their own.
 */
export const factorTries = (
  accountId: string,
  { sessionId, mark }: { readonly sessionId: string | null; readonly mark: string | null },
): Counted[] => {
  const where = sessionId !== null ? `session.${sessionId}` : mark !== null ? `browser.${mark}` : `account.${accountId}`
  return [{ subject: `factor-${where}`, max: perFactor }]
}

/** For challenges that no passkey has signed. */
export const passkeyTries = (address: string): Counted[] => [
  { subject: `passkey.${networkIn(address)}`, max: flowsPerAddress },
]

/** For the token in a link. */
const linkTries = (address: string): Counted[] => [{ subject: `link.${networkIn(address)}`, max: ofSetupPerAddress }]

/** Throws `rate_limited` when a subject exceeds its limit. */
export async function countTry(db: Db, counted: readonly Counted[], now: Date): Promise<void> {
  const since = windowStart(now)
  for (const { subject, max } of counted) {
    const { count, startedAt } = await addTry(db, subject, since, now)
    if (count > max) throw tooMany(startedAt, now)
  }
}

/** For sign-ins at the provider that are not completed. `browserId`: a browser that has signed in before. */
export const flowTries = (address: string, browserId: string | null): Counted[] =>
  browserId === null
    ? [{ subject: `flow.${networkIn(address)}`, max: flowsPerAddress }]
    : [{ subject: `flow-browser.${browserId}`, max: flowsPerKnownBrowser }]

/**
 * Returns what `find` finds by the token of a link, or null. Only a token that finds nothing counts as a try of the
 * address, so that a right one always works. Throws `rate_limited`.
 */
export async function foundByLink<T>(
  { db, now, principal }: Pick<Call, 'db' | 'now' | 'principal'>,
  find: () => Promise<T | null>,
): Promise<T | null> {
  const found = await find()
  if (found === null) await countTry(db, linkTries(principal.clientAddress), now)
  return found
}

/** After a right password: wrong ones before it no longer count, and the address gets this try back. */
export async function forgiveTries(db: Db, counted: readonly Counted[]): Promise<void> {
  await takeBackTries(
    db,
    counted.map(({ subject }) => subject),
  )
}

/** Deletes counts whose window has ended. */
export async function deleteOutdatedTries(db: Db, now: Date): Promise<void> {
  await db.signInAttempt.deleteMany({ where: { startedAt: { lte: windowStart(now) } } })
}

const windowStart = (now: Date): Date => new Date(now.getTime() - windowMinutes * 60_000)

function tooMany(startedAt: Date, now: Date): Fault {
  const ms = startedAt.getTime() + windowMinutes * 60_000 - now.getTime()
  const retryAfterSeconds = Math.max(1, Math.ceil(ms / 1_000))
  return new Fault('rate_limited', 'Too many tries to sign in. Wait before the next one.', {
    retryAfterSeconds,
    'violated-policies': ['sign-in'],
  })
}

/** Text that was typed as an email may be a password, so only its hash is stored. */
const digestOf = (text: string): string => hash('sha256', text, 'base64url')

function networkIn(address: string): string {
  const parsed = parseAddress(address)
  return parsed === null ? 'unknown' : networkOf(parsed)
}
