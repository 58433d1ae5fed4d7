// Takes deliveries on PORT (9000) with Fastify (`npm install fastify`), and prints what happened.
import { fastify, type FastifyInstance } from 'fastify'
import { bodyBytesMax, receive } from './webhook-inbox.ts'

const port = Number(process.env['PORT'] ?? 9000)

/**
 * A plugin of its own, so that the other routes keep their parsers. What is too large Fastify answers with 413 itself.
 */
async function webhooks(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyBytesMax }, (_request, body, done) =>
    done(null, body),
  )
  app.post('/', (request, reply) =>
    reply.code(receive((name) => request.headers[name], request.body as Buffer | undefined)).send(),
  )
}

const app = fastify()
await app.register(webhooks)
await app.listen({ port, host: '127.0.0.1' })
console.log(`Waiting for deliveries on http://127.0.0.1:${port}/`)
