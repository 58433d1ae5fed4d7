// Several services send the emails of one database at once.
import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '#prisma/client.ts'
import { openMail, type Mail } from '../../../service/open-mail.ts'
import { onPostgres } from '../../support/database-engines.ts'
import { freshDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { lacksForeign } from '../../support/foreign.ts'
import { startSmtpServer } from '../../support/servers/smtp-server.ts'

const secrets = { internalSecret: randomBytes(32).toString('hex') }
const addressOf = (number: number): string => `person-${number}@example.com`

onPostgres(() => {
  describe.skipIf(lacksForeign)('senders', () => {
    test('of two that look for emails in the same moment each takes others: every email is sent once', async () => {
      await using opened = new AsyncDisposableStack()
      const smtp = opened.use(await startSmtpServer())
      const { db, url = '' } = opened.use(await freshDatabase('postgres'))
      const sender = async (): Promise<Mail> => {
        const own = await openDatabase({ url, connections: 2 })
        opened.defer(own.close)
        const mail = openMail(smtp.config, { db: own.db, secrets, log: { warn: () => {} } })
        if (mail === null) throw new Error('No email is sent')
        opened.defer(mail.close)
        return mail
      }
      const senders = [await sender(), await sender()]
      const holder = new Client({ connectionString: url })
      await holder.connect()
      opened.defer(() => holder.end())
      const wait = async (): Promise<boolean> =>
        (await db.$executeRawUnsafe(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'relation'`,
        )) === senders.length

      const addresses = Array.from({ length: 60 }, (_none, number) => addressOf(number))
      for (const email of addresses)
        await senders[0]?.outbox.put(db, null, { kind: 'test', content: { email } }, new Date())
      while ((await db.mail.count()) > 0) {
        await holder.query('BEGIN; LOCK TABLE mail IN ACCESS EXCLUSIVE MODE')
        const sending = senders.map(({ sendDue }) => sendDue())
        await eventually(wait, 'both to ask for emails')
        await holder.query('COMMIT')
        await Promise.all(sending)
      }

      expect(smtp.mails.flatMap(({ to }) => to).toSorted()).toEqual(addresses.toSorted())
      expect(senders.map(({ sent }) => sent.read().find(({ labels }) => isSentTest(labels))?.value)).toEqual([30, 30])
    })
  })
})

const isSentTest = ({ kind, outcome }: Readonly<Record<'kind' | 'outcome', string>>): boolean =>
  kind === 'test' && outcome === 'sent'
