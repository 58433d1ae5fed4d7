// Keys revoked one after another while three gateways serve them without a pause. Redis is real; the service stands in.
import { expect, test } from 'vitest'
import { keyChangeChannel } from '#contract/internal/gateway-endpoints.ts'
import { openRedisPublisher, openRedisSubscriber } from '#runtime/redis.ts'
import type { GatewayOptions } from '../../../gateway/server.ts'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'
import { startEdge, type Edge } from '../support/edge.ts'

const keysMax = 6
const path = '/api/v1/me'

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
    await using opened = new AsyncDisposableStack()
    const [url, channel] = [services().redis!, keyChangeChannel(`test-${crypto.randomUUID()}`)]
    const links: { isConnected(): boolean }[] = []
    const listen: GatewayOptions['listen'] = (on) => {
      const subscriber = openRedisSubscriber(url, channel, { ...on, error: () => {} })
      links.push(subscriber)
      return subscriber
    }
    const one = opened.use(await startEdge({ listen }))
    const gateways = [one]
    for (const services of [[one.service.url], [one.service.url]])
      gateways.push(opened.use(await startEdge({ listen, services })))
    const publisher = openRedisPublisher(url, channel, () => {})
    opened.defer(publisher.close)
    await eventually(() => [publisher, ...links].every((each) => each.isConnected()), 'Redis')
    const acceptedAfter: number[] = []

    for (let revoked = 0; revoked < keysMax; revoked++) {
      const { token, record } = one.service.key({ version: 1 })
      const loads = gateways.map((gateway) => load(gateway, token))
      await eventually(() => loads.every(({ answers }) => answers.length > 2), 'load')

      Object.assign(record, { version: 2, revokedAt: new Date().toISOString() })
      publisher.publish(JSON.stringify({ kind: 'api-key', id: record.id, version: 2 }))
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
