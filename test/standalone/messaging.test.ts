import { expect, test } from 'vitest'
import { inProcessBroker, inProcessPubSub } from '../../standalone/messaging.ts'

test('a published message reaches the subscriber, and nobody once it has closed', async () => {
  const broker = inProcessBroker()
  const bodies: string[] = []
  await broker.publish('lost')

  const consumer = await broker.subscribe(
    ({ body }) => bodies.push(body),
    () => {},
  )
  await broker.publish('taken')
  await consumer.close()
  await broker.publish('lost as well')

  expect(bodies).toEqual(['taken'])
})

test('a listener gets every message until it is closed', async () => {
  const channel = inProcessPubSub()
  const received: string[] = []

  const listener = channel.listen({ message: (text) => received.push(text) })
  channel.publish('one')
  await listener.close()
  channel.publish('two')

  expect(received).toEqual(['one'])
})
