// Addresses of the servers, and the settings of one deployment. Each run has its own brand, so that it shares no
// queues, channels and counters with others.
import { randomBytes } from 'node:crypto'
import { letters } from '../measure/random-letters.ts'

export type Deployment = {
  readonly brand: string
  readonly internalSecret: string
  readonly operatorToken: string
}

export const databaseServer = process.env['DATABASE_URL'] || 'postgres://postgres@127.0.0.1:5432/postgres'
/** A streaming replica of that server, for what needs one. */
export const replicaServer = process.env['DATABASE_READ_URL']
export const redisUrl = process.env['REDIS_URL'] || 'redis://127.0.0.1:6379'
export const amqpUrl = process.env['AMQP_URL'] || 'amqp://guest:guest@127.0.0.1:5672'

export const newDeployment = (): Deployment => ({
  brand: `bench-${letters(8).toLowerCase()}`,
  internalSecret: randomBytes(32).toString('hex'),
  operatorToken: randomBytes(32).toString('hex'),
})
