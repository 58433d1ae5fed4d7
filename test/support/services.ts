// The Postgres, Redis and RabbitMQ that tests use: one that is named or answers on its usual port, else one started for
// this run. Tests that need one that is nowhere are skipped, by name; with CI=true that is a failure instead.
import { inject } from 'vitest'
import { postgresAnswers, startPostgres } from './servers/postgres.ts'
import { rabbitAnswers, startRabbit } from './servers/rabbit.ts'
import { redisAnswers, startRedis } from './servers/redis.ts'
import type { Server } from './servers/server.ts'

export type Services = Readonly<Record<'postgres' | 'redis' | 'rabbit', string | null>>
type FoundServices = { readonly services: Services; readonly summary: string; close(): Promise<void> }

declare module 'vitest' {
  interface ProvidedContext {
    services: Services
  }
}

/** Resolved once for the whole run, by the global setup. */
export const services = (): Services => inject('services')

type Kind = Readonly<Record<'name' | 'variable' | 'usual', string>> & {
  readonly answers: (url: string) => Promise<void>
  readonly start: () => Promise<Server | null>
}
type Found = Pick<Kind, 'name'> & { readonly url: string | null; readonly how: string; readonly server: Server | null }

const kinds = {
  postgres: {
    name: 'Postgres',
    variable: 'DATABASE_URL',
    usual: 'postgres://postgres@127.0.0.1:5432/postgres',
    answers: postgresAnswers,
    start: () => startPostgres(),
  },
  redis: {
    name: 'Redis',
    variable: 'REDIS_URL',
    usual: 'redis://127.0.0.1:6379',
    answers: redisAnswers,
    start: () => startRedis(),
  },
  rabbit: {
    name: 'RabbitMQ',
    variable: 'AMQP_URL',
    usual: 'amqp://guest:guest@127.0.0.1:5672',
    answers: rabbitAnswers,
    start: startRabbit,
  },
} satisfies Record<keyof Services, Kind>

export async function findServices(env: NodeJS.ProcessEnv = process.env): Promise<FoundServices> {
  const looked = await Promise.allSettled(Object.values(kinds).map((kind) => find(kind, env)))
  const found = looked.filter((one) => one.status === 'fulfilled').map(({ value }) => value)
  const close = async () => {
    await Promise.all(found.map(async ({ server }) => server?.close()))
  }
  const failed = looked.find((one) => one.status === 'rejected')
  if (failed) {
    await close()
    throw failed.reason
  }
  const urlOf = (kind: Kind) => found.find(({ name }) => name === kind.name)?.url ?? null
  const services = { postgres: urlOf(kinds.postgres), redis: urlOf(kinds.redis), rabbit: urlOf(kinds.rabbit) }
  return { services, summary: `services: ${found.map(({ how }) => how).join(', ')}`, close }
}

async function find({ name, variable, usual, answers, start }: Kind, env: NodeJS.ProcessEnv): Promise<Found> {
  const given = env[variable]
  if (given) {
    await answers(given)
    return { name, url: given, how: `${name} from ${variable}`, server: null }
  }
  const running = await answers(usual).then(
    () => true,
    () => false,
  )
  if (running) return { name, url: usual, how: `${name} at ${new URL(usual).host}`, server: null }
  const server = await start()
  if (server !== null) return { name, url: server.url, how: `${name} started at ${new URL(server.url).host}`, server }
  if (env['CI'] === 'true') throw new Error(`${name} is neither running nor installed, and CI needs it`)
  return { name, url: null, how: `${name} absent: its tests are skipped`, server: null }
}
