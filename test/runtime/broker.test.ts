// Against a real RabbitMQ, with exchanges and queues of this run's own.
import { randomUUID } from 'node:crypto'
import { connect } from 'amqplib'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { openConsumer, type ReceivedMessage } from '#runtime/broker-consumer.ts'
import { openPublisher } from '#runtime/broker-publisher.ts'
import { namesFor, openConnection, type BrokerNames } from '#runtime/broker-connection.ts'
import { dropNamed } from '../support/drop-queues.ts'
import { eventually } from '../support/eventually.ts'
import { services } from '../support/services.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const { rabbit } = services()
const url = rabbit ?? ''
const used: BrokerNames[] = []
const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})
afterAll(async () => {
  if (rabbit === null) return
  for (const names of used) await dropNamed(url, names)
})

function freshNames(): BrokerNames {
  const names = namesFor(`test-${randomUUID()}`)
  used.push(names)
  return names
}

async function publisher(names: BrokerNames, at = url, confirmWithinMs?: number) {
  const opened = await openPublisher(at, names, () => {}, confirmWithinMs)
  closing.push(opened.close)
  await eventually(() => opened.isConnected(), 'a connected publisher')
  return opened
}

async function consumer(names: BrokerNames, { at = url, prefetch = 10 } = {}) {
  const got: ReceivedMessage[] = []
  const states: string[] = []
  const opened = await openConsumer(
    at,
    names,
    prefetch,
    (message) => got.push(message),
    (state) => states.push(state),
  )
  closing.push(opened.close)
  await eventually(() => opened.isConnected(), 'a connected consumer')
  return { ...opened, got, states, bodies: () => got.map(({ body }) => body) }
}

describe.skipIf(rabbit === null)('with RabbitMQ', () => {
  test('a publish over a channel that has just closed is rejected, and nothing waits for its confirmation', async () => {
    const { publish, close } = await publisher(freshNames())
    const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    await close()
    const before = timers()

    const published = publish('too late')
    const after = timers()

    await expect(published).rejects.toThrow(/closed/i)
    expect(after).toBe(before)
  })

  test('what is published is confirmed, and taken by a consumer', async () => {
    const names = freshNames()
    const { publish } = await publisher(names)
    await Promise.all(['a', 'b', 'c'].map((body) => publish(body)))
    const { got, bodies } = await consumer(names)
    await eventually(() => got.length === 3, 'three messages')
    expect(bodies().toSorted()).toEqual(['a', 'b', 'c'])
  })

  test('what no queue takes is rejected, although the broker confirms it', async () => {
    const names = freshNames()
    const { publish } = await publisher(names)
    const connection = await connect(url)
    const channel = await connection.createChannel()
    await channel.unbindQueue(names.queue, names.exchange, names.routingKey)
    await connection.close()
    await expect(publish('lost')).rejects.toThrow('No queue takes the message')
  })

  test('what is not acked comes again, to whoever is there', async () => {
    const names = freshNames()
    const { publish } = await publisher(names)
    await publish('one')
    const first = await consumer(names)
    await eventually(() => first.got.length === 1, 'the message')
    await first.close()
    const second = await consumer(names)
    await eventually(() => second.got.length === 1, 'the message again')
    second.got[0]?.ack()
    await second.close()
    const third = await consumer(names)
    await publish('two')
    await eventually(() => third.got.length === 1, 'the next message')
    expect(third.bodies()).toEqual(['two'])
  })

  test('no more than the prefetch is delivered unacked', async () => {
    const names = freshNames()
    const { publish } = await publisher(names)
    await Promise.all(Array.from({ length: 5 }, (_, n) => publish(String(n))))
    const { got } = await consumer(names, { prefetch: 2 })
    await eventually(() => got.length === 2, 'two messages')
    got[0]?.ack()
    await eventually(() => got.length === 3, 'a third one')
    expect(got).toHaveLength(3)
  })

  test('a connection that is cut is made again on both sides; an old ack harms nothing', async () => {
    const names = freshNames()
    await using line = await startTcpProxy(url)
    const [{ publish, isConnected }, { got, states, bodies }] = [
      await publisher(names, line.url),
      await consumer(names, { at: line.url }),
    ]
    await publish('before')
    await eventually(() => got.length === 1, 'the message')
    line.cut()
    await eventually(() => states.includes('disconnected'), 'the loss noticed')
    await eventually(() => got.length === 2, 'the message again')
    got[0]?.ack()
    got[1]?.ack()
    await eventually(() => isConnected(), 'the publisher connected again')
    await publish('after')
    await eventually(() => got.length === 3, 'the next message')
    expect(bodies()).toEqual(['before', 'before', 'after'])
  })

  test('a broker that freezes is taken for lost at the first confirm that does not come, and found again', async () => {
    const names = freshNames()
    await using line = await startTcpProxy(url)
    const { publish, isConnected } = await publisher(names, line.url, 300)
    await publish('before')

    line.freeze()
    const waiting = [publish('frozen'), publish('behind')]
    for (const one of await Promise.allSettled(waiting))
      expect(one).toMatchObject({ status: 'rejected', reason: { message: 'RabbitMQ did not confirm in time' } })
    expect(isConnected()).toBe(false)
    await expect(publish('later')).rejects.toThrow('RabbitMQ did not confirm in time')

    line.thaw()
    await eventually(() => isConnected(), 'the publisher connected again')
    await publish('after')
  })

  test('a consumer notices a broker that freezes by its missing heartbeats, and goes on after the thaw', async () => {
    const names = freshNames()
    await using line = await startTcpProxy(url)
    const { got, states, bodies, isConnected } = await consumer(names, { at: `${line.url}?heartbeat=1` })

    line.freeze()
    await eventually(() => !isConnected(), 'the loss noticed')
    expect(states.at(-1)).toBe('disconnected')

    line.thaw()
    await eventually(() => isConnected(), 'the consumer connected again')
    const { publish } = await publisher(names)
    await publish('after')
    await eventually(() => got.length === 1, 'the message')
    expect(bodies()).toEqual(['after'])
  })

  test('a broker that freezes while a connection is being set up ends no process, and is found again', async () => {
    const uncaught: unknown[] = []
    const note = (error: unknown) => void uncaught.push(error)
    const others = process.listeners('uncaughtException')
    process.removeAllListeners('uncaughtException').on('uncaughtException', note)
    closing.push(async () => {
      process.removeAllListeners('uncaughtException')
      for (const other of others) process.on('uncaughtException', other)
    })
    const proxy = await startTcpProxy(url)
    closing.push(async () => proxy[Symbol.asyncDispose]())
    const seen = { opened: 0, lost: 0, connected: false }
    const connection = await openConnection(`${proxy.url}?heartbeat=1`, {
      state: (state) => void (seen.connected = state === 'connected'),
      open: (model) => {
        if (++seen.opened === 1) proxy.freeze()
        return model.createChannel()
      },
      lost: () => void (seen.lost += 1),
    })
    closing.push(() => connection.close())

    await eventually(() => seen.lost > 0, 'the loss of the connection')
    proxy.thaw()

    await eventually(() => seen.connected, 'another connection')
    expect(uncaught).toEqual([])
  })

  test('closing does not wait for a broker that is frozen', { timeout: 20_000 }, async () => {
    const names = freshNames()
    await using line = await startTcpProxy(url)
    const [sending, taking] = [await publisher(names, line.url), await consumer(names, { at: line.url })]

    line.freeze()

    await Promise.all([sending.close(), taking.close()])
  })

  test('what is rejected lies in the dead queue, and does not come again', async () => {
    const names = freshNames()
    const { publish } = await publisher(names)
    const { got, bodies } = await consumer(names)
    await publish('junk')
    await eventually(() => got.length === 1, 'the message')

    got[0]?.reject()

    const connection = await connect(url)
    const channel = await connection.createChannel()
    const fromDead = async () => {
      const message = await channel.get(names.deadQueue, { noAck: true })
      return message === false ? null : message.content.toString()
    }
    expect(await eventually(fromDead, 'the dead message')).toBe('junk')
    await connection.close()
    await publish('next')
    await eventually(() => got.length === 2, 'the next message')
    expect(bodies()).toEqual(['junk', 'next'])
  })

  test('a queue that is deleted is declared again', async () => {
    const names = freshNames()
    const { got, states } = await consumer(names)
    const connection = await connect(url)
    const channel = await connection.createChannel()
    await channel.deleteQueue(names.queue)
    await connection.close()
    await eventually(() => states.filter((state) => state === 'connected').length === 2, 'a second connection')
    const { publish } = await publisher(names)
    await publish('after')
    await eventually(() => got.length === 1, 'the message')
  })
})

test('without a broker a publish is rejected at once', async () => {
  const unreachable = await openPublisher('amqp://127.0.0.1:1', namesFor('test'), () => {})
  closing.push(unreachable.close)
  expect(unreachable.isConnected()).toBe(false)
  await expect(unreachable.publish('x')).rejects.toThrow()
})
