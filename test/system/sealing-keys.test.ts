// Sealing keys and INTERNAL_SECRET change from one start to the next, and webhooks go on being signed.
import { createSecretKey, randomBytes } from 'node:crypto'
import { pino } from 'pino'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { openDatabase, type Database } from '#prisma/client.ts'
import { countSealedStates, countSealedValues, webhookKeyring } from '#prisma/sealing-rows.ts'
import type { SealingKey } from '#runtime/keyring.ts'
import { startTiers, type Settings } from '../../standalone/tiers.ts'
import { stageOn } from '../dispatcher/stage.ts'
import { codeFor, withAuthenticator } from '../support/authenticator.ts'
import { clientOf, type Client } from '../support/client.ts'
import { freshDatabase } from '../support/database.ts'
import { openStores } from '../support/deployment.ts'
import { eventually } from '../support/eventually.ts'
import { runToEnd, start, type Env, type Program } from '../support/processes.ts'
import { firstOwner, visitorOf } from '../support/person.ts'
import { startReceiver } from '../support/receiver.ts'
import { modes, must, settingsFor } from '../support/system.ts'

type Started = Client & { readonly db: Database }

const newKey = (id: string): SealingKey => ({ id, key: createSecretKey(randomBytes(32)) })
const [a, b, c] = [newKey('a'), newKey('b'), newKey('c')]

test('webhooks are signed as before with keys of their own, then with another INTERNAL_SECRET, then with the next key alone', async () => {
  await using database = await freshDatabase('pglite')
  await using receiver = await startReceiver()
  const { db } = database
  const first = settingsFor('standalone')
  const { internalSecret: nextSecret } = settingsFor('standalone')
  async function during<T>(change: Partial<Settings>, work: (url: string) => Promise<T>): Promise<T> {
    const tiers = await startTiers({ ...first, ...change }, db, pino({ level: 'silent' }), database)
    try {
      return await work(tiers.url)
    } finally {
      await tiers.close()
    }
  }
  const { key, secret } = await during({}, async (url) => {
    const tenant = await clientOf(url, first.operatorToken).tenant()
    const webhook = { name: 'Receiver', url: receiver.url, eventTypes: ['projects.*'], headers: { 'X-Team': 'blue' } }
    const made = must(await tenant.api('POST', '/api/v1/webhooks', webhook))
    return { key: tenant.secret, secret: String(made.secret) }
  })
  const makeProject = async (url: string, name: string) => {
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': name }
    return must(await clientOf(url, '').call('POST', '/api/v1/projects', { name }, headers))
  }
  const allSealedWith = (sealingKey: SealingKey) =>
    eventually(async () => {
      const keyring = webhookKeyring({ sealingKeys: [sealingKey], internalSecret: first.internalSecret })
      return (await countSealedStates(db, keyring)).current === 2
    }, `secret and headers sealed with ${sealingKey.id}`)

  const project = await during({ sealingKeys: [a] }, async (url) => {
    const made = await makeProject(url, 'one')
    await receiver.count(1)
    await allSealedWith(a)
    return made
  })
  await during({ sealingKeys: [b, a], internalSecret: nextSecret }, async (url) => {
    // A kept answer outlives INTERNAL_SECRET, too.
    expect(await makeProject(url, 'one')).toEqual(project)
    await makeProject(url, 'two')
    await receiver.count(2)
    await allSealedWith(b)
  })
  await during({ sealingKeys: [b], internalSecret: nextSecret }, async (url) => {
    await makeProject(url, 'three')
    await receiver.count(3)
  })

  const verified = receiver.calls.map(({ body, headers }) => {
    const event = new StandardWebhook(secret).verify(body.toString(), headers as Record<string, string>)
    return [headers['x-team'], (event as { data: { name: string } }).data.name]
  })
  expect(verified).toEqual(['one', 'two', 'three'].map((name) => ['blue', name]))
})

test('an authenticator app goes on working with the next sealing key, and after the old one is gone', async () => {
  await using database = await freshDatabase('pglite')
  const { db } = database
  const settings = settingsFor('standalone')
  async function during<T>(sealingKeys: readonly SealingKey[], work: (system: Started) => Promise<T>): Promise<T> {
    const tiers = await startTiers({ ...settings, sealingKeys }, db, pino({ level: 'silent' }), database)
    try {
      return await work({ ...clientOf(tiers.url, settings.operatorToken), db })
    } finally {
      await tiers.close()
    }
  }
  const sealedWith = ({ id }: SealingKey) =>
    eventually(
      async () => (await countSealedValues(db)).every(({ keyId }) => keyId === id),
      `the secret of the app sealed with ${id}`,
    )
  /** With the code of now: one that was used before is good again. */
  async function signInWithCode(system: Started, secret: string) {
    await db.authenticator.updateMany({ data: { lastStep: 0 } })
    const browser = visitorOf(system)
    const { signIn } = must(await browser.signIn())
    return browser.call('POST', '/sessions/second-factor', { signIn, code: await codeFor(secret) })
  }

  const { secret } = await during([a], async (system) => withAuthenticator(await firstOwner(system)))
  expect(await countSealedValues(db)).toEqual([{ keyId: 'a', count: 1 }])
  const between = await during([b, a], async (system) => {
    await sealedWith(b)
    return signInWithCode(system, secret)
  })
  const afterwards = await during([b], (system) => signInWithCode(system, secret))
  const other = await during([c], (system) => signInWithCode(system, secret))

  const entered = { status: 201, body: { signInMethod: 'password_and_authenticator' } }
  expect([between, afterwards]).toMatchObject([entered, entered])
  expect(other.status).toBe(500)
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
    expect(await (await fetch(`${ready.url}/ready`)).json()).toMatchObject({ database: true, sealingKeys: true })
  },
)

test.runIf(modes.includes('distributed'))(
  'INTERNAL_SECRET and OPERATOR_TOKEN change without a stop: at each step processes work with those of the step before and after',
  { timeout: 180_000 },
  async () => {
    await using opened = new AsyncDisposableStack()
    const stores = await openStores({ DRAIN_SECONDS: '0' })
    opened.defer(stores.close)
    const [secrets, tokens] = [
      ['former secret '.repeat(3), 'next secret '.repeat(3)],
      ['former-token'.repeat(3), 'next-token-'.repeat(3)],
    ] as const
    const given = ([one, other]: readonly [number, number | null]): Env => ({
      ...stores.env,
      INTERNAL_SECRET: secrets[one] ?? '',
      OPERATOR_TOKEN: tokens[one] ?? '',
      ...(other !== null && { INTERNAL_SECRET_ACCEPTED: secrets[other], OPERATOR_TOKEN_ACCEPTED: tokens[other] }),
    })
    const steps = [given([0, null]), given([0, 1]), given([1, 0]), given([1, null])]
    const started = async (program: Program, env: Env): Promise<string> => opened.use(await start(program, env)).url
    const services: string[] = []
    for (const env of steps) services.push(await started('service/main.ts', env))
    // A gateway of each step, with the service of the step before or after.
    const pairs = [1, 2, 3].flatMap((at) => [[at, at - 1] as const, [at - 1, at] as const])
    const gateways = await Promise.all(
      pairs.map(([of, to]) =>
        started('gateway/main.ts', { ...stores.env, ...steps[of], SERVICE_URLS: services[to] ?? '' }),
      ),
    )
    const { secret, api } = await clientOf(gateways[0] ?? '', tokens[0]).tenant()
    for (const name of ['one', 'two', 'three']) must(await api('POST', '/api/v1/projects', { name }))
    const headers = { authorization: `Bearer ${secret}` }
    const page = async (url: string, query: string) =>
      must(await clientOf(url, '').call('GET', `/api/v1/projects?limit=1${query}`, undefined, headers))
    const statusesOf = (url: string) =>
      Promise.all(tokens.map((token) => clientOf(url, token).operator('GET', '/settings/api/workspaces')))

    const cursors: string[] = []
    for (const [at, [, to]] of pairs.entries()) cursors[to] = (await page(gateways[at] ?? '', '')).page.nextCursor
    for (const [at, [of]] of pairs.entries()) {
      const url = gateways[at] ?? ''
      // The cursor of one step is read at the other.
      const { data } = await page(url, `&cursor=${cursors[of]}`)
      const asOperator = (await statusesOf(url)).map(({ status }) => status)
      expect([of, data[0].name, ...asOperator]).toEqual([of, 'two', of < 3 ? 200 : 401, of > 0 ? 200 : 401])
    }

    // The proof in the database is of the new secret now.
    expect((await runToEnd('service/main.ts', steps[0] ?? {})).stderr).toContain('INTERNAL_SECRET is not the one')
  },
)
