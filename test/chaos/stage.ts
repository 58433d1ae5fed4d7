// A deployment of its own that may be killed, the load on it, and the audit at its end.
import { randomUUID } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import { Client } from 'pg'
import type { EventRecord } from '#contract/event-envelope.ts'
import { bodyProblems } from '../../bench/product/body-problems.ts'
import { auditLedger } from '../../bench/product/ledger-audit.ts'
import { readLedger } from '../../bench/product/read-ledger.ts'
import { quantile } from '../../bench/report/figures.ts'
import type { Sample } from '../../bench/report/table.ts'
import { clientOf, must } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { runToEnd, start, type Running } from '../support/processes.ts'
import type { Receiver } from '../support/receiver.ts'
import { startPostgres } from '../support/servers/postgres.ts'
import { startRabbit } from '../support/servers/rabbit.ts'
import { startRedis } from '../support/servers/redis.ts'
import { freePort } from '../support/servers/server.ts'

export type Stage = Awaited<ReturnType<typeof openStage>>
export type Outcome = { readonly figures: Sample; readonly notes: readonly string[] }

const drainWithinMs = 300_000
const pollMs = 100
const notesMax = 5

/** Each change goes to all of these receivers. */
export async function openStage(receivers: readonly { readonly url: string }[], perSecond = 20) {
  const opened = new AsyncDisposableStack()
  const [postgres, rabbit, redis] = await Promise.all([startPostgres(), startRabbit(), startRedis()])
  for (const server of [postgres, rabbit, redis]) if (server !== null) opened.use(server)
  if (postgres === null || rabbit === null || redis === null)
    throw new Error('Postgres, RabbitMQ and Redis must be installed')
  const { url: databaseUrl } = postgres
  const operatorToken = randomUUID() + randomUUID()
  const env = {
    ...{ DATABASE_URL: postgres.url, AMQP_URL: rabbit.url, REDIS_URL: redis.url, BRAND: 'chaos', LOG_LEVEL: 'fatal' },
    ...{ INTERNAL_SECRET: randomUUID() + randomUUID(), OPERATOR_TOKEN: operatorToken },
    ...{ WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_RETRY_SCHEDULE: '1,1,2,2,5,5,10,10' },
  }
  const migrated = await runToEnd('prisma/main.ts', { DATABASE_URL: postgres.url })
  if (migrated.code !== 0) throw new Error(migrated.stderr)
  const port = String(await freePort())
  const startService = () => start('service/main.ts', { ...env, PORT: port })
  const startDispatcher = () => start('dispatcher/main.ts', env)
  const parts: { service: Running; readonly dispatchers: Running[] } = {
    service: await startService(),
    dispatchers: [await startDispatcher()],
  }
  const gateway = opened.use(await start('gateway/main.ts', { ...env, SERVICE_URLS: `http://127.0.0.1:${port}` }))
  opened.defer(async () => {
    await Promise.all([parts.service, ...parts.dispatchers].map((part) => part.kill('SIGKILL')))
  })
  const { api } = await clientOf(gateway.url, operatorToken).tenant()
  for (const { url } of receivers)
    must(await api('POST', '/api/v1/webhooks', { name: 'Chaos', url, eventTypes: ['projects.*'] }))

  const written: string[] = []
  const stopping = new AbortController()
  const write = async (n: number): Promise<void> => {
    const answer = await api('POST', '/api/v1/projects', { name: `Project ${n}` }).catch(() => null)
    if (answer?.status === 201) written.push(answer.body.id)
  }
  const writing = (async () => {
    const under: Promise<void>[] = []
    for (let n = 0; !stopping.signal.aborted; n++) {
      under.push(write(n))
      await after(1_000 / perSecond, undefined, { signal: stopping.signal }).catch(() => {})
    }
    await Promise.all(under)
  })()

  async function stopLoad(): Promise<void> {
    stopping.abort()
    await writing
  }
  /** Resolves with the seconds until nothing was left to be delivered, or nothing to this address. */
  async function drained(webhook?: string): Promise<number> {
    const startedAt = performance.now()
    const left = async (): Promise<boolean> => {
      const [row] = await query(
        databaseUrl,
        `SELECT NOT EXISTS (SELECT FROM outbox) AND NOT EXISTS (
        SELECT FROM delivery d JOIN webhook w ON w.id = d.webhook_id
        WHERE d.status IN ('pending', 'retrying') AND ($1::text IS NULL OR w.url = $1)) AS done`,
        [webhook ?? null],
      )
      await after(pollMs)
      return row?.['done'] === true
    }
    await eventually(left, 'everything to be delivered', drainWithinMs)
    return (performance.now() - startedAt) / 1_000
  }
  return {
    ...{ postgres, rabbit, parts, startService, startDispatcher, stopLoad, drained },
    /** `timed`: the receivers whose latency counts. */
    audit: (kills: number, of: readonly Receiver[], timed = of) => audited(postgres.url, kills, of, timed, written),
    [Symbol.asyncDispose]: async () => {
      await stopLoad()
      await opened.disposeAsync()
    },
  }
}

async function audited(
  url: string,
  kills: number,
  receivers: readonly Receiver[],
  timed: readonly Receiver[],
  written: readonly string[],
): Promise<Outcome> {
  const ledger = await readLedger((sql) => query(url, sql) as Promise<{ ledger: unknown }[]>)
  const calls = receivers.flatMap((receiver) => receiver.calls)
  const audit = auditLedger(
    ledger,
    calls.map(({ headers, body, status }) => ({ id: String(headers['webhook-id']), body: body.toString(), status })),
  )
  const known = new Set(ledger.events.map(({ body }) => (JSON.parse(body) as EventRecord).resource.id))
  const forgotten = written.filter((id) => !known.has(id)).map((id) => `project ${id} was answered and has no event`)
  const notes = [...audit.problems, ...forgotten, ...calls.flatMap(({ body }) => bodyProblems(body.toString()))]
  const { expected, lost, duplicates, interrupted, unrecorded } = audit
  const figures = {
    ...{ kills, expected, lost: lost + forgotten.length, problems: notes.length, duplicates, interrupted, unrecorded },
    perKill: kills === 0 ? null : duplicates / kills,
    ...latencies(timed),
  }
  return { figures, notes: notes.slice(0, notesMax) }
}

/** Of the first request of each delivery. */
function latencies(receivers: readonly Receiver[]) {
  const first = new Map<string, number>()
  for (const { headers, body, at } of receivers.flatMap(({ calls }) => calls)) {
    const id = String(headers['webhook-id'])
    const { occurredAt } = JSON.parse(body.toString()) as EventRecord
    if (!first.has(id)) first.set(id, at - Date.parse(occurredAt))
  }
  const all = [...first.values()]
  return { p50: quantile(all, 0.5), p99: quantile(all, 0.99) }
}

async function query(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql, values)).rows
  } finally {
    await client.end()
  }
}
