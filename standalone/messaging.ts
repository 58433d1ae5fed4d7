// Carries messages between the tiers and shares the state of gateways: by RabbitMQ and Redis where their addresses are
// given, else inside this process. There a message without a subscriber is dropped, as when a broker is away: nothing
// is lost, since the outbox and the sweeper make up for both.

import { defaultRates } from '#contract/rate-limits.ts'
import { keyChangeChannel, type KeyChange } from '#contract/internal/gateway-endpoints.ts'
import { brokerAt } from '#runtime/broker-connection.ts'
import { openConsumer, type Consumer, type ReceivedMessage } from '#runtime/broker-consumer.ts'
import { brokerLog, type OnState } from '#runtime/broker-log.ts'
import { openPublisher } from '#runtime/broker-publisher.ts'
import { namesFor, type QueueType } from '#runtime/broker-names.ts'
import type { Log } from '#runtime/log.ts'
import type { Part } from '#runtime/process.ts'
import { openRedisPublisher, openRedisSubscriber, redisLog } from '#runtime/redis.ts'
import type { DispatcherOptions } from '../dispatcher/dispatcher.ts'
import { unackedMax } from '../dispatcher/fan-out/consumer.ts'
import { memoryRateLimiter, redisRateLimiter, type Price, type Rates } from '../gateway/rate-limit/limiter.ts'
import { redisRefusals } from '../gateway/refusals/kept-refusals.ts'
import { redisNames } from '../gateway/auth/tool-names.ts'
import type { GatewayOptions } from '../gateway/server.ts'
import type { Publish } from '../service/ledger/event-notifier.ts'

type BrokerSettings = {
  readonly amqpUrl: string | null
  readonly amqpQueueType?: QueueType
  readonly brand: string
}
type RedisSettings = {
  readonly redisUrl: string | null
  readonly brand: string
  readonly rates?: Rates
  readonly price?: Price
}
/** Registers a part that is to be closed with the tiers. */
type Open = <P extends Part>(part: P) => P

type Broker = Pick<DispatcherOptions, 'subscribe'> & { readonly publish: Publish; isConnected(): boolean }
type SharedState = {
  readonly ofGateway: Pick<GatewayOptions, 'rateLimiter' | 'listen' | 'refusals' | 'sharedNames'>
  notifyKeyChange(change: KeyChange): void
  isConnected(): boolean
}

/** Carries the notifications of events from the service to the dispatcher. */
export async function openBroker(
  { amqpUrl, amqpQueueType, brand }: BrokerSettings,
  log: Log,
  open: Open,
): Promise<Broker> {
  if (amqpUrl === null) return { ...inProcessBroker(), isConnected: () => true }
  const [broker, names] = [brokerAt(amqpUrl), namesFor(brand, amqpQueueType)]
  const publisher = open(await openPublisher(broker, names, brokerLog(log)))
  return {
    publish: publisher.publish,
    isConnected: publisher.isConnected,
    subscribe: (onMessage, onState) => openConsumer(broker, names, unackedMax, onMessage, onState),
  }
}

/** Holds the rate limits of the gateways and tells them which keys have changed. */
export function openSharedState(
  { redisUrl, brand, rates = defaultRates, price }: RedisSettings,
  log: Log,
  open: Open,
): SharedState {
  if (redisUrl === null) {
    const { publish, listen } = inProcessPubSub()
    return {
      ofGateway: { rateLimiter: memoryRateLimiter(rates, price), listen },
      notifyKeyChange: asJson(publish),
      isConnected: () => true,
    }
  }
  const error = redisLog(log)
  const channel = keyChangeChannel(brand)
  const publisher = open(openRedisPublisher(redisUrl, channel, error))
  return {
    ofGateway: {
      refusals: redisRefusals(redisUrl, brand, error),
      sharedNames: redisNames(redisUrl, brand, error),
      rateLimiter: redisRateLimiter(redisUrl, brand, rates, error, { ...(price && { price }) }),
      listen: (on) => openRedisSubscriber(redisUrl, channel, { ...on, error }),
    },
    notifyKeyChange: asJson(publisher.publish),
    isConnected: publisher.isConnected,
  }
}

const asJson = (publish: (text: string) => void) => (change: KeyChange) => publish(JSON.stringify(change))

/** Stands in for RabbitMQ, for one subscriber. */
export function inProcessBroker() {
  let deliver: ((message: ReceivedMessage) => void) | null = null
  return {
    publish: async (body: string, headers: ReceivedMessage['headers'] = {}): Promise<void> =>
      deliver?.({ body, headers, ack: () => {}, reject: () => {} }),
    subscribe: async (onMessage: (message: ReceivedMessage) => void, onState: OnState): Promise<Consumer> => {
      deliver = onMessage
      onState('connected')
      return {
        isConnected: () => deliver !== null,
        close: async () => {
          deliver = null
        },
      }
    },
  }
}

type Listener = { message(text: string): void }

/** Stands in for a Redis channel, for any number of listeners. */
export function inProcessPubSub() {
  const listeners = new Set<Listener>()
  return {
    publish: (text: string): void => listeners.forEach((listener) => listener.message(text)),
    listen: (listener: Listener) => {
      listeners.add(listener)
      return {
        isConnected: () => true,
        close: async () => {
          listeners.delete(listener)
        },
      }
    },
  }
}
