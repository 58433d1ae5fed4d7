// How often a password may be tried, counted in the database, since guesses may go to any service. A try is counted before
// the password is looked at, so that many at once pass no more often than one after the other; a right one gives its own
// back. Who is kept out from one address is not kept out from another until an account has been tried far more often.
import { hash } from 'node:crypto'
import { Fault } from '#contract/faults/fault.ts'
import { networkOf, parseAddress } from '#runtime/ip-address.ts'
import type { Call, Db } from '../execution/handler.ts'

/** What counts tries, and how many there may be in `windowMinutes`. */
export type Counted = { readonly subject: string; readonly max: number }

const windowMinutes = 15
const perAccountAndAddress = 10
const perAccount = 100
const perAddress = 60
const perKnownBrowser = 10
const perSession = 10
const ofSetupPerAddress = 20
const flowsPerAddress = 200
const flowsPerKnownBrowser = 30

/** Of a password of the account with this e-mail, whether or not there is one. */
export function passwordTries(email: string, address: string): Counted[] {
  const [who, where] = [digestOf(email.toLowerCase()), networkIn(address)]
  return [
    { subject: `account-address.${who}.${where}`, max: perAccountAndAddress },
    { subject: `account.${who}`, max: perAccount },
    { subject: `address.${where}`, max: perAddress },
  ]
}

/** In a browser where this account has signed in with this password before: what is tried elsewhere does not count. */
export const knownBrowserTries = (mark: string): Counted[] => [{ subject: `browser.${mark}`, max: perKnownBrowser }]

/** Of the password, by somebody who is signed in: neither does it count here, nor count theirs elsewhere. */
export const sessionTries = (sessionId: string): Counted[] => [{ subject: `session.${sessionId}`, max: perSession }]

/** Of the token in a link. */
const linkTries = (address: string): Counted[] => [{ subject: `link.${networkIn(address)}`, max: ofSetupPerAddress }]

/** Throws `rate_limited` when one of them has had as many as it may. */
export async function countTry(db: Db, counted: readonly Counted[], now: Date): Promise<void> {
  const since = windowStart(now)
  for (const { subject, max } of counted) {
    const [row] = await db.$queryRaw<{ count: number; startedAt: Date }[]>`
      INSERT INTO sign_in_attempt AS a (subject, count, started_at) VALUES (${subject}, 1, ${now})
      ON CONFLICT (subject) DO UPDATE SET
        count = CASE WHEN a.started_at <= ${since} THEN 1 ELSE a.count + 1 END,
        started_at = CASE WHEN a.started_at <= ${since} THEN excluded.started_at ELSE a.started_at END
      RETURNING count, started_at AS "startedAt"`
    if (row !== undefined && row.count > max) throw tooMany(row.startedAt, now)
  }
}

/** Of going to the provider and not coming back as somebody. `browserId`: of one where somebody has signed in before. */
export const flowTries = (address: string, browserId: string | null): Counted[] =>
  browserId === null
    ? [{ subject: `flow.${networkIn(address)}`, max: flowsPerAddress }]
    : [{ subject: `flow-browser.${browserId}`, max: flowsPerKnownBrowser }]

/**
 * What `find` finds by the token of a link, or null. A try that finds nothing counts for the address: whoever has a right one
 * is kept out by no wrong ones of others. Throws `rate_limited`.
 */
export async function foundByLink<T>(
  { db, now, principal }: Pick<Call, 'db' | 'now' | 'principal'>,
  find: () => Promise<T | null>,
): Promise<T | null> {
  const found = await find()
  if (found === null) await countTry(db, linkTries(principal.clientAddress), now)
  return found
}

/** After a right one: what was wrong before it counts no longer, and the address has this one back. */
export async function forgiveTries(db: Db, counted: readonly Counted[]): Promise<void> {
  const subjects = counted.map(({ subject }) => subject)
  await db.$executeRaw`UPDATE sign_in_attempt SET count = greatest(count - 1, 0) WHERE subject = ANY(${subjects})`
  await db.$executeRaw`DELETE FROM sign_in_attempt WHERE subject = ${subjects[0] ?? ''}`
}

/** Those whose time is over. */
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

/** What somebody has typed as an e-mail may be a password: it is not kept. */
const digestOf = (text: string): string => hash('sha256', text, 'base64url')

function networkIn(address: string): string {
  const parsed = parseAddress(address)
  return parsed === null ? 'unknown' : networkOf(parsed)
}
