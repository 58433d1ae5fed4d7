// A cluster of three nodes of RabbitMQ whose leader is killed. `npm run chaos -- cluster` does it to the whole product,
// again and again.
import { expect, test } from 'vitest'
import type { ReceivedMessage } from '#runtime/broker-consumer.ts'
import { namesFor } from '#runtime/broker-names.ts'
import { eventually } from '../support/eventually.ts'
import { leaderOf, rabbitBinary, startRabbitCluster } from '../support/servers/rabbit.ts'
import { brokerParts, declareFormer } from './broker-parts.ts'

const { publisher, consumer, channelAt, deadLetters, use } = brokerParts()

test.skipIf(rabbitBinary() === null)(
  'of three nodes of RabbitMQ the leader lost under load costs no confirmed notification and no dead letter, though the former queue lay there',
  async () => {
    const cluster = use(await startRabbitCluster())
    const names = namesFor(`test-${crypto.randomUUID()}`)
    const onMessage = (message: ReceivedMessage) => (message.body === 'junk' ? message.reject() : message.ack())
    const taking = await consumer(names, { at: cluster.url, onMessage })
    const sending = await publisher(names, { at: cluster.url })
    const leader = await leaderOf(cluster.nodes, names.queue)
    await declareFormer(await channelAt(leader.url), names, ['of an earlier version'])
    const confirmed: string[] = []
    let sent = 0
    let refusal = 'none'
    const sendUntil = (done: () => boolean, what: string) => {
      const sendOne = async () => {
        const body = String(sent++)
        // One at a time, as the broker can take them.
        await sending.publish(body).then(
          () => confirmed.push(body),
          ({ message }: Error) => (refusal = message),
        )
        return done()
      }
      return eventually(sendOne, what, 60_000).catch((error: Error) => {
        throw new Error(`${error.message} (${confirmed.length} of ${sent} confirmed, the last refusal: ${refusal})`)
      })
    }

    await sendUntil(() => confirmed.length >= 50, '50 confirmed')
    await Promise.all([leader.stop('SIGKILL'), sendUntil(() => sent >= 100, '100 sent')])
    await eventually(() => sending.isConnected() && taking.isConnected(), 'both at another node', 60_000)
    const wanted = confirmed.length + 50
    await sendUntil(() => confirmed.length >= wanted, '50 more confirmed')
    const late = await consumer(names, { at: cluster.url, onMessage })
    const isPublished = () =>
      sending.publish('junk').then(
        () => true,
        () => false,
      )
    await eventually(isPublished, 'junk, confirmed')

    const received = () => new Set([...taking.bodies(), ...late.bodies()])
    await eventually(() => confirmed.every((body) => received().has(body)), 'all that was confirmed', 60_000)
    const other = cluster.nodes.find((node) => node !== leader)!
    expect((await deadLetters(other.url, names, 2)).toSorted()).toEqual(['junk', 'of an earlier version'])
    const notMoved = /cannot be moved to the new one yet, .*: NOT_FOUND - home node '.*' of durable queue .* is down/
    await eventually(() => late.said.some((line) => notMoved.test(line)), 'a line on the former queue')
  },
  240_000,
)
