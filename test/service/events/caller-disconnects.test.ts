// A caller who disconnects while he waits for events.
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { eventually } from '../../support/eventually.ts'
import { quietService } from '../quiet-service.ts'

test('the wait ends when the caller disconnects, before its time is over', async () => {
  const waits: AbortSignal[] = []
  const waitForEvents = (_workspaceId: string, _sequence: number, until: AbortSignal) => {
    waits.push(until)
    return new Promise<boolean>((resolve) => until.addEventListener('abort', () => resolve(false)))
  }
  await using service = await quietService('pglite', { waitForEvents, notifyEvents: () => {} })
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.app.server.address() as AddressInfo
  const disconnect = new AbortController()
  const call = fetch(`http://127.0.0.1:${port}/api/v1/events?wait=20`, {
    headers: service.headersFor('GET', '/api/v1/events'),
    signal: disconnect.signal,
  })
  const until = await eventually(() => waits[0], 'the caller to wait')
  expect(until.aborted).toBe(false)

  disconnect.abort()

  await expect(call).rejects.toThrow('aborted')
  await eventually(() => until.aborted, 'the wait to end', 10_000)
})
