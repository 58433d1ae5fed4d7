// What Redis and RabbitMQ do between processes, done inside one. A notice that nobody takes is dropped, as a broker
// that is away would: the outbox and the sweeper make both safe.
import type { Consumer, Received } from '#runtime/broker.ts'
import type { OnState } from '#runtime/broker-connection.ts'
import type { Part } from '#runtime/process.ts'

export function handOver() {
  let take: ((message: Received) => void) | null = null
  return {
    publish: async (body: string): Promise<void> => take?.({ body, ack: () => {}, reject: () => {} }),
    subscribe: async (onMessage: (message: Received) => void, onState: OnState): Promise<Consumer> => {
      take = onMessage
      onState('connected')
      return { isConnected: () => take !== null, close: async () => void (take = null) }
    },
  }
}

type On = { message(text: string): void }

export function localBroadcast() {
  const listeners = new Set<On>()
  return {
    announce: (text: string): void => listeners.forEach((on) => on.message(text)),
    listen: (on: On): Part => {
      listeners.add(on)
      return { close: async () => void listeners.delete(on) }
    },
  }
}
