// What an orchestrator asks: is the process alive, and can it work. It can work without the broker, but then its
// deliveries are late, so it says that it is not ready.
import fastify from 'fastify'
import type { Database } from '#prisma/client.ts'
import type { Part } from '#runtime/process.ts'
import type { Dispatcher } from './dispatcher.ts'

type Where = { readonly host: string; readonly port: number }

export async function serveHealth(where: Where, db: Database, dispatcher: Dispatcher): Promise<Part> {
  const app = fastify()
  app.get('/health', async () => ({ status: 'ok' }))
  app.get('/ready', async (_request, reply) => {
    const database = await db.$queryRaw`SELECT 1`.then(
      () => true,
      () => false,
    )
    const broker = dispatcher.isConnected()
    const ready = database && broker
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not ready', database, broker })
  })
  await app.listen({ host: where.host, port: where.port })
  return { close: () => app.close() }
}
