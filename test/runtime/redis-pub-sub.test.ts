// Messages reach every listener; what could not be said is said later; a listener finds its way back.
import { afterEach, expect, test } from 'vitest'
import { openRedisPublisher, openRedisSubscriber, type RedisPublisher, type RedisSubscriber } from '#runtime/redis.ts'
import { eventually } from '../support/eventually.ts'
import { redisBinary } from '../support/servers/redis.ts'
import { startRedis } from '../support/servers/redis.ts'
import { services } from '../support/services.ts'

const opened: (RedisPublisher | RedisSubscriber)[] = []
afterEach(() => Promise.all(opened.splice(0).map((one) => one.close())))
const channelOfTest = () => `test-${crypto.randomUUID()}`

function subscribed(url: string, channel: string) {
  const messages: string[] = []
  const subscriber = openRedisSubscriber(url, channel, {
    message: (text) => messages.push(text),
    error: () => {},
  })
  opened.push(subscriber)
  return { messages, subscriber }
}

function publishing(url: string, channel: string): RedisPublisher {
  const publisher = openRedisPublisher(url, channel, () => {})
  opened.push(publisher)
  return publisher
}

test.skipIf(services().redis === null)(
  'a message reaches all who subscribe to the channel, and nobody else',
  async () => {
    const url = services().redis!
    const channel = channelOfTest()
    const [one, two, other] = [subscribed(url, channel), subscribed(url, channel), subscribed(url, channelOfTest())]
    for (const { subscriber } of [one, two, other]) await eventually(() => subscriber.isConnected(), 'connected')
    const publisher = publishing(url, channel)
    publisher.publish('a')
    publisher.publish('b')
    for (const { messages } of [one, two]) await eventually(() => messages.length === 2, 'both messages')
    expect([one.messages, other.messages]).toEqual([['a', 'b'], []])
  },
)

test.skipIf(redisBinary() === null)(
  'a Redis that goes and comes back is subscribed to again, and what was published meanwhile is published then',
  async () => {
    await using server = (await startRedis())!
    const channel = channelOfTest()
    const { messages, subscriber } = subscribed(server.url, channel)
    const publisher = publishing(server.url, channel)
    await eventually(() => subscriber.isConnected(), 'connected')
    await server.stop('SIGKILL')
    await eventually(() => !subscriber.isConnected(), 'the loss is noticed')
    publisher.publish('meanwhile')
    publisher.publish('meanwhile')
    await server.start()
    await eventually(() => subscriber.isConnected(), 'the return is noticed')
    publisher.publish('after')
    await eventually(() => messages.includes('after'), 'messages come again')
    expect(messages.filter((text) => text === 'meanwhile').length).toBeLessThanOrEqual(1)
  },
)

test.skipIf(redisBinary() === null)('a Redis that hangs is noticed within a few seconds', async () => {
  await using server = (await startRedis())!
  const { subscriber } = subscribed(server.url, channelOfTest())
  await eventually(() => subscriber.isConnected(), 'connected')
  server.freeze()
  await eventually(() => !subscriber.isConnected(), 'the silence is noticed', 5_000)
  server.thaw()
  await eventually(() => subscriber.isConnected(), 'the return is noticed')
})
