// What an orchestrator asks: is the process alive, and can it work. It can work without the broker, but then its
// deliveries are late, so it says that it is not ready.
import fastify from 'fastify'
import { otherSecret } from '#prisma/installation.ts'
import type { Part } from '#runtime/process.ts'

type Where = { readonly host: string; readonly port: number }
export type Condition = {
  /** Asks the database; rejects where that is away. */
  readonly holdsSecret: () => Promise<boolean>
  readonly isConnected: () => boolean
}

export async function serveHealth(where: Where, condition: Condition): Promise<Part> {
  const app = fastify()
  app.get('/health', async () => ({ status: 'ok' }))
  app.get('/ready', async (_request, reply) => {
    const holds = await condition.holdsSecret().catch(() => null)
    const [database, broker, secret] = [holds !== null, condition.isConnected(), holds !== false]
    const ready = database && broker && secret
    return reply.code(ready ? 200 : 503).send({
      status: ready ? 'ready' : 'not ready',
      ...{ database, broker, secret },
      ...(!secret && { reason: otherSecret }),
    })
  })
  await app.listen({ host: where.host, port: where.port })
  return { close: () => app.close() }
}
