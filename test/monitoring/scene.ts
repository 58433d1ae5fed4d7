// A deployment whose stores can be frozen, and whose parts end and come back: what each alert is about is brought about
// in it, one after the other, while its processes are scraped.
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { clientOf, must, type Client, type Tenant } from '../support/client.ts'
import { openStores } from '../support/deployment.ts'
import { eventually } from '../support/eventually.ts'
import type { Exposed } from '../support/exposition.ts'
import { start, type Env, type Program, type Running } from '../support/processes.ts'
import { snapshot, type Phase, type Snapshot } from '../support/prometheus.ts'
import { freePort } from '../support/servers/server.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'

type Tier = 'gateway' | 'service' | 'dispatcher'
export const sealingKey = (): string => `${randomBytes(4).toString('hex')}:${randomBytes(32).toString('base64')}`

export type Scene = AsyncDisposable & {
  readonly sql: pg.Client
  readonly stores: Readonly<Record<'postgres' | 'redis' | 'rabbit', TcpProxy>>
  readonly env: Env
  readonly metricsUrls: Record<string, string>
  start(tier: Tier, change?: Env): Promise<Running>
  end(tier: Tier): Promise<void>
  tenant(): Promise<Tenant>
  /** Without a key. */
  readonly call: Client['call']
  readonly operator: Client['operator']
  /** Scrapes all that runs until this holds. */
  until(holds: (exposed: (instance: string) => Exposed) => boolean, what: string): Promise<Snapshot>
  /** What is seen of a time in which this is done; rates say something only of one that is long enough. */
  during(work: () => Promise<unknown>, msMin?: number): Promise<Phase>
}

/** Beside other tests a process may take long to start, or to notice something. */
const withinMs = 60_000

export async function openScene(): Promise<Scene> {
  const undo = new AsyncDisposableStack()
  const opened = await openStores()
  undo.defer(opened.close)
  const sql = new pg.Client({ connectionString: opened.env.DATABASE_URL })
  await sql.connect()
  undo.defer(() => sql.end())
  const stores = {
    postgres: undo.use(await startTcpProxy(opened.env.DATABASE_URL)),
    redis: undo.use(await startTcpProxy(opened.env.REDIS_URL)),
    rabbit: undo.use(await startTcpProxy(opened.env.AMQP_URL)),
  }
  const servicePort = String(await freePort())
  const env = {
    ...opened.env,
    DATABASE_URL: stores.postgres.url,
    REDIS_URL: stores.redis.url,
    AMQP_URL: stores.rabbit.url,
    SERVICE_URLS: `http://127.0.0.1:${servicePort}`,
    DATABASE_POOL: '4',
    WEBHOOK_RETRY_SCHEDULE: '1',
    RATE_LIMIT_KEY_PER_MINUTE: '100000',
    RATE_LIMIT_KEY_BURST: '10000',
    RATE_LIMIT_WORKSPACE_PER_MINUTE: '100000',
    RATE_LIMIT_WORKSPACE_BURST: '10000',
  }
  // No server is there: emails wait.
  const email = {
    SMTP_URL: `smtp://127.0.0.1:${await freePort()}`,
    MAIL_FROM: 'no-reply@workspace.example',
    PUBLIC_URL: 'https://workspace.example',
  }
  const running = new Map<Tier, Running>()
  const metricsUrls: Record<string, string> = {}
  const end = async (tier: Tier): Promise<void> => {
    await running.get(tier)?.kill('SIGKILL')
    running.delete(tier)
    delete metricsUrls[tier]
  }
  const startOne = async (tier: Tier, change: Env = {}): Promise<Running> => {
    const metricsPort = String(await freePort())
    const own = tier === 'service' ? { PORT: servicePort, ...email } : {}
    const program: Program = `${tier}/main.ts`
    const process = await start(program, { ...env, ...own, METRICS_PORT: metricsPort, ...change }, undefined, '/health')
    running.set(tier, process)
    const url = `http://127.0.0.1:${metricsPort}/metrics`
    await eventually(() => answers(url), `figures of ${tier}`, withinMs)
    metricsUrls[tier] = url
    return process
  }
  undo.defer(async () => {
    await Promise.all([...running.keys()].map(end))
  })
  const client = () => clientOf(running.get('gateway')?.url ?? '', opened.operatorToken)
  const look = () => snapshot(metricsUrls)
  return {
    sql,
    stores,
    env,
    metricsUrls,
    start: startOne,
    end,
    tenant: () => client().tenant(),
    call: (...given) => client().call(...given),
    operator: (...given) => client().operator(...given),
    until: (holds, what) =>
      eventually(
        async () => {
          const seen = await look()
          return holds((instance) => seen.exposed.get(instance) ?? new Map()) ? seen : null
        },
        what,
        withinMs,
      ),
    during: async (work, msMin = 0) => {
      const begin = await look()
      await work()
      await delay(Math.max(0, msMin - (Date.now() - begin.at)))
      return { begin, end: await look() }
    },
    [Symbol.asyncDispose]: () => undo.disposeAsync(),
  }
}

/** Some of everything that goes well. */
export async function useIt({ api }: Tenant): Promise<void> {
  for (let left = 10; left > 0; left -= 1) must(await api('GET', '/api/v1/projects'))
  must(await api('POST', '/api/v1/projects', { name: 'One' }))
}

/** Whether there is a server, which is not asked for figures: some are read once for minutes. */
export const answers = (url: string): Promise<boolean> =>
  fetch(new URL('/', url)).then(
    () => true,
    () => false,
  )

const takes = { accept: 'application/json, text/event-stream' }
export const callTool = async ({ api }: Tenant): Promise<void> => {
  const params = { name: 'projects.list', arguments: {} }
  must(await api('POST', '/api/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, takes))
}
