// A deployment of its own that may be killed, the load on it, and the audit at its end. A scenario is what is done to
// it.
import { randomUUID } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import { Client } from 'pg'
import { clientOf, must, type Client as Api } from '../support/client.ts'
import { eventually } from '../support/eventually.ts'
import { runToEnd, start, type Env, type Place, type Running } from '../support/processes.ts'
import { startReceiver } from '../support/receiver.ts'
import { startPostgres } from '../support/servers/postgres.ts'
import { startRabbit } from '../support/servers/rabbit.ts'
import { startRedis } from '../support/servers/redis.ts'
import { freePort, type Server } from '../support/servers/server.ts'
import { audited, type Outcome, type Seen } from './audit.ts'

export type Stage = Awaited<ReturnType<typeof openStage>>

/** The limits of callers are not what is tried here. */
export const unlimited = {
  RATE_LIMIT_KEY_PER_MINUTE: '600000',
  RATE_LIMIT_KEY_BURST: '100000',
  RATE_LIMIT_WORKSPACE_PER_MINUTE: '600000',
  RATE_LIMIT_WORKSPACE_BURST: '100000',
}

export const brandOfStage = 'chaos'
const drainWithinMs = 300_000
const pollMs = 100

/** Where a tier runs, and what it is told there beside what all are told. */
type Spot = { readonly place?: Place; readonly env: Env }
type Tiers = { readonly gateway: Spot; readonly service: Spot; readonly dispatcher: Spot }
/** Takes the addresses on this host, and gives each tier a host of its own. */
export type Spread = (env: Readonly<Record<StoreName, string>>, servicePort: number) => Promise<Tiers>
export type StoreName = 'DATABASE_URL' | 'AMQP_URL' | 'REDIS_URL'

const onThisHost: Spread = async (_env, servicePort) => ({
  gateway: { env: { SERVICE_URLS: `http://127.0.0.1:${servicePort}` } },
  service: { env: {} },
  dispatcher: { env: {} },
})

/** With one load from the beginning. */
export async function openStage(
  first: LoadOptions,
  spread: Spread = onThisHost,
  startBroker: () => Promise<Server | null> = startRabbit,
) {
  const opened = new AsyncDisposableStack()
  const [postgres, rabbit, redis] = await Promise.all([startPostgres(), startBroker(), startRedis()])
  for (const server of [postgres, rabbit, redis]) if (server !== null) opened.use(server)
  if (postgres === null || rabbit === null || redis === null)
    throw new Error('Postgres, RabbitMQ and Redis must be installed')
  const { url: databaseUrl } = postgres
  const operatorToken = randomUUID() + randomUUID()
  const env = {
    DATABASE_URL: postgres.url,
    AMQP_URL: rabbit.url,
    REDIS_URL: redis.url,
    BRAND: brandOfStage,
    LOG_LEVEL: 'fatal',
    INTERNAL_SECRET: randomUUID() + randomUUID(),
    OPERATOR_TOKEN: operatorToken,
    ...unlimited,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_HOST_REQUESTS_PER_SECOND: '1000000',
    WEBHOOK_RETRY_SCHEDULE: '1,1,2,2,5,5,10,10',
  }
  const migrated = await runToEnd('prisma/main.ts', { DATABASE_URL: postgres.url })
  if (migrated.code !== 0) throw new Error(migrated.stderr)
  const port = await freePort()
  const tiers = await spread(env, port)
  const startService = () =>
    start('service/main.ts', { ...env, PORT: String(port), ...tiers.service.env }, tiers.service.place)
  const startDispatcher = () => start('dispatcher/main.ts', { ...env, ...tiers.dispatcher.env }, tiers.dispatcher.place)
  const parts: { service: Running; readonly dispatchers: Running[] } = {
    service: await startService(),
    dispatchers: [await startDispatcher()],
  }
  const gateway = opened.use(await start('gateway/main.ts', { ...env, ...tiers.gateway.env }, tiers.gateway.place))
  opened.defer(async () => {
    await Promise.all([parts.service, ...parts.dispatchers].map((part) => part.kill('SIGKILL')))
  })
  const client = clientOf(gateway.url, operatorToken)
  const loads: Load[] = []
  const load = async (options: LoadOptions): Promise<Load> => {
    const started = await startLoad(client, options)
    loads.push(started)
    return started
  }
  await load(first)

  async function stopLoad(): Promise<void> {
    await Promise.all(loads.map((one) => one.stop()))
  }
  /** Resolves with the seconds until nothing was left to be delivered, or nothing to this address. */
  async function drained(webhook?: string, withinMs = drainWithinMs): Promise<number> {
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
    await eventually(left, 'everything to be delivered', withinMs)
    return (performance.now() - startedAt) / 1_000
  }
  return {
    postgres,
    rabbit,
    parts,
    startService,
    startDispatcher,
    load,
    stopLoad,
    drained,
    audit: (seen: Omit<Seen, 'written'>): Promise<Outcome> =>
      audited((sql) => query(databaseUrl, sql), { ...seen, written: loads.flatMap(({ written }) => written) }),
    /** What the callers saw. */
    callers: () => {
      const seen = loads.flatMap(({ answers }) => answers)
      return {
        calls: seen.length,
        refused: seen.filter(({ status }) => status !== null && status !== 200).length,
        unanswered: seen.filter(({ status }) => status === null).length,
        slowestSeconds: Math.max(0, ...seen.map(({ ms }) => ms)) / 1_000,
      }
    },
    count: async (sql: string): Promise<number> => Number((await query(databaseUrl, sql))[0]?.['count']),
    [Symbol.asyncDispose]: async () => {
      await stopLoad()
      await opened.disposeAsync()
    },
  }
}

async function query(url: string, sql: string, values: unknown[] = []) {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(sql, values)).rows
  } finally {
    await client.end()
  }
}

type Load = {
  readonly workspaceId: string
  /** The projects whose creation was answered. */
  readonly written: readonly string[]
  /** `status` is null for a call that got no answer. */
  readonly answers: readonly { readonly status: number | null; readonly ms: number }[]
  stop(): Promise<void>
}
type LoadOptions = {
  /** Each change goes to all of these. */
  readonly receivers: readonly { readonly url: string }[]
  /** Calls; none are made at 0. */
  readonly perSecond?: number
  readonly perCall?: number
}

/** Changes by one tenant until they are stopped. Resolves once the webhooks are there and the first call is made. */
export async function startLoad(client: Api, { receivers, perSecond = 20, perCall = 1 }: LoadOptions): Promise<Load> {
  const { api, workspaceId } = await client.tenant()
  for (const { url } of receivers)
    must(await api('POST', '/api/v1/webhooks', { name: 'Chaos', url, eventTypes: ['projects.*'] }))
  const written: string[] = []
  const answers: { status: number | null; ms: number }[] = []
  const write = async (n: number): Promise<void> => {
    const items = Array.from({ length: perCall }, (_, at) => ({
      action: 'create',
      data: { name: `Project ${n}.${at}` },
    }))
    const sentAt = performance.now()
    const answer = await api('POST', '/api/v1/projects/batch', { items }).catch(() => null)
    answers.push({ status: answer?.status ?? null, ms: performance.now() - sentAt })
    if (answer?.status !== 200) return
    for (const { status, data } of answer.body.results) if (status === 201) written.push(data.id)
  }
  const stopping = new AbortController()
  const writing = (async () => {
    const under: Promise<void>[] = []
    for (let n = 0; perSecond > 0 && !stopping.signal.aborted; n++) {
      under.push(write(n))
      await after(1_000 / perSecond, undefined, { signal: stopping.signal }).catch(() => {})
    }
    await Promise.all(under)
  })()
  return {
    workspaceId,
    written,
    answers,
    stop: async () => {
      stopping.abort()
      await writing
    },
  }
}

export type Sizes = { readonly rounds: number; readonly seconds: number }
export type Row = { readonly name: string; readonly measure: () => Promise<Outcome> }
export type Scenario = {
  readonly title: string
  readonly about: string
  readonly rows: (sizes: Sizes) => readonly Row[]
}

/** One in twenty is refused, so that there are retries at every moment. */
export const startFickleReceiver = () => startReceiver((_call, number) => (number % 20 === 0 ? 500 : 200))

/** `act` resolves with how many kills there were. */
export async function underLoad(
  act: (stage: Stage) => Promise<number>,
  startBroker?: () => Promise<Server>,
): Promise<Outcome> {
  await using receiver = await startFickleReceiver()
  await using stage = await openStage({ receivers: [receiver, receiver] }, undefined, startBroker)
  await after(1_000)
  const kills = await act(stage)
  await stage.stopLoad()
  const drainSeconds = await stage.drained()
  const { figures, notes } = await stage.audit({ kills, of: [receiver] })
  return { figures: { ...figures, drainSeconds }, notes }
}
