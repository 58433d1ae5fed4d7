// A peer of the gateway: fastify + reply-from with the policy that most begin with. For each request the key's record
// is read from Redis, and its limit is counted there.
import { hash } from 'node:crypto'
import replyFrom from '@fastify/reply-from'
import { fastify, type FastifyReply } from 'fastify'
import { Redis } from 'ioredis'
import { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { KeyRecord } from '#contract/internal/gateway-endpoints.ts'
import { readPlan, report } from '../measure/plan.ts'
import { refusalOf } from '../peers/plain-policy.ts'

/** `prefix`: of the records in Redis, which go by the hash of their token. */
export type Plan = { readonly origin: string; readonly redis: string; readonly prefix: string }

const { origin, redis: url, prefix } = readPlan() as Plan
const redis = new Redis(url)
const limiter = new RateLimiterRedis({
  storeClient: redis,
  points: 1_000_000,
  duration: 60,
  keyPrefix: `${prefix}limit`,
})
const app = fastify({ logger: false })
await app.register(replyFrom, { base: origin, retryMethods: [] })
app.addHook('onRequest', async (request, reply) => {
  const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
  const found = await redis.get(prefix + hash('sha256', token, 'hex'))
  if (found === null) return refuse(reply, 401)
  const record = JSON.parse(found) as KeyRecord
  const contentLength = Number(request.headers['content-length'] ?? 0)
  const status = refusalOf(record, { method: request.method, address: request.ip, contentLength })
  if (status !== null) return refuse(reply, status)
  try {
    const { remainingPoints, msBeforeNext } = await limiter.consume(record.id)
    return void reply.header('ratelimit', `"key";r=${remainingPoints};t=${Math.ceil(msBeforeNext / 1_000)}`)
  } catch (thrown) {
    if (thrown instanceof RateLimiterRes) return refuse(reply, 429)
    throw thrown
  }
})
app.all('/*', (request, reply) => reply.from(request.url))
report({ url: await app.listen({ host: '127.0.0.1', port: 0 }) })
process.once('SIGTERM', () => process.exit(0))

const refuse = (reply: FastifyReply, status: number): FastifyReply => reply.code(status).send({ status })
