// An earlier release is replaced by this one while it is used, tier by tier in the order of
// docs/operating/upgrading.md; then all go back to the earlier release, in the opposite order, and forward again.
import { randomUUID } from 'node:crypto'
import { clientOf, must } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { openBalancer } from '../support/load-balancer.ts'
import { runToEnd, type Place } from '../support/processes.ts'
import { startReceiver } from '../support/receiver.ts'
import { keepCalling, roll, startPair, urlsOf, type Member } from '../support/rolling.ts'
import { startPostgres } from '../support/servers/postgres.ts'
import { startRabbit } from '../support/servers/rabbit.ts'
import { startRedis } from '../support/servers/redis.ts'
import { earlierReleases, installRelease, type Release } from './releases.ts'
import { unlimited, type Row, type Scenario } from './stage.ts'

/** Calls between two steps. */
const callsEach = 100
const deliveredWithinMs = 120_000
const keysCount = 4
/** Scopes that every release has. */
const scopes = ['projects:read', 'projects:write', 'tasks:read', 'tasks:write', 'webhooks:read', 'webhooks:write']

const upgraded = (release: Release): Row => ({
  name: `from ${release.version} (${release.commit.slice(0, 8)})`,
  measure: async () => {
    using old = installRelease(release)
    await using undo = new AsyncDisposableStack()
    const env = await storesIn(undo)
    await migrated(env, old)
    const services = await startPair('service/main.ts', env, undo, old)
    const toServices = { ...env, SERVICE_URLS: urlsOf(services).join(',') }
    const gateways = await startPair('gateway/main.ts', toServices, undo, old)
    const dispatchers = await startPair('dispatcher/main.ts', env, undo, old)
    await using receiver = await startReceiver()
    using balancer = openBalancer()
    for (const url of urlsOf(gateways)) await balancer.add(url)
    const secrets = await prepared(balancer.next(), env.OPERATOR_TOKEN, receiver.url)
    const calls = keepCalling(secrets, balancer.next)
    await calls.more(callsEach)

    const notes: string[] = []
    const step = async (name: string, work: () => Promise<unknown>) => {
      const begun = Date.now()
      await work()
      notes.push(`${name}: ${((Date.now() - begun) / 1_000).toFixed(1)} s`)
      await calls.more(callsEach)
    }
    const tier = (name: string, members: readonly Member[], place?: Place) =>
      step(name, () => roll(members, members === gateways ? balancer.takes : undefined, place))
    await step('migrated', () => migrated(env))
    await tier('dispatchers', dispatchers)
    await step('one service of each release', () => roll(services.slice(0, 1)))
    await tier('all services', services)
    await tier('gateways', gateways)
    await tier('gateways back', gateways, old)
    await tier('services back', services, old)
    await tier('dispatchers back', dispatchers, old)
    await step('migrated by the earlier release', () => migrated(env, old))
    await tier('dispatchers forward', dispatchers)
    await tier('services forward', services)
    await tier('gateways forward', gateways)

    const answers = await calls.end()
    const made = answers.flatMap(({ id }) => id ?? [])
    const delivered = () => new Set(receiver.calls.map(({ body }) => JSON.parse(body.toString()).resource.id as string))
    const lost = () => new Set(made).difference(delivered()).size
    await eventually(() => lost() === 0, 'all to be delivered', deliveredWithinMs).catch(() => {})
    const failed = answers.filter(({ status }) => status !== 200 && status !== 201)
    notes.push(...new Set(failed.map(({ status }) => String(status))))
    const bearer = { authorization: `Bearer ${secrets[0]}` }
    const counted = await fetch(`${balancer.next()}/api/v1/projects/count`, { headers: bearer })
    const { total } = (await counted.json()) as { readonly total: number }
    const figures = {
      calls: answers.length,
      refused: failed.filter(({ status }) => /^\d/.test(String(status))).length,
      unanswered: failed.filter(({ status }) => !/^\d/.test(String(status))).length,
      slowestSeconds: Math.max(...answers.map(({ ms }) => ms)) / 1_000,
      expected: made.length,
      lost: lost(),
      duplicates: receiver.calls.length - delivered().size,
      problems: Math.abs(total - made.length),
    }
    return { figures, notes }
  },
})

async function storesIn(undo: AsyncDisposableStack) {
  const [postgres, rabbit, redis] = await Promise.all([startPostgres(), startRabbit(), startRedis()])
  for (const server of [postgres, rabbit, redis]) if (server !== null) undo.use(server)
  if (postgres === null || rabbit === null || redis === null)
    throw new Error('Postgres, RabbitMQ and Redis must be installed')
  return {
    DATABASE_URL: postgres.url,
    AMQP_URL: rabbit.url,
    REDIS_URL: redis.url,
    BRAND: 'upgrade',
    LOG_LEVEL: 'fatal',
    INTERNAL_SECRET: randomUUID() + randomUUID(),
    OPERATOR_TOKEN: randomUUID() + randomUUID(),
    ...unlimited,
    DRAIN_SECONDS: '2',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_RETRY_SCHEDULE: '1,1,2,2,5,5',
  }
}

async function migrated(env: Readonly<Record<'DATABASE_URL', string>>, place?: Place): Promise<void> {
  const { code, stderr } = await runToEnd('prisma/main.ts', { DATABASE_URL: env.DATABASE_URL }, place)
  if (code !== 0) throw new Error(stderr)
}

/** A workspace with a webhook, as the earlier release makes it. Returns the secrets of its keys. */
async function prepared(url: string, operatorToken: string, receiver: string): Promise<string[]> {
  const { call, operator } = clientOf(url, operatorToken)
  const { id } = must(await operator('POST', '/settings/api/workspaces', { name: 'Acme' }))
  const secrets: string[] = []
  for (let at = 0; at < keysCount; at++) {
    const key = { name: `Key ${at}`, scopes }
    secrets.push(must(await operator('POST', `/settings/api/workspaces/${id}/api-keys`, key)).secret)
  }
  const webhook = { name: 'W', url: receiver, eventTypes: ['projects.created'] }
  must(await call('POST', '/api/v1/webhooks', webhook, { authorization: `Bearer ${secrets[0]}` }))
  return secrets
}

export const upgrade: Scenario = {
  title: 'Upgrade',
  about:
    'Two processes of each tier of an earlier release, under a steady load of reads and of creates that a webhook gets. The database is migrated, then dispatchers, services and gateways are replaced one by one by those of this release. They go back to the earlier one in the opposite order, and forward again. *audit: problems* counts objects that are there and should not be, or the other way.',
  rows: () => earlierReleases().map(upgraded),
}
