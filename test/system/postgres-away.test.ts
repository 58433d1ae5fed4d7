// Real processes before a Postgres that freezes, and a Redis and a RabbitMQ that are cut off.
import { expect, onTestFinished, test } from 'vitest'
import { freshPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { start } from '../support/processes.ts'
import { dropQueues } from '../support/drop-queues.ts'
import { services } from '../support/services.ts'
import { settingsFor } from '../support/system.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const { postgres, redis, rabbit } = services()

test.skipIf(postgres === null || redis === null || rabbit === null)(
  'a service reports what it cannot reach, on /ready and in its log, and when it is back',
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
    const logged = () =>
      service
        .stdout()
        .split('\n')
        .filter((line) => line.includes('"readiness"'))
        .map((line) => (JSON.parse(line) as { status: string }).status)
    const becomes = (status: string) =>
      eventually(async () => (await ready()).status === status && (await ready()), status)
    /** Each state lasts until it is in the log, which is written a moment later. */
    const becomesAndTells = async (status: string) => {
      const answer = await becomes(status)
      await eventually(() => logged().at(-1) === status, `a line that says ${status}`)
      return answer
    }
    await becomes('ready')

    database.freeze()
    const unavailable = await becomesAndTells('unavailable')
    expect(unavailable).toMatchObject({ code: 503, database: 'away', redis: 'up', broker: 'up' })
    database.thaw()
    await becomesAndTells('ready')
    cache.freeze()
    const degraded = await becomesAndTells('degraded')
    expect(degraded).toMatchObject({ code: 200, database: 'up', redis: 'away', broker: 'up' })
    cache.thaw()
    await becomesAndTells('ready')
  },
)
