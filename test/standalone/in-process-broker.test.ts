import { expect, test } from 'vitest'
import { handOver, localBroadcast } from '../../standalone/in-process-broker.ts'

test('what is published reaches who has subscribed, and nobody after that has ended', async () => {
  const broker = handOver()
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

test('a listener hears every message until it is closed', async () => {
  const broadcast = localBroadcast()
  const heard: string[] = []

  const listener = broadcast.listen({ message: (text) => heard.push(text) })
  broadcast.announce('one')
  await listener.close()
  broadcast.announce('two')

  expect(heard).toEqual(['one'])
})
