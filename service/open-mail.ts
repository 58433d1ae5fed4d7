// All that sends email in one process: where emails are put, what sends them, and their figures.
import type { Database } from '#prisma/client.ts'
import { keyring, type InternalSecrets, type SealingKey } from '#runtime/keyring.ts'
import type { Log } from '#runtime/log.ts'
import type { Part } from '#runtime/process.ts'
import type { Backoff } from '#runtime/retry.ts'
import { mailAlarms, writeAlarms } from './alarms/mails.ts'
import { writeEmailChange, writeEmailChanged, writeInvitation, writePasswordReset, writeTest } from './letters.ts'
import { outbox, type Outbox, type Writers } from './mail/outbox.ts'
import { mailFigures } from './mail/rows.ts'
import { mailTally, sendDueMails, type MailTally } from './mail/send-mails.ts'
import type { MailConfig } from './mail/settings.ts'
import { openMailTransport, type MailTimeouts } from './mail/transport.ts'

export type Mail = Part & {
  readonly outbox: Outbox
  /** Background work: sends what is due, and returns after how many milliseconds to look again. */
  readonly sendDue: () => Promise<number>
  /** Background work: puts emails about new alarms into the outbox. */
  readonly mailAlarms: () => Promise<unknown>
  readonly sent: MailTally
  readonly figures: () => Promise<{ readonly waiting: number; readonly oldestSeconds: number }>
}

const writers: Writers = {
  invitation: writeInvitation,
  'password-reset': writePasswordReset,
  'email-change': writeEmailChange,
  'email-changed': writeEmailChanged,
  alarms: writeAlarms,
  test: writeTest,
}

type MailDeps = {
  readonly db: Database
  readonly secrets: InternalSecrets & { readonly sealingKeys?: readonly SealingKey[] | undefined }
  readonly log: Pick<Log, 'warn'>
  /** For tests. */
  readonly patience?:
    | { readonly backoff?: Backoff; readonly timeouts?: MailTimeouts; readonly groupSeconds?: number }
    | undefined
}

/** Returns null where no email is sent. */
export function openMail(config: MailConfig | null, { db, secrets, log, patience }: MailDeps): Mail | null {
  if (config === null) return null
  const keys = keyring(secrets.sealingKeys ?? [], secrets, 'mail')
  const transport = openMailTransport(config, patience?.timeouts)
  const sent = mailTally(Object.keys(writers))
  const { publicUrl } = config
  const { send } = transport
  const mailer = { db, keyring: keys, publicUrl, send, writers, sent, log, backoff: patience?.backoff }
  const put = outbox(keys)
  return {
    outbox: put,
    mailAlarms: () => mailAlarms({ db, outbox: put, groupSeconds: patience?.groupSeconds }),
    sendDue: () => sendDueMails(mailer),
    sent,
    figures: async () => (await mailFigures(db))[0] ?? { waiting: 0, oldestSeconds: 0 },
    close: transport.close,
  }
}
