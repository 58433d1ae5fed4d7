// How an HTTP server ends: what runs is answered, every answer ends its connection, and whoever holds one open all the
// same is cut off in the end.
import type { FastifyInstance } from 'fastify'

const sweepEveryMs = 100

/** From then on each answer tells its caller to use another connection for the next call. */
export function endConnectionsWhen(app: FastifyInstance, isStopping: () => boolean): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping()) reply.header('connection', 'close')
    done()
  })
}

/** Resolves when the server has ended; connections that are still in use after `withinMs` are cut off. */
export async function closeServer(app: FastifyInstance, withinMs: number): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), withinMs)
  // A connection that becomes idle after the server has looked is closed too.
  const sweep = setInterval(() => app.server.closeIdleConnections(), sweepEveryMs)
  await app.close()
  clearInterval(sweep)
  clearTimeout(cut)
}
