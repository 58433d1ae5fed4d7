// What RabbitMQ and Redis do between processes, done inside one. A message without a subscriber is dropped, as when a
// broker is away: nothing is lost, since the outbox and the sweeper make up for both.
import type { Consumer, ReceivedMessage } from '#runtime/broker-consumer.ts'
import type { OnState } from '#runtime/broker-connection.ts'

/** In place of RabbitMQ, for one subscriber. */
export function inProcessBroker() {
  let deliver: ((message: ReceivedMessage) => void) | null = null
  return {
    publish: async (body: string): Promise<void> => deliver?.({ body, ack: () => {}, reject: () => {} }),
    subscribe: async (onMessage: (message: ReceivedMessage) => void, onState: OnState): Promise<Consumer> => {
      deliver = onMessage
      onState('connected')
      return { isConnected: () => deliver !== null, close: async () => void (deliver = null) }
    },
  }
}

type Listener = { message(text: string): void }

/** In place of a Redis channel, for any number of listeners. */
export function inProcessPubSub() {
  const listeners = new Set<Listener>()
  return {
    publish: (text: string): void => listeners.forEach((listener) => listener.message(text)),
    listen: (listener: Listener) => {
      listeners.add(listener)
      return { isConnected: () => true, close: async () => void listeners.delete(listener) }
    },
  }
}
