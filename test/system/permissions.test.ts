// All processes as the users that docs/operating/permissions.md makes in Redis and RabbitMQ: by its own commands, and
// over TLS. A user with less is told what it lacks.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'amqplib'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { namesFor } from '#runtime/broker-names.ts'
import { rabbitmq } from '../../doctor/rabbitmq.ts'
import { brokerParts } from '../runtime/broker-parts.ts'
import { clientOf, must } from '../support/client.ts'
import { openStores } from '../support/deployment.ts'
import { eventually } from '../support/eventually.ts'
import { certificatesByOpenssl } from '../support/openssl.ts'
import { start } from '../support/processes.ts'
import { startReceiver } from '../support/receiver.ts'
import { rabbitBinary, startRabbitWithTls } from '../support/servers/rabbit.ts'
import { redisBinary, startRedisWithTls } from '../support/servers/redis.ts'
import { services } from '../support/services.ts'

const brand = 'acme'
const password = 'hunter2hunter2'
const page = readFileSync(join(import.meta.dirname, '../../docs/operating/permissions.md'), 'utf8')
/** The lines of the page's only block in this language, for this brand and password. */
const commandsIn = (language: string): string[][] =>
  (page.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? '')
    .trim()
    .split('\n')
    .map((line) => line.replaceAll(/(?<=[~&{^(])service(?=\\?\.)/g, brand).replaceAll('<password>', password))
    .map((line) => line.split(' ').map((word) => word.replaceAll("'", '')))

const as = (url: string, username: string): string => Object.assign(new URL(url), { username, password }).href
const { publisherOf, consumer } = brokerParts()

const ready = async (url: string): Promise<unknown> => (await fetch(`${url}/ready`)).json()

const isLacking = services().postgres === null || redisBinary() === null || rabbitBinary() === null

describe.skipIf(isLacking)('with servers that have users of their own', { timeout: 180_000 }, () => {
  const servers = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'permissions-'))
  let rabbit: Awaited<ReturnType<typeof startRabbitWithTls>>
  let certificates: Awaited<ReturnType<typeof certificatesByOpenssl>>
  const trusting = (url: string): string => `${url}?cacertfile=${certificates.caFile}`
  beforeAll(async () => {
    servers.defer(() => rmSync(folder, { recursive: true }))
    certificates = await certificatesByOpenssl(folder)
    rabbit = servers.use(await startRabbitWithTls(certificates))
    for (const [, ...args] of commandsIn('sh')) await rabbit.control(...args)
  }, 120_000)
  afterAll(() => servers.disposeAsync())

  test('with no more than what the page allows each process is ready over TLS, every call is served, and nothing is refused', async () => {
    await using stack = new AsyncDisposableStack()
    const redis = stack.use(await startRedisWithTls(certificates))
    const tls = { ca: readFileSync(certificates.caFile, 'utf8') }
    const admin = stack.adopt(new Redis(redis.url, { tls }), (client) => client.disconnect())
    for (const [name = '', ...args] of commandsIn('redis')) await admin.call(name, ...args)
    const [amqpOf, redisOf] = [rabbit.tlsUrl, redis.url].map((url) => (user: string) => trusting(as(url, user))) as [
      (user: string) => string,
      (user: string) => string,
    ]
    const { env, operatorToken, close } = await openStores({ BRAND: brand, AMQP_URL: amqpOf('dispatcher') })
    stack.defer(close)
    await letFormerQueueStand(rabbit.url)
    const receiver = stack.use(await startReceiver())

    const service = stack.use(
      await start('service/main.ts', { ...env, REDIS_URL: redisOf('service'), AMQP_URL: amqpOf('service') }),
    )
    await eventually(async () => JSON.stringify(await ready(service.url)).includes('"ready"'), 'the service')
    // Each of the two declares the queue, where it is the first.
    await rabbit.control('delete_queue', `${brand}.webhooks.events`)
    const dispatcher = stack.use(await start('dispatcher/main.ts', { ...env, REDIS_URL: redisOf('dispatcher') }))
    const gateway = stack.use(
      await start('gateway/main.ts', { ...env, REDIS_URL: redisOf('gateway'), SERVICE_URLS: service.url }),
    )
    await eventually(async () => JSON.stringify(await ready(dispatcher.url)).includes('"ready"'), 'the dispatcher')
    const client = clientOf(gateway.url, operatorToken)
    const tenant = await client.tenant()
    must(await tenant.api('POST', '/api/v1/webhooks', { name: 'W', url: receiver.url, eventTypes: ['projects.*'] }))
    must(await tenant.api('POST', '/api/v1/projects', { name: 'One' }))
    await eventually(() => receiver.calls.length === 1, 'the delivery')
    const initialize = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'claude-code', version: '1' },
    }
    const accept = { accept: 'application/json, text/event-stream' }
    await tenant.api('POST', '/api/mcp', { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize }, accept)
    must(await tenant.api('POST', '/api/mcp', { jsonrpc: '2.0', id: 2, method: 'tools/list' }, accept))
    const { headers } = await client.call('GET', '/api/v1/me', undefined, { authorization: 'Bearer wrong' })
    const refusal = `/settings/api/refusals/${headers.get('x-request-id')}`
    await eventually(async () => (await client.operator('GET', refusal)).status === 200, 'the refusal')
    must(await tenant.settings('DELETE', `/api-keys/${tenant.keyId}`))
    await eventually(async () => (await tenant.api('GET', '/api/v1/me')).status === 401, 'the revocation')
    const kept = await eventually(async () => {
      const keys: string[] = await admin.keys('*')
      return ['{acme.limit}.live', '{acme.refusals}.', 'acme.installation.'].every((name) =>
        keys.some((key) => key.startsWith(name)),
      )
        ? keys
        : null
    }, 'limits and refusals in Redis')

    expect(kept.every((key) => /^\{acme\.(limit|refusals)\}\.|^acme\.(tool-names|installation)\./.test(key))).toBe(true)
    expect(await admin.call('ACL', 'LOG')).toEqual([])
    const said = [gateway, service, dispatcher].map(({ stdout }) => stdout()).join('')
    expect(said).not.toMatch(/NOPERM|ACCESS.REFUSED|RabbitMQ refuses/)
    const queues = (await rabbit.control('list_queues', 'name', '--no-table-headers')).trim().split('\n').toSorted()
    expect(queues).toEqual([`${brand}.webhooks.events`, `${brand}.webhooks.events.dead-letters`])
    const overTls = (await rabbit.control('list_connections', 'user', 'ssl', '--no-table-headers')).trim().split('\n')
    expect(new Set(overTls)).toEqual(new Set(['dispatcher\ttrue', 'service\ttrue']))

    const asGateway = stack.adopt(new Redis(as(redis.url, 'gateway'), { tls }), (one) => one.disconnect())
    for (const [name, ...args] of [
      ['FLUSHALL'],
      ['GET', 'x'],
      ['KEYS', '*'],
      ['PUBLISH', 'acme.key-changes', '?'],
    ] as const)
      await expect(asGateway.call(name, ...args)).rejects.toThrow('NOPERM')
  })

  test('of queues of the other type, too, and what they hold is moved', async () => {
    const at = as(rabbit.url, 'dispatcher')
    const classic = await consumer(namesFor(brand, 'classic'), { at })
    const service = await publisherOf(namesFor(brand, 'classic'), { at: as(rabbit.url, 'service') })
    await eventually(() => service.isConnected(), 'the service')
    await service.publish('waits')
    await classic.messages(1)
    await classic.close()

    const quorum = await consumer(namesFor(brand), { at })

    await eventually(() => quorum.bodies().includes('waits'), 'what waited')
    expect([...classic.said, ...service.said, ...quorum.said].filter((line) => line.startsWith('warn'))).toEqual([])
  })

  test('a user with less is told by the log and by the doctor which permission it lacks on what', async () => {
    const names = namesFor('lesser')
    const any = '.*'
    const butExchange = '^lesser\\.webhooks\\.'
    const lacking = {
      nothing: ['^$', '^$', '^$'],
      deadExchange: [any, '^lesser\\.(events|webhooks\\.events)$', '^lesser\\.'],
      publishing: [any, butExchange, any],
      binding: [any, any, butExchange],
      reading: [any, any, '^lesser\\.(events|webhooks\\.events\\.dead)$'],
    } as const
    const users = Object.keys(lacking).map((name) => ({ name, password, tags: '' }))
    const permissions = Object.entries(lacking).map(([user, [configure, write, read]]) => ({
      ...{ user, vhost: '/', configure, write, read },
    }))
    const definitions = join(folder, 'definitions.json')
    writeFileSync(definitions, JSON.stringify({ users, permissions }))
    await rabbit.control('import_definitions', definitions)

    const logged = async (user: keyof typeof lacking): Promise<string> => {
      const { publish, said } = await publisherOf(names, { at: as(rabbit.url, user) })
      return eventually(async () => {
        await publish('x').catch(() => {})
        return said.find((line) => line.startsWith('warn'))
      }, `a warning for ${user}`)
    }
    expect(await logged('nothing')).toMatch(/it needs configure for the exchange lesser\.events /)
    expect(await logged('deadExchange')).toMatch(/it needs write for the exchange lesser\.webhooks\.events\.dead /)
    expect(await logged('reading')).toMatch(/it needs configure and read for the queue lesser\.webhooks\.events /)
    expect(await logged('binding')).toMatch(/it needs read for the exchange lesser\.events /)
    expect(await logged('publishing')).toMatch(/it needs write for the exchange lesser\.events /)

    const whole = await consumer(names, { at: rabbit.url })
    const asked = (user: string, part: 'publisher' | 'consumer') =>
      rabbitmq({ amqpUrl: as(rabbit.url, user), amqpQueueType: 'quorum', brand: 'lesser' }, part).look()
    const failures = async (...of: Parameters<typeof asked>) =>
      (await asked(...of)).flatMap(({ level, sentence }) => (level === 'failure' ? [sentence] : []))
    expect(await failures('publishing', 'consumer')).toEqual([])
    expect(await failures('publishing', 'publisher')).toEqual([
      expect.stringMatching(/it needs write for the exchange lesser\.events /),
    ])
    expect(await failures('reading', 'consumer')).toEqual([
      expect.stringMatching(/it needs read for the queue lesser\.webhooks\.events /),
    ])
    expect(await failures('nothing', 'consumer')).toHaveLength(7)
    await whole.close()
  })
})

/** A dead-letter queue as earlier versions declared it, with a message that is to be moved. */
async function letFormerQueueStand(url: string): Promise<void> {
  const connection = await connect(url)
  const channel = await connection.createConfirmChannel()
  const name = `${brand}.webhooks.events.dead`
  await channel.assertExchange(name, 'fanout', { durable: true })
  await channel.assertQueue(name, { durable: true })
  await channel.bindQueue(name, name, '')
  channel.publish(name, '', Buffer.from('former'))
  await channel.waitForConfirms()
  await connection.close()
}
