// Against a real RabbitMQ, with exchanges and queues of this run's own.
import { randomUUID } from 'node:crypto'
import { connect as connectTo, createServer, type AddressInfo, type Socket } from 'node:net'
import { connect } from 'amqplib'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { openConsumer, openPublisher, type Received } from '#runtime/broker.ts'
import { namesFor, type Names } from '#runtime/broker-line.ts'
import { dropNamed } from '../support/queues.ts'
import { eventually } from '../support/eventually.ts'
import { services } from '../support/services.ts'

const { rabbit } = services()
const url = rabbit ?? ''
const used: Names[] = []
const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})
afterAll(async () => {
  if (rabbit === null) return
  for (const names of used) await dropNamed(url, names)
})

function freshNames(): Names {
  const names = namesFor(`test-${randomUUID()}`)
  used.push(names)
  return names
}

async function publisher(names: Names, at = url) {
  const opened = await openPublisher(at, names, () => {})
  closing.push(opened.close)
  await eventually(() => opened.isConnected(), 'a connected publisher')
  return opened
}

async function consumer(names: Names, { at = url, prefetch = 10 } = {}) {
  const got: Received[] = []
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

/** A way to the broker that can be cut. */
async function cuttable() {
  const { hostname, port, username, password } = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connectTo(Number(port) || 5672, hostname)
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}))
    near.pipe(far).pipe(near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => sockets.forEach((socket) => socket.destroy())
  closing.unshift(async () => {
    cut()
    server.close()
  })
  return { url: `amqp://${username}:${password}@127.0.0.1:${(server.address() as AddressInfo).port}`, cut }
}

describe.skipIf(rabbit === null)('with RabbitMQ', () => {
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

  test('no more than the prefetch is handed out unacked', async () => {
    const names = freshNames()
    const { publish } = await publisher(names)
    await Promise.all(Array.from({ length: 5 }, (_, n) => publish(String(n))))
    const { got } = await consumer(names, { prefetch: 2 })
    await eventually(() => got.length === 2, 'two messages')
    got[0]?.ack()
    await eventually(() => got.length === 3, 'a third one')
    expect(got).toHaveLength(3)
  })

  test('a line that is cut is built up again on both sides; an old ack harms nothing', async () => {
    const names = freshNames()
    const line = await cuttable()
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

test('without a broker a publish waits a little, and no longer than until the end', async () => {
  const unreachable = await openPublisher('amqp://127.0.0.1:1', namesFor('test'), () => {})
  const published = expect(unreachable.publish('x')).rejects.toThrow()
  await unreachable.close()
  await published
})
