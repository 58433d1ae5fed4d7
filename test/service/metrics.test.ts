// What waits in the outbox, where nobody takes it. All other figures of the service are in test/system/metrics.test.ts.
import { expect, onTestFinished, test } from 'vitest'
import { serveMetrics } from '#runtime/metrics/metrics-server.ts'
import { eventually } from '../support/eventually.ts'
import { figure, scrape } from '../support/exposition.ts'
import { quietService } from './quiet-service.ts'

test('events that nobody has taken are counted, with the age of the oldest', async () => {
  await using service = await quietService('pglite')
  const metrics = await serveMetrics({ host: '127.0.0.1', metricsPort: 0 }, [service.metrics])
  onTestFinished(metrics.close)
  const shown = async (name: string) => figure(await scrape(metrics.url!), `service_outbox_${name}`)
  expect(await shown('rows')).toBe(0)

  await service.call('POST', '/projects', { name: 'Waits' })

  await eventually(async () => (await shown('rows')) === 1, 'one waits')
  await eventually(async () => (await shown('oldest_seconds')) > 0, 'it grows old')
})
