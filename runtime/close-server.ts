// Closes an HTTP server: running calls are answered, every answer ends its connection, and connections that stay open all
// the same are cut off in the end.
import type { FastifyInstance } from 'fastify'
import { setTimeout as after } from 'node:timers/promises'

const sweepEveryMs = 100

/** While `isStopping`, each answer has `Connection: close`, so that the next call uses another connection. */
export function endConnectionsWhen(app: FastifyInstance, isStopping: () => boolean): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    if (isStopping()) reply.header('connection', 'close')
    done()
  })
}

/** Resolves when the server has ended; connections that are still in use after `withinMs` are cut off. */
export async function closeServer(app: FastifyInstance, withinMs: number): Promise<void> {
  const cut = setTimeout(() => app.server.closeAllConnections(), withinMs)
  // `app.close` closes the connections that are idle by then; these become idle later.
  const sweep = setInterval(() => app.server.closeIdleConnections(), sweepEveryMs)
  await app.close()
  clearInterval(sweep)
  clearTimeout(cut)
}

// A process that was told to stop reports that it is not ready, and goes on serving for a while: load balancers that asked
// a moment ago still believe that it is ready.

export type Drain = {
  /** True from the moment at which the process was told to stop. */
  isDraining(): boolean
  /** Starts the drain. Resolves when its time is over. */
  begin(): Promise<void>
}

export function drainFor(seconds: number): Drain {
  let isDraining = false
  return {
    isDraining: () => isDraining,
    begin: () => {
      isDraining = true
      return after(seconds * 1_000)
    },
  }
}
