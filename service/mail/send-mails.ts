// Background work that sends the emails that wait, in every service. Each is taken for one attempt at a time. One that
// the server may take later is tried again with growing pauses, within bounds; one that it refuses is given up.
import type { Database } from '#prisma/client.ts'
import type { Keyring } from '#runtime/keyring.ts'
import type { Log } from '#runtime/log.ts'
import { tally } from '#runtime/metrics/metric.ts'
import { backoffMs, type Backoff } from '#runtime/retry.ts'
import { writeLetter } from './letter.ts'
import { contentOf, type MailKind, type Writers } from './outbox.ts'
import { deleteMail, giveUpMail, postponeMail, takeDueMails } from './rows.ts'
import type { SendMail, SendOutcome } from './transport.ts'

const mailsAtOnce = 6
const lookAgainMs = 1_000
const attemptsMax = 12
/** By then nobody waits for it any more, and most links have ended. */
const ageHoursMax = 24
const defaultBackoff: Backoff = { minMs: 15_000, maxMs: 2 * 3_600_000 }

export type MailerDeps = {
  readonly db: Database
  readonly keyring: Pick<Keyring, 'open'>
  readonly publicUrl: string
  readonly send: SendMail
  readonly writers: Writers
  readonly sent: MailTally
  readonly log: Pick<Log, 'warn'>
  readonly backoff?: Backoff | undefined
}

/** By kind and by how an attempt ended: `sent`, `retried`, `given_up`, or `dropped` where nothing was to be sent. */
export type MailTally = ReturnType<typeof mailTally>
export const mailTally = (kinds: readonly string[]) => {
  const sent = tally(['kind', 'outcome'])
  // From zero: what Prometheus first sees of a figure is no increase.
  for (const kind of kinds) for (const outcome of ends) sent.add({ kind, outcome }, 0)
  return sent
}

type DueMail = Awaited<ReturnType<typeof takeDueMails>>[number]

/** Gives each email that is due an attempt. Returns after how many milliseconds to look again. */
export async function sendDueMails(deps: MailerDeps): Promise<number> {
  const due = await takeDueMails(deps.db, mailsAtOnce)
  await Promise.all(due.map((mail) => attempt(deps, mail)))
  return due.length === mailsAtOnce ? 0 : lookAgainMs
}

async function attempt(deps: MailerDeps, mail: DueMail): Promise<void> {
  const { db, sent, log } = deps
  const { id, kind, attempts, createdAt, workspaceId } = mail
  const outcome = await outcomeOf(deps, mail)
  const end = endOf(outcome, { attempts, ageMs: Date.now() - createdAt.getTime() })
  sent.add({ kind, outcome: end })
  if (outcome === null || outcome.kind === 'sent') return void (await deleteMail(db, id))
  log.warn({ mailId: id, kind, workspaceId, attempts, reason: outcome.reason, outcome: end }, 'an email was not sent')
  if (end === 'given_up') await giveUpMail(db, id, outcome.reason)
  else await postponeMail(db, id, backoffMs(attempts, deps.backoff ?? defaultBackoff), outcome.reason)
}

const ends = ['sent', 'dropped', 'retried', 'given_up'] as const
type End = (typeof ends)[number]

/** Pure. */
function endOf(
  outcome: SendOutcome | null,
  { attempts, ageMs }: { readonly attempts: number; readonly ageMs: number },
): End {
  if (outcome === null) return 'dropped'
  if (outcome.kind === 'sent') return 'sent'
  const isOver = attempts >= attemptsMax || ageMs >= ageHoursMax * 3_600_000
  return outcome.kind === 'refused' || isOver ? 'given_up' : 'retried'
}

/** Null: there is nothing to send any more. What fails here may succeed later, such as a read of the database. */
async function outcomeOf(deps: MailerDeps, mail: DueMail): Promise<SendOutcome | null> {
  const { db, keyring, publicUrl, send, writers } = deps
  try {
    // The table's checks allow no other kinds, and each is stored with its own content.
    const write = writers[mail.kind as MailKind]
    const addressed = await write(contentOf(keyring, mail) as never, {
      db,
      publicUrl,
      createdAt: mail.createdAt,
      now: new Date(),
    })
    if (addressed === null) return null
    return await send({ id: mail.id, to: addressed.to, ...writeLetter(addressed.letter) })
  } catch (error) {
    return { kind: 'retry', reason: error instanceof Error ? error.name : 'unknown' }
  }
}
