// Real processes before a Postgres that freezes, and a Redis and a RabbitMQ that are cut off.
import { expect, onTestFinished, test } from 'vitest'
import { freshPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { start } from '../support/processes.ts'
import { dropQueues } from '../support/queues.ts'
import { services } from '../support/services.ts'
import { settingsFor } from '../support/system.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const { postgres, redis, rabbit } = services()

test.skipIf(postgres === null || redis === null || rabbit === null)(
  'a service says what it does not reach, on /ready and in its log, and says when it is back',
  async () => {
    const { url, drop } = await freshPostgres()
    onTestFinished(drop)
    const { brand, internalSecret } = settingsFor('distributed')
    onTestFinished(() => dropQueues(rabbit ?? '', brand))
    await using database = await startTcpProxy(url)
    await using cache = await startTcpProxy(redis ?? '')
    const env = { BRAND: brand, INTERNAL_SECRET: internalSecret, LOG_LEVEL: 'warn', AMQP_URL: rabbit ?? '' }
    await using service = await start('service/main.ts', { ...env, DATABASE_URL: database.url, REDIS_URL: cache.url })
    const ready = async () => {
      const answer = await fetch(`${service.url}/ready`)
      return { code: answer.status, ...((await answer.json()) as { status: string; database: string; redis: string }) }
    }
    const becomes = (status: string) =>
      eventually(async () => (await ready()).status === status && (await ready()), status)
    await becomes('ready')

    database.freeze()
    expect(await becomes('unavailable')).toMatchObject({ code: 503, database: 'away', redis: 'up', broker: 'up' })
    database.thaw()
    await becomes('ready')
    cache.freeze()
    expect(await becomes('degraded')).toMatchObject({ code: 200, database: 'up', redis: 'away', broker: 'up' })
    cache.thaw()
    await becomes('ready')

    const told = () =>
      service
        .stdout()
        .split('\n')
        .filter((line) => line.includes('"readiness"'))
        .map((line) => (JSON.parse(line) as { status: string }).status)
    const changes = ['unavailable', 'ready', 'degraded', 'ready']
    await eventually(() => holdsInOrder(told(), changes), 'a line for each change')
  },
)

/** A busy machine may have told of more. */
function holdsInOrder(all: readonly string[], some: readonly string[]): boolean {
  let from = 0
  return some.every((each) => (from = all.indexOf(each, from) + 1) > 0)
}
