// Parts that freeze or cannot be reached. Frozen, they keep their connections open and accept bytes: no error shows
// that they are gone. And a revoked key is refused everywhere within seconds, whichever connections to Redis are down.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logger } from '#runtime/log.ts'
import { startTiers } from '../../standalone/tiers.ts'
import { clientOf } from '../support/client.ts'
import { freshDatabase } from '../support/database.ts'
import { openStores } from '../support/deployment.ts'
import { eventually } from '../support/eventually.ts'
import { start } from '../support/processes.ts'
import { startReceiver } from '../support/receiver.ts'
import { services } from '../support/services.ts'
import { modes, must, settingsFor, startSystem } from '../support/system.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

describe.skipIf(!modes.includes('distributed'))('while they are away', () => {
  test.each(['frozen', 'gone'])(
    'of a broker that is %s, writes are delivered, and when it is back nothing is delivered twice',
    { timeout: 90_000 },
    async (how) => {
      await using broker = await startTcpProxy(services().rabbit ?? '')
      await using system = await startSystem('distributed', { amqpUrl: broker.url })
      await using receiver = await startReceiver()
      const { api } = await system.tenant()
      must(await api('POST', '/api/v1/webhooks', { name: 'w', url: receiver.url, eventTypes: ['projects.*'] }))
      const names: string[] = []
      const write = async (name: string) => {
        must(await api('POST', '/api/v1/projects', { name }))
        names.push(name)
        await receiver.count(names.length)
      }
      await write('before')

      broker.freeze()
      if (how === 'gone') broker.cut()
      for (const name of ['away', 'still away']) await write(name)
      broker.thaw()
      await write('back')
      await eventually(async () => (await system.db.outbox.count()) === 0, 'an empty outbox')
      await write('after')

      expect(receiver.calls.map(({ body }) => JSON.parse(body.toString()).data.name)).toEqual(names)
    },
  )
})

/** Two real services behind a real gateway. */
describe.skipIf(!modes.includes('distributed'))('one service of two', () => {
  let it: Awaited<ReturnType<typeof openScene>>
  beforeAll(async () => {
    it = await openScene()
  }, 120_000)
  afterAll(() => it?.[Symbol.asyncDispose]())

  test.each([
    ['freezes', 'service'],
    ['loses its database', 'database'],
  ] as const)('%s: no call fails, and it gets none until it is back', async (_how, part) => {
    await usable(2)
    const before = timesOut()
    it[part].freeze()

    // What the service has taken is its own to answer: only then reads in flight are those of the other.
    const inFlight = part === 'service' ? await Promise.all(Array.from({ length: 10 }, read)) : []
    await eventually(() => timesOut() > before, 'that it is found')
    const later = await readsAndWrites()
    const ready = await fetch(`${it.gateway.url}/ready`)

    expect([...inFlight, ...later].filter((status) => status > 201)).toEqual([])
    expect(ready.status).toBe(200)
    it[part].thaw()
    await usable(2)
  })

  /** How often the gateway has said in its log that it takes this service out of rotation. */
  const timesOut = () => it.gateway.stdout().split(`"service":"${it.service.url}","reason"`).length
  const read = async () => (await it.tenant.api('GET', '/api/v1/projects')).status
  const write = async () => (await it.tenant.api('POST', '/api/v1/projects', { name: 'x' })).status
  const readsAndWrites = () => Promise.all(Array.from({ length: 10 }, (_, n) => (n % 2 === 0 ? read() : write())))

  async function usable(count: number): Promise<void> {
    const known = async () => {
      const answer = (await (await fetch(`${it.gateway.url}/ready`)).json()) as { services?: { usable: number } }
      return answer.services?.usable === count
    }
    await eventually(known, `${count} usable services`, 30_000)
  }
})

async function openScene() {
  const { env, operatorToken, close } = await openStores()
  const database = await startTcpProxy(env.DATABASE_URL)
  const [other, service] = await Promise.all([
    start('service/main.ts', env),
    start('service/main.ts', { ...env, DATABASE_URL: database.url }),
  ])
  const gateway = await start('gateway/main.ts', { ...env, SERVICE_URLS: `${other.url},${service.url}` })
  return {
    service,
    gateway,
    database,
    tenant: await clientOf(gateway.url, operatorToken).tenant(),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([gateway, other, service].map((process) => process.kill('SIGKILL')))
      await database[Symbol.asyncDispose]()
      await close()
    },
  }
}

const { postgres, redis } = services()

/** Two gateways, each with a service; the connection of each pair to Redis can be frozen. */
async function startTwo() {
  const database = await freshDatabase('postgres')
  const settings = settingsFor('standalone')
  const startPair = async () => {
    const way = await startTcpProxy(redis ?? '')
    const tiers = await startTiers({ ...settings, redisUrl: way.url }, database.db, logger('fatal', 'test'))
    return { way, tiers, client: clientOf(tiers.url, settings.operatorToken) }
  }
  const pairs = [await startPair(), await startPair()]
  const close = async () => {
    await Promise.all(pairs.map(({ tiers }) => tiers.close()))
    for (const { way } of pairs) await way[Symbol.asyncDispose]()
    await database.close()
  }
  return { pairs, [Symbol.asyncDispose]: close }
}

test.skipIf(postgres === null || redis === null).each<[string, readonly number[]]>([
  ['the service that revokes', [0]],
  ['the gateway that is called', [1]],
  ['every service and every gateway', [0, 1]],
])('a revocation holds everywhere though %s lost Redis', async (_lost, frozen) => {
  await using system = await startTwo()
  const { pairs } = system
  const tenant = await pairs[0]!.client.tenant()
  const codes = () =>
    Promise.all(
      pairs.map(async ({ client }) => {
        const headers = { authorization: `Bearer ${tenant.secret}` }
        const { status, body } = await client.call('GET', '/api/v1/projects', undefined, headers)
        return status === 200 ? 'ok' : String(body.code)
      }),
    )
  expect(await codes()).toEqual(['ok', 'ok'])
  for (const at of frozen) pairs[at]!.way.freeze()

  must(await tenant.settings('DELETE', `/api-keys/${tenant.keyId}`))

  // Half of the time for which a gateway believes what it knows while it hears of changes.
  const refused = async () => (await codes()).every((code) => code === 'api_key_revoked')
  await eventually(refused, 'the key is refused everywhere', 15_000)
})
