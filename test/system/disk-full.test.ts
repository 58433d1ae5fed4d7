// The disk of the database is full: who writes is told so, who reads is served, and it shows.
import { expect, onTestFinished, test } from 'vitest'
import { serveMetrics } from '#runtime/metrics/metrics-server.ts'
import { figure, scrape } from '../support/exposition.ts'
import { fillDisk } from '../support/full-disk.ts'
import { describeMode, must, startSystem } from '../support/system.ts'

describeMode('a full disk', 'distributed', (mode) => {
  test('is 503 with its own code for who writes, and nothing is half done; who reads is served; figures show it', async () => {
    await using system = await startSystem(mode)
    const tenant = await system.tenant()
    const metrics = await serveMetrics({ host: '127.0.0.1', metricsPort: 0 }, system.metrics)
    onTestFinished(metrics.close)
    const storage = async () => figure(await scrape(metrics.url!), 'service_dependency_up', { dependency: 'storage' })
    const made = must(await tenant.api('POST', '/api/v1/projects', { name: 'Before' }))
    expect(await storage()).toBe(1)

    const full = await fillDisk(system.db, 'project')
    const answers = [
      await tenant.api('POST', '/api/v1/projects', { name: 'Meanwhile' }),
      await tenant.api('PATCH', `/api/v1/projects/${made.id}`, { name: 'Meanwhile' }),
    ]

    for (const { status, body, headers } of answers) {
      expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'storage_full', '30'])
      expect(body.detail).not.toContain('base/')
    }
    expect(must(await tenant.api('GET', `/api/v1/projects/${made.id}`))).toMatchObject({ name: 'Before', version: 1 })
    expect(await storage()).toBe(0)

    await full[Symbol.asyncDispose]()
    must(await tenant.api('POST', '/api/v1/projects', { name: 'After' }))
    const { data } = must(await tenant.api('GET', '/api/v1/projects'))
    expect(data.map(({ name }: { name: string }) => name).toSorted()).toEqual(['After', 'Before'])
  })
})
