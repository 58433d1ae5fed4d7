// The gateway's peer: fastify with reply-from and nothing else. No policy, no log.
import replyFrom from '@fastify/reply-from'
import { fastify } from 'fastify'
import { readPlan, report } from '../measure/plan.ts'

export type Plan = { readonly origin: string }

const { origin } = readPlan() as Plan
const app = fastify({ logger: false })
await app.register(replyFrom, { base: origin, retryMethods: [] })
app.all('/*', (request, reply) => reply.from(request.url))
report({ url: await app.listen({ host: '127.0.0.1', port: 0 }) })
process.once('SIGTERM', () => process.exit(0))
