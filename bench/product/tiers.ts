// The product's processes, as an operator starts them: `node <tier>/main.ts` with settings in the environment.
import { join } from 'node:path'
import { start, type Child } from '../measure/child.ts'
import type { Core } from '../measure/cores.ts'
import { freePort } from '../measure/free-port.ts'
import { until } from '../measure/wait-until.ts'
import { amqpUrl, redisUrl, type Deployment } from './settings.ts'

export type Tier = Child & { readonly url: string }

const root = join(import.meta.dirname, '../..')
const startsWithinMs = 20_000
const migratesWithinMs = 60_000

/** `settings`: what differs from an ordinary deployment. */
export const startGateway = (
  deployment: Deployment,
  service: string,
  settings: Record<string, string> = {},
  core: Core = 'measured',
): Promise<Tier> =>
  startTier(
    'gateway',
    {
      REDIS_URL: redisUrl,
      SERVICE_URLS: service,
      INTERNAL_SECRET: deployment.internalSecret,
      OPERATOR_TOKEN: deployment.operatorToken,
      BRAND: deployment.brand,
      ...settings,
    },
    core,
  )

export const startService = (
  deployment: Deployment,
  database: string,
  settings: Record<string, string> = {},
  core: Core = 'measured',
): Promise<Tier> => startTier('service', { REDIS_URL: redisUrl, ...inner(deployment, database), ...settings }, core)

export const startDispatcher = (
  deployment: Deployment,
  database: string,
  settings: Record<string, string> = {},
  core: Core = 'measured',
): Promise<Tier> => startTier('dispatcher', { ...inner(deployment, database), ...settings }, core)

export async function migrate(database: string): Promise<void> {
  await using child = start({
    name: 'migrate',
    core: 'load',
    args: [join(root, 'prisma/main.ts')],
    env: { DATABASE_URL: database },
  })
  await child.finished(migratesWithinMs)
}

/** Receivers of the bench are on loopback and speak plain http. */
const inner = ({ internalSecret, brand }: Deployment, database: string): Record<string, string> => ({
  DATABASE_URL: database,
  AMQP_URL: amqpUrl,
  INTERNAL_SECRET: internalSecret,
  BRAND: brand,
  WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  WEBHOOK_ALLOW_HTTP: 'true',
  // All of its receivers are on one host.
  WEBHOOK_HOST_REQUESTS_PER_SECOND: '1000000',
})

async function startTier(name: string, env: Record<string, string>, core: Core = 'measured'): Promise<Tier> {
  const port = env['PORT'] ?? (await freePort())
  const url = `http://127.0.0.1:${port}`
  const child = start({
    name,
    core,
    args: [join(root, name, 'main.ts')],
    // No balancer waits for it, but where a scenario says so.
    env: { DRAIN_SECONDS: '0', PORT: String(port), ...env, HOST: '127.0.0.1' },
  })
  const answers = async () => (child.isRunning() ? ((await fetch(`${url}/ready`)).ok ? 'ready' : null) : 'ended')
  const state = await until(`${name} to be ready`, startsWithinMs, answers).catch(() => 'late')
  if (state === 'ready') return { ...child, url }
  await child.stop()
  throw new Error(`${name} did not start:\n${child.output().slice(-2_000)}`)
}
