// The queues of an installation: their type is changed while everything runs, queues that were made otherwise are
// replaced, and what a queue has handed out too often is put aside.
import type { Options } from 'amqplib'
import { describe, expect, test } from 'vitest'
import type { ReceivedMessage } from '#runtime/broker-consumer.ts'
import { namesFor, type BrokerNames } from '#runtime/broker-names.ts'
import { queueOptions } from '#runtime/broker-queues.ts'
import { eventually } from '../support/eventually.ts'
import { services } from '../support/services.ts'
import { brokerParts } from './broker-parts.ts'

const { rabbit } = services()
const url = rabbit ?? ''
const { freshNames, publisher, publisherOf, consumer, channelAt, queuesAt, deadLetters } = brokerParts()

/** The same installation with the other setting. */
const withOther = ({ exchange, type }: BrokerNames): BrokerNames =>
  namesFor(exchange.replace(/\.events$/, ''), type === 'quorum' ? 'classic' : 'quorum')
const ack = (message: ReceivedMessage): void => message.ack()

describe.skipIf(rabbit === null)('with RabbitMQ', () => {
  test.each(['classic', 'quorum'] as const)(
    'where queues were %s, both types are served beside each other, and what waits in the former ones is moved when they have no consumers',
    async (type) => {
      const former = freshNames(type)
      const current = withOther(former)
      const first = await consumer(former, { prefetch: 1 })
      const sending = await publisher(former)
      for (const body of ['a', 'b', 'c']) await sending.publish(body)
      await first.messages(1)
      const isThere = await queuesAt(url)
      const channel = await channelAt(url)
      channel.publish(former.deadExchange, '', Buffer.from('junk'), { persistent: true })

      const second = await consumer(current, { onMessage: ack })
      await eventually(() => second.said.some((line) => line.includes('has consumers')), 'a line on the former queue')
      await sending.publish('d')
      await second.messages(1)
      expect([second.bodies(), await isThere(former.queue)]).toEqual([['d'], true])
      first.got[0]?.ack()
      await first.messages(2)
      await first.close()

      await eventually(async () => !(await isThere(former.deadQueue)), 'the end of the former queues')
      await second.messages(4)
      expect(await isThere(former.queue)).toBe(false)
      expect(second.bodies().toSorted()).toEqual(['b', 'c', 'd', 'd'])
      expect(await deadLetters(url, current, 1)).toEqual(['junk'])
      expect(second.said.filter((line) => line.startsWith('warn'))).toEqual([])
      await sending.publish('after')
      await second.messages(5)
    },
  )

  test('of two consumers that start at once with either setting, both get what comes then', async () => {
    const names = freshNames()
    const [one, two] = await Promise.all([consumer(names), consumer(withOther(names))])
    const sending = await publisher(names)

    await eventually(async () => {
      if (one.isConnected() && two.isConnected()) await sending.publish('x').catch(() => {})
      return [one, two].every(({ bodies }) => bodies().includes('x'))
    }, 'a message at both')
  })

  test.each<[string, Options.AssertQueue]>([
    ['for as long as the broker runs', { durable: false }],
    ['with priorities', { durable: true, maxPriority: 5 }],
    ['with a time after which messages are gone', { durable: true, messageTtl: 60_000 }],
    ['to be deleted when it is not used', { durable: true, expires: 60_000 }],
    ['with another limit', { durable: true, arguments: { 'x-queue-type': 'quorum', 'x-delivery-limit': 3 } }],
  ])('a queue that was made %s is replaced by one that keeps every message', async (_how, options) => {
    const names = freshNames()
    const channel = await channelAt(url)
    await channel.assertQueue(names.queue, options)

    const { publish, said } = await publisher(names)

    await publish('a notification')
    expect(said).toEqual(['info: RabbitMQ is connected'])
    expect(await channel.assertQueue(names.queue, queueOptions(names))).toMatchObject({ messageCount: 1 })
  })

  test('a queue that another connection has for itself is left alone and named, until it is gone', async () => {
    const names = freshNames()
    const channel = await channelAt(url)
    await channel.assertQueue(names.queue, { exclusive: true })

    const { said, isConnected } = await publisherOf(names)
    await eventually(() => said.length > 0, 'a line')
    expect(said).toEqual([expect.stringMatching(/^warn: .*RESOURCE_LOCKED - .*'test-.*\.webhooks\.events'/)])
    await channel.deleteQueue(names.queue)

    await eventually(() => isConnected(), 'a connected publisher')
  })

  test('an exchange that was made otherwise is named, and costs the queue no message', async () => {
    const names = freshNames()
    const channel = await channelAt(url)
    await channel.assertQueue(names.queue, queueOptions(names))
    channel.sendToQueue(names.queue, Buffer.from('waiting'), { persistent: true })
    await channel.assertExchange(names.exchange, 'direct')

    const { said, isConnected } = await publisherOf(names)
    await eventually(() => said.length > 0, 'a line')
    expect(said).toEqual([expect.stringMatching(/^warn: .*made otherwise.*delete it.*for exchange 'test-/)])
    expect(await channel.checkQueue(names.queue)).toMatchObject({ messageCount: 1 })
    await channel.deleteExchange(names.exchange)

    await eventually(() => isConnected(), 'a connected publisher')
  })

  test.each([
    ['quorum', ['poison']],
    ['classic', []],
  ] as const)(
    'a message that comes back a hundred times is put aside by a %s queue: %j; others are delivered',
    async (type, putAside) => {
      const names = freshNames(type)
      await (await consumer(names)).close()
      const { publish } = await publisher(names)
      await publish('poison')
      const channel = await channelAt(url)
      for (let times = 0; times <= 100; times += 1) {
        const message = await channel.get(names.queue)
        if (message !== false) channel.nack(message, false, true)
      }

      expect(await deadLetters(url, names, putAside.length)).toEqual(putAside)
      await publish('next')
      const taking = await consumer(names)
      await eventually(() => taking.bodies().includes('next'), 'the next message')
      expect(taking.bodies().includes('poison')).toBe(type === 'classic')
    },
  )
})
