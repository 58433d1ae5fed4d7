// Rolling restarts: each tier is replaced, process by process, while calls come in, and no call fails.
import { describe, expect, test } from 'vitest'
import { openBalancer } from '../support/load-balancer.ts'
import { clientOf, must } from '../support/client.ts'
import { openStores } from '../support/deployment.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { keepCalling, keysOf, roll, startPair, urlsOf } from '../support/rolling.ts'
import { modes } from '../support/system.ts'

/** Longer than balancer and gateways take to notice, on a busy machine too. */
const drainSeconds = '2'

describe.skipIf(!modes.includes('distributed'))('rolling restarts', () => {
  test(
    'of every tier under up to 40 calls a second: no call fails, no delivery is lost',
    { timeout: 420_000 },
    async () => {
      const stores = await openStores({ DRAIN_SECONDS: drainSeconds })
      await using undo = new AsyncDisposableStack()
      undo.defer(stores.close)
      const services = await startPair('service/main.ts', stores.env, undo)
      const urls = urlsOf(services).join(',')
      const gateways = await startPair('gateway/main.ts', { ...stores.env, SERVICE_URLS: urls }, undo)
      const dispatchers = await startPair('dispatcher/main.ts', stores.env, undo)
      await using receiver = await startReceiver()
      using balancer = openBalancer()
      for (const url of urlsOf(gateways)) await balancer.add(url)
      const tenant = await clientOf(balancer.next(), stores.operatorToken).tenant()

      const webhook = { name: 'w', url: receiver.url, eventTypes: ['projects.created'] }
      must(await tenant.api('POST', '/api/v1/webhooks', webhook))

      const calls = keepCalling(await keysOf(tenant), balancer.next)
      await calls.more(40)
      // Deliveries do not go through gateways, whose balancer knows nothing of dispatchers.
      await Promise.all([roll(gateways, balancer.takes), roll(dispatchers)])
      await roll(services)
      await calls.more(40)
      const answers = await calls.end()

      expect(answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([])
      const made = answers.flatMap(({ id }) => id ?? [])
      const delivered = () => new Set(receiver.calls.map(({ body }) => JSON.parse(body.toString()).resource.id))
      await eventually(() => made.every((id) => delivered().has(id)), 'every project to be delivered', 60_000)
      expect(must(await tenant.api('GET', '/api/v1/projects/count')).total).toBe(made.length)
    },
  )
})
