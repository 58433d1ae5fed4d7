// Gateway, service and dispatcher as processes of their own, on a database and queues of their own.
import { clientOf, type Client } from './client.ts'
import { freshPostgres } from './database.ts'
import { start, type Env, type Running } from './processes.ts'
import { dropQueues } from './drop-queues.ts'
import { settingsFor } from './system.ts'

export type Deployment = Client &
  AsyncDisposable & {
    /** What a dispatcher of this deployment is started with. */
    readonly env: Env
    startDispatcher(): Promise<Running>
  }

/** The stores of a deployment, and what its processes are started with. */
export async function openStores(change: Env = {}) {
  const database = await freshPostgres()
  const { brand, internalSecret, operatorToken, redisUrl, amqpUrl } = settingsFor('distributed')
  const env = {
    DATABASE_URL: database.url,
    REDIS_URL: redisUrl ?? '',
    AMQP_URL: amqpUrl ?? '',
    BRAND: brand,
    LOG_LEVEL: 'warn',
    INTERNAL_SECRET: internalSecret,
    OPERATOR_TOKEN: operatorToken,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_RETRY_SCHEDULE: '1,1,1,1',
    ...change,
  }
  const close = async () => {
    if (change['AMQP_URL'] === undefined) await dropQueues(env.AMQP_URL, brand)
    await database.drop()
  }
  return { env, operatorToken, close }
}

/** Without a dispatcher: tests start and kill those themselves. */
export async function startDeployment(change: Env = {}): Promise<Deployment> {
  const { env, operatorToken, close } = await openStores(change)
  const service = await start('service/main.ts', env)
  const gateway = await start('gateway/main.ts', { ...env, SERVICE_URLS: service.url })
  return {
    ...clientOf(gateway.url, operatorToken),
    env,
    startDispatcher: () => start('dispatcher/main.ts', env),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([gateway.kill('SIGTERM'), service.kill('SIGTERM')])
      await close()
    },
  }
}
