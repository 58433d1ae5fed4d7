// Liveness (`/health`) and readiness (`/ready`) for an orchestrator. The dispatcher works without the broker, but its
// deliveries are late then, so it is not ready. One that ends says so while it finishes what it sends.
import fastify from 'fastify'
import { wrongSecretMessage } from '#prisma/internal-secret.ts'
import type { Part } from '#runtime/process.ts'

type Address = { readonly host: string; readonly port: number }
export type Condition = {
  /** Asks the database; rejects when that is away. */
  readonly holdsSecret: () => Promise<boolean>
  readonly isConnected: () => boolean
  readonly isClosing: () => boolean
}

export async function serveHealth(address: Address, condition: Condition): Promise<Part> {
  const app = fastify()
  app.get('/health', async () => ({ status: 'ok' }))
  app.get('/ready', async (_request, reply) => {
    const holds = await condition.holdsSecret().catch(() => null)
    const [database, broker, secret] = [holds !== null, condition.isConnected(), holds !== false]
    const ready = database && broker && secret && !condition.isClosing()
    return reply.code(ready ? 200 : 503).send({
      status: condition.isClosing() ? 'stopping' : ready ? 'ready' : 'not ready',
      ...{ database, broker, secret },
      ...(!secret && { reason: wrongSecretMessage }),
    })
  })
  await app.listen({ host: address.host, port: address.port })
  return { close: () => app.close() }
}
