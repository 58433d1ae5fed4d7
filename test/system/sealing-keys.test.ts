// Sealing keys and INTERNAL_SECRET change from one start to the next, and webhooks go on being signed.
import { createSecretKey, randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { openDatabase } from '#prisma/client.ts'
import { countSealedStates, webhookKeyring } from '#prisma/sealing-rows.ts'
import type { SealingKey } from '#runtime/keyring.ts'
import { startTiers, type Settings } from '../../standalone/tiers.ts'
import { stageOn } from '../dispatcher/stage.ts'
import { clientOf } from '../support/client.ts'
import { freshDatabase } from '../support/database.ts'
import { openStores } from '../support/deployment.ts'
import { eventually } from '../support/eventually.ts'
import { start } from '../support/processes.ts'
import { startReceiver, type ReceivedCall } from '../support/receiver.ts'
import { modes, must, settingsFor } from '../support/system.ts'

const newKey = (id: string): SealingKey => ({ id, key: createSecretKey(randomBytes(32)) })
const [a, b, c] = [newKey('a'), newKey('b'), newKey('c')]
const silent = pino({ level: 'silent' })

/** The product on one database, started and stopped again and again, with a webhook and its receiver. */
async function given() {
  const opened = new AsyncDisposableStack()
  const { db, ...database } = opened.use(await freshDatabase('pglite'))
  const receiver = opened.use(await startReceiver())
  const first = settingsFor('standalone')
  let [key, secret] = ['', '']

  async function during<T>(change: Partial<Settings>, work: (url: string) => Promise<T>): Promise<T> {
    const tiers = await startTiers({ ...first, ...change }, db, silent, database)
    try {
      return await work(tiers.url)
    } finally {
      await tiers.close()
    }
  }
  await during({}, async (url) => {
    const tenant = await clientOf(url, first.operatorToken).tenant()
    const webhook = { name: 'Receiver', url: receiver.url, eventTypes: ['projects.*'], headers: { 'X-Team': 'blue' } }
    key = tenant.secret
    secret = must(await tenant.api('POST', '/api/v1/webhooks', webhook)).secret
  })

  return {
    db,
    receiver,
    during,
    internalSecret: first.internalSecret,
    makeProject: async (url: string, name: string) => {
      const headers = { authorization: `Bearer ${key}`, 'idempotency-key': name }
      return must(await clientOf(url, '').call('POST', '/api/v1/projects', { name }, headers))
    },
    /** The project's name, of a request that is signed and has the webhook's own header. */
    verified: ({ body, headers }: ReceivedCall) => {
      expect(headers['x-team']).toBe('blue')
      const event = new StandardWebhook(secret).verify(body.toString(), headers as Record<string, string>)
      return (event as { data: { name: string } }).data.name
    },
    allSealedWith: (sealingKey: SealingKey) =>
      eventually(async () => {
        const keyring = webhookKeyring({ sealingKeys: [sealingKey], internalSecret: first.internalSecret })
        return (await countSealedStates(db, keyring)).current === 2
      }, `secret and headers sealed with ${sealingKey.id}`),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

test('webhooks are signed as before with keys of their own, then with another INTERNAL_SECRET, then with the next key alone', async () => {
  await using stage = await given()
  const { receiver, during, makeProject, verified, allSealedWith } = stage
  const project = await during({ sealingKeys: [a] }, async (url) => {
    const made = await makeProject(url, 'one')
    await receiver.count(1)
    await allSealedWith(a)
    return made
  })
  const { internalSecret } = settingsFor('standalone')
  await during({ sealingKeys: [b, a], internalSecret }, async (url) => {
    // A kept answer outlives INTERNAL_SECRET, too.
    expect(await makeProject(url, 'one')).toEqual(project)
    await makeProject(url, 'two')
    await receiver.count(2)
    await allSealedWith(b)
  })
  await during({ sealingKeys: [b], internalSecret }, async (url) => {
    await makeProject(url, 'three')
    await receiver.count(3)
  })
  expect(receiver.calls.map(verified)).toEqual(['one', 'two', 'three'])
})

test('what is due while a key is missing waits, loses no attempt, and is sent once the key is there', async () => {
  await using stage = await given()
  const { db, receiver, during, makeProject, verified, allSealedWith } = stage
  await during({ sealingKeys: [a] }, () => allSealedWith(a))

  await during({ sealingKeys: [c] }, async (url) => {
    await makeProject(url, 'waits')
    const waiting = () => db.delivery.findFirst({ where: { lastErrorCode: 'signing_failed' } })
    await eventually(waiting, 'the delivery to wait')
  })
  expect(receiver.calls).toHaveLength(0)
  expect(await db.delivery.findFirst()).toMatchObject({ status: 'pending', tries: 0, attemptCount: 0 })
  await db.delivery.updateMany({ data: { nextAttemptAt: new Date() } })

  await during({ sealingKeys: [c, a] }, () => receiver.count(1))
  expect(receiver.calls.map(verified)).toEqual(['waits'])
})

test.runIf(modes.includes('distributed'))(
  'a dispatcher that lacks a key says so by the key’s name, is not ready until it has it, and shows no byte of any key',
  async () => {
    await using opened = new AsyncDisposableStack()
    const stores = await openStores({ LOG_LEVEL: 'info', METRICS_PORT: '0' })
    opened.defer(stores.close)
    const { db, close } = await openDatabase({ url: stores.env.DATABASE_URL, connections: 1 })
    opened.defer(close)
    const { env } = stores
    const { webhook } = await stageOn(db)
    const id = await webhook({ url: 'https://example.com/hook', secrets: [] })
    const sealedHeaders = webhookKeyring({ sealingKeys: [a], internalSecret: env.INTERNAL_SECRET }).seal(
      '{}',
      `webhook-headers:${id}`,
    )
    await db.webhook.updateMany({ data: { sealedHeaders } })

    const encoded = ({ key }: SealingKey) => key.export().toString('base64')
    const ofC = `c:${encoded(c)}`
    await using dispatcher = await start('dispatcher/main.ts', { ...env, SEALING_KEYS: ofC }, undefined, '/health')
    const warning = await eventually(() => /^.*SEALING_KEYS lacks.*$/m.exec(dispatcher.stdout())?.[0], 'the warning')
    const readiness = async () => (await (await fetch(`${dispatcher.url}/ready`)).json()) as { broker: boolean }
    await eventually(async () => (await readiness()).broker, 'all but the key')

    expect(JSON.parse(warning)).toMatchObject({ level: 40, missing: { a: 1 } })
    expect((await fetch(`${dispatcher.url}/ready`)).status).toBe(503)
    const reached = { database: true, broker: true, secret: true, sealingKeys: false }
    const reason = expect.stringContaining('SEALING_KEYS lacks')
    expect(await readiness()).toEqual({ status: 'not ready', ...reached, missing: { a: 1 }, reason })
    expect((await dispatcher.kill('SIGTERM')).stdout).not.toContain(encoded(c).slice(0, 12))

    const ofBoth = `${ofC},a:${encoded(a)}`
    await using ready = await start('dispatcher/main.ts', { ...env, SEALING_KEYS: ofBoth })
    expect(await (await fetch(`${ready.url}/ready`)).json()).toMatchObject({ status: 'ready', sealingKeys: true })
  },
)
