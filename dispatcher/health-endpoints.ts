// Liveness (`/health`) and readiness (`/ready`) for an orchestrator. Without the broker it finds events a second later
// and sends them all, so it is ready, and says that it is degraded. One that lacks a sealing key is not ready, since
// what that key signs waits: a roll-out that has forgotten a key stops at its first dispatcher. One that ends says so
// while it finishes what it sends.
import fastify from 'fastify'
import { wrongSecretMessage, missingKeysMessage } from '#prisma/sealing-rows.ts'
import type { Part } from '#runtime/process.ts'

type Address = { readonly host: string; readonly port: number }
export type Condition = {
  /** Asks the database; rejects when that is away. */
  readonly holdsSecret: () => Promise<boolean>
  readonly isConnected: () => boolean
  /** How many stored secrets need which key that was not given. */
  readonly missingKeys: () => Promise<Readonly<Record<string, number>>>
  readonly isClosing: () => boolean
}

export async function serveHealth(address: Address, condition: Condition): Promise<Part> {
  const app = fastify()
  app.get('/health', async () => ({ status: 'ok' }))
  app.get('/ready', async (_request, reply) => {
    const holds = await condition.holdsSecret().catch(() => null)
    // While the database cannot tell, that is what is wrong.
    const missing = await condition.missingKeys().catch(() => ({}))
    const [database, broker, secret] = [holds !== null, condition.isConnected(), holds !== false]
    const sealingKeys = Object.keys(missing).length === 0
    const ready = database && secret && sealingKeys && !condition.isClosing()
    const reason = !secret ? wrongSecretMessage : !sealingKeys ? missingKeysMessage : null
    return reply.code(ready ? 200 : 503).send({
      status: condition.isClosing() ? 'stopping' : !ready ? 'not ready' : broker ? 'ready' : 'degraded',
      database,
      broker,
      secret,
      sealingKeys,
      ...(!sealingKeys && { missing }),
      ...(reason !== null && { reason }),
    })
  })
  await app.listen({ host: address.host, port: address.port })
  return { close: () => app.close() }
}
