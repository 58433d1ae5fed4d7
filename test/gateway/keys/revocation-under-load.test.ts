// Keys revoked one after another while three gateways serve them without a pause. Redis is real; the service stands in.
import { expect, test } from 'vitest'
import { keyChangeChannel } from '#contract/internal/gateway-endpoints.ts'
import { openRedisPublisher, openRedisSubscriber, type RedisSubscriber } from '#runtime/redis.ts'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'
import { startEdge, type Edge } from '../support/edge.ts'

const keysMax = 6
const path = '/api/v1/me'

/** Three gateways of one service. `publish` tells them of a change. */
async function threeGateways(url: string) {
  const channel = keyChangeChannel(`test-${crypto.randomUUID()}`)
  const subscribers: RedisSubscriber[] = []
  const listen: Parameters<typeof startEdge>[0] = {
    listen: (on) => {
      const subscriber = openRedisSubscriber(url, channel, { ...on, error: () => {} })
      subscribers.push(subscriber)
      return subscriber
    },
  }
  const first = await startEdge(listen)
  const others = [first.service.url, first.service.url].map((service) => startEdge({ ...listen, services: [service] }))
  const gateways = [...(await Promise.all(others)), first]
  const publisher = openRedisPublisher(url, channel, () => {})
  await eventually(() => publisher.isConnected() && subscribers.every((each) => each.isConnected()), 'Redis')
  return {
    gateways,
    service: first.service,
    publish: (id: string, version: number) => publisher.publish(JSON.stringify({ kind: 'api-key', id, version })),
    [Symbol.asyncDispose]: async () => {
      await publisher.close()
      for (const gateway of gateways) await gateway[Symbol.asyncDispose]()
    },
  }
}

/** Calls without a pause until `stop`; notes of each call when it began and how it was answered. */
function load({ call }: Edge, token: string) {
  const answers: { readonly beganAt: number; readonly status: number }[] = []
  let isStopped = false
  const done = (async () => {
    while (!isStopped) {
      const beganAt = performance.now()
      answers.push({ beganAt, status: (await call('GET', path, { token })).status })
    }
  })()
  return { answers, stop: () => ((isStopped = true), done) }
}

test.skipIf(services().redis === null)(
  'under load at three gateways, what is revoked is refused at each of them, and never let through again',
  async () => {
    await using system = await threeGateways(services().redis!)
    const { gateways, service, publish } = system
    const acceptedAfter: number[] = []

    for (let revoked = 0; revoked < keysMax; revoked++) {
      const { token, record } = service.key({ version: 1 })
      const loads = gateways.map((gateway) => load(gateway, token))
      await eventually(() => loads.every(({ answers }) => answers.length > 2), 'load')

      Object.assign(record, { version: 2, revokedAt: new Date().toISOString() })
      publish(record.id, 2)
      const confirmedAt = performance.now()

      const refusals = ({ answers }: ReturnType<typeof load>) => answers.filter(({ status }) => status === 401).length
      await eventually(() => loads.every((each) => refusals(each) > 5), 'each gateway refuses the key')
      await Promise.all(loads.map(({ stop }) => stop()))
      for (const { answers } of loads) {
        const firstRefused = answers.findIndex(({ status }) => status === 401)
        expect(answers.slice(firstRefused).every(({ status }) => status === 401)).toBe(true)
        expect(answers.slice(0, firstRefused).every(({ status }) => status === 200)).toBe(true)
        acceptedAfter.push(answers.filter(({ beganAt, status }) => beganAt > confirmedAt && status === 200).length)
      }
    }

    // A call may overtake the message on its way through Redis; a gateway that had to wait for its poll lets through
    // hundreds.
    expect(acceptedAfter.toSorted((a, b) => a - b)[Math.floor(acceptedAfter.length / 2)]).toBeLessThan(10)
  },
)
