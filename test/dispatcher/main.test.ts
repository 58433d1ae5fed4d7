// The process itself, on Postgres and RabbitMQ.
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#prisma/client.ts'
import { ensureSecretProof } from '#prisma/sealing-rows.ts'
import { brokerAt } from '#runtime/broker-connection.ts'
import { openPublisher } from '#runtime/broker-publisher.ts'
import { namesFor } from '#runtime/broker-names.ts'
import { freshPostgres } from '../support/database.ts'
import { dropQueues } from '../support/drop-queues.ts'
import { eventually } from '../support/eventually.ts'
import { start } from '../support/processes.ts'
import { startReceiver } from '../support/receiver.ts'
import { services } from '../support/services.ts'
import { secretOfTests, stageOn } from './stage.ts'

const { postgres, rabbit } = services()
const program = 'dispatcher/main.ts'
const toLoopback = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'true' }

async function freshStage() {
  const { url, drop } = await freshPostgres()
  const { db, close } = await openDatabase({ url, connections: 2 })
  onTestFinished(() => close().then(drop))
  return { url, stage: await stageOn(db) }
}

const readinessOf = async (url: string) => (await fetch(`${url}/ready`)).json() as Promise<Record<string, unknown>>

test.skipIf(postgres === null || rabbit === null)(
  'it delivers what is published, says that it is ready, logs no secret, and ends on a signal',
  async () => {
    const brand = `test-${crypto.randomUUID().slice(0, 8)}`
    onTestFinished(() => dropQueues(rabbit ?? '', brand))
    const { url, stage } = await freshStage()
    await using receiver = await startReceiver()
    const headers = { authorization: 'Bearer hidden' }
    const webhook = await stage.webhook({ url: `${receiver.url}?token=hidden`, headers })
    const asked = { ...toLoopback, WEBHOOK_RETRY_SCHEDULE: '1,1', LOG_LEVEL: 'debug', BRAND: brand }
    const parts = { DATABASE_URL: url, AMQP_URL: rabbit ?? '', INTERNAL_SECRET: secretOfTests }
    await using dispatcher = await start(program, { ...parts, ...asked })
    expect((await fetch(`${dispatcher.url}/health`)).status).toBe(200)

    const publisher = await openPublisher(brokerAt(rabbit ?? ''), namesFor(brand), () => {})
    onTestFinished(publisher.close)
    await eventually(() => publisher.isConnected(), 'a connected publisher')
    const event = await stage.event()
    await publisher.publish(JSON.stringify([{ eventId: event, workspaceId: stage.workspaceId }]))
    const row = await stage.becomes('delivered', event, webhook)
    expect(receiver.calls[0]?.headers[`x-${brand}-delivery-id`]).toBe(row.id)
    expect(row.maxAttempts).toBe(3)

    const { code, stdout, stderr } = await dispatcher.kill('SIGTERM')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('"msg":"attempt"')
    expect(stdout).not.toMatch(/hidden|whsec_/)
  },
)

test.skipIf(postgres === null)(
  'without the broker it is ready, says that it is degraded, and delivers; with a changed secret it is not ready',
  async () => {
    const { url, stage } = await freshStage()
    await ensureSecretProof(stage.db, { internalSecret: secretOfTests }, false)
    await using receiver = await startReceiver()
    const webhook = await stage.webhook({ url: receiver.url })
    const env = { DATABASE_URL: url, AMQP_URL: 'amqp://127.0.0.1:1', INTERNAL_SECRET: secretOfTests, ...toLoopback }
    await using dispatcher = await start(program, env)
    expect(await readinessOf(dispatcher.url)).toMatchObject({ status: 'degraded', database: true, broker: false })
    await stage.becomes('delivered', await stage.event(), webhook)
    await eventually(async () => (await readinessOf(dispatcher.url))['secret'] === true, 'the secret to be right')

    await ensureSecretProof(stage.db, { internalSecret: 'some other secret' }, true)

    const reason = expect.stringContaining('INTERNAL_SECRET_CHANGED')
    expect((await fetch(`${dispatcher.url}/ready`)).status).toBe(503)
    const ready = await readinessOf(dispatcher.url)
    expect(ready).toMatchObject({ status: 'not ready', database: true, secret: false, reason })
    expect(await dispatcher.kill('SIGTERM')).toMatchObject({ code: 0 })
  },
)
