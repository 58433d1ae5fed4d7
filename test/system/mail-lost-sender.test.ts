// Of two services that send email, as real processes, one is killed while the SMTP server is slow to answer.
import { expect, test } from 'vitest'
import { openDatabase } from '#prisma/client.ts'
import { clientOf } from '../support/client.ts'
import { openStores } from '../support/deployment.ts'
import { eventually } from '../support/eventually.ts'
import { lacksForeign } from '../support/foreign.ts'
import { start } from '../support/processes.ts'
import { startSmtpServer } from '../support/servers/smtp-server.ts'
import { modes, must } from '../support/system.ts'

/** Of one service: so many it takes at once, and sends over so many connections. */
const [taken, connections] = [6, 3]
const addresses = Array.from({ length: 2 * taken }, (_none, number) => `person-${number}@example.com`)

test.runIf(modes.includes('distributed') && !lacksForeign)(
  'no email is lost with a service that is killed; what it was sending is sent once more, with the same Message-ID',
  { timeout: 120_000 },
  async () => {
    await using opened = new AsyncDisposableStack()
    const smtp = opened.use(await startSmtpServer())
    const { env, operatorToken, close } = await openStores({
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      MAIL_FROM: 'no-reply@workspace.example',
      PUBLIC_URL: 'https://workspace.example',
    })
    opened.defer(close)
    const { db, close: disconnect } = await openDatabase({ url: env.DATABASE_URL, connections: 2 })
    opened.defer(disconnect)
    const [killed, other] = [
      opened.use(await start('service/main.ts', env)),
      opened.use(await start('service/main.ts', env)),
    ]
    const gateway = opened.use(await start('gateway/main.ts', { ...env, SERVICE_URLS: other.url }))
    const { settings } = await clientOf(gateway.url, operatorToken).tenant()
    /** Those that wait are due now, as after a while. */
    const later = () => db.$executeRawUnsafe('UPDATE mail SET next_attempt_at = now()')

    // None is due at first, so that all become due in one moment.
    await db.$executeRawUnsafe(`CREATE FUNCTION put_off() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN NEW.next_attempt_at := now() + interval '1 hour'; RETURN NEW; END $$`)
    await db.$executeRawUnsafe('CREATE TRIGGER put_off BEFORE INSERT ON mail FOR EACH ROW EXECUTE FUNCTION put_off()')
    for (const email of addresses) {
      const { id } = must(await settings('POST', '/members', { name: 'Grace', email }))
      must(await settings('POST', '/invitations', { memberId: id }))
    }
    smtp.answer('text', 'hold')
    await later()
    await eventually(() => smtp.mails.length === 2 * connections, 'both to wait for the server')
    await killed.kill('SIGKILL')
    smtp.answer('text', 'accept')
    smtp.release()
    await eventually(async () => (await db.mail.count()) === taken, 'the other to have sent what it has taken')
    await later()
    await eventually(async () => (await db.mail.count()) === 0, 'nothing waits')

    const ids = Map.groupBy(smtp.mails, ({ to }) => to.join())
    expect([...ids.keys()].toSorted()).toEqual(addresses.toSorted())
    for (const copies of ids.values()) expect(new Set(copies.map(({ messageId }) => messageId)).size).toBe(1)
    expect([...ids.values()].filter(({ length }) => length === 2)).toHaveLength(connections)
    expect(smtp.mails).toHaveLength(addresses.length + connections)
  },
)
