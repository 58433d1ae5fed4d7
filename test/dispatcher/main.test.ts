// The process itself, on Postgres and RabbitMQ.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#prisma/client.ts'
import { ensureSecretProof } from '#prisma/sealing-rows.ts'
import { openPublisher } from '#runtime/broker-publisher.ts'
import { namesFor } from '#runtime/broker-connection.ts'
import { freshPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { dropQueues } from '../support/drop-queues.ts'
import { services } from '../support/services.ts'
import { secretOfTests, stageOn } from './stage.ts'

const { postgres, rabbit } = services()

function startProcess(env: Record<string, string>) {
  const child = spawn(process.execPath, ['dispatcher/main.ts'], { env: { PATH: process.env['PATH'], ...env } })
  onTestFinished(() => void child.kill('SIGKILL'))
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => output.push(chunk.toString()))
  return { child, output: () => output.join(''), exited: once(child, 'exit').then(([code]) => code as number) }
}

async function freshStage() {
  const { url, drop } = await freshPostgres()
  const { db, close } = await openDatabase({ url, connections: 2 })
  onTestFinished(() => close().then(drop))
  return { url, stage: await stageOn(db) }
}

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return String(port)
}

const statusOf = (url: string) =>
  fetch(url).then(
    ({ status }) => status,
    () => null,
  )

test.skipIf(postgres === null || rabbit === null)(
  'it delivers what is published, says that it is ready, logs no secret, and ends on a signal',
  async () => {
    const brand = `test-${crypto.randomUUID().slice(0, 8)}`
    onTestFinished(() => removeQueues(brand))
    const { url, stage } = await freshStage()
    await using receiver = await startReceiver()
    const webhook = await stage.webhook({
      url: `${receiver.url}?token=hidden`,
      headers: { authorization: 'Bearer hidden' },
    })
    const port = await freePort()
    const { child, output, exited } = startProcess({
      DATABASE_URL: url,
      AMQP_URL: rabbit ?? '',
      INTERNAL_SECRET: secretOfTests,
      BRAND: brand,
      PORT: port,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_RETRY_SCHEDULE: '1,1',
      LOG_LEVEL: 'debug',
    })
    await eventually(async () => (await statusOf(`http://127.0.0.1:${port}/ready`)) === 200, `readiness: ${output()}`)
    expect(await statusOf(`http://127.0.0.1:${port}/health`)).toBe(200)

    const publisher = await openPublisher(rabbit ?? '', namesFor(brand), () => {})
    onTestFinished(publisher.close)
    await eventually(() => publisher.isConnected(), 'a connected publisher')
    const event = await stage.event()
    await publisher.publish(JSON.stringify([{ eventId: event, workspaceId: stage.workspaceId }]))
    const row = await stage.becomes('delivered', event, webhook)
    expect(receiver.calls[0]?.headers[`x-${brand}-delivery-id`]).toBe(row.id)
    expect(row.maxAttempts).toBe(3)

    child.kill('SIGTERM')
    expect(await exited).toBe(0)
    expect(output()).toContain('"msg":"attempt"')
    expect(output()).not.toMatch(/hidden|whsec_/)
  },
)

test.skipIf(postgres === null)(
  'without the broker it says that it is not ready, and delivers all the same',
  async () => {
    const { url, stage } = await freshStage()
    await using receiver = await startReceiver()
    const webhook = await stage.webhook({ url: receiver.url })
    const port = await freePort()
    const { child, exited } = startProcess({
      DATABASE_URL: url,
      AMQP_URL: 'amqp://127.0.0.1:1',
      INTERNAL_SECRET: secretOfTests,
      PORT: port,
      WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: 'true',
    })
    await eventually(async () => (await statusOf(`http://127.0.0.1:${port}/ready`)) === 503, 'that it is not ready')
    const event = await stage.event()
    await stage.becomes('delivered', event, webhook)
    child.kill('SIGTERM')
    expect(await exited).toBe(0)
  },
)

test.skipIf(postgres === null)(
  'once another secret is that of the installation it says that it is not ready, and why',
  async () => {
    const { url, stage } = await freshStage()
    await ensureSecretProof(stage.db, secretOfTests, false)
    const port = await freePort()
    const { output } = startProcess({
      DATABASE_URL: url,
      AMQP_URL: 'amqp://127.0.0.1:1',
      INTERNAL_SECRET: secretOfTests,
      PORT: port,
    })
    const readiness = () =>
      fetch(`http://127.0.0.1:${port}/ready`).then(
        (answer) => answer.text(),
        () => '',
      )
    await eventually(async () => (await readiness()).includes('"secret":true'), `the secret to be right: ${output()}`)

    await ensureSecretProof(stage.db, 'some other secret', true)

    expect(JSON.parse(await readiness())).toMatchObject({
      status: 'not ready',
      database: true,
      secret: false,
      reason: expect.stringContaining('INTERNAL_SECRET_CHANGED'),
    })
  },
)

test('settings that are missing or wrong are all named, and the process does not start', async () => {
  const { output, exited } = startProcess({ WEBHOOK_RETRY_SCHEDULE: '5,never', WEBHOOK_ALLOW_CIDRS: '10.0.0.0/33' })
  expect(await exited).toBe(78)
  for (const name of ['DATABASE_URL', 'AMQP_URL', 'INTERNAL_SECRET', 'WEBHOOK_RETRY_SCHEDULE', 'WEBHOOK_ALLOW_CIDRS'])
    expect(output()).toContain(name)
})

test('a database that does not answer is reported in one sentence', async () => {
  const { output, exited } = startProcess({
    DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none',
    AMQP_URL: 'amqp://127.0.0.1:1',
    INTERNAL_SECRET: secretOfTests,
  })
  expect(await exited).toBe(1)
  expect(output().trim().split('\n')).toHaveLength(1)
})

async function removeQueues(brand: string): Promise<void> {
  await dropQueues(rabbit ?? '', brand)
}
