// A service that takes a call and breaks off before it has answered, beside another one that is well.
import { expect, test } from 'vitest'
import { startEdge } from '../support/edge.ts'
import { standIn } from '../support/service.ts'

/** No probe tells which of the two breaks off, so both get calls. */
const probing = { probeEveryMs: 60_000, probeWithinMs: 500, resolveEveryMs: 60_000 }

test('a write that may have arrived is sent to no other service, and a read is', async () => {
  const [well, breaking] = [await standIn(), await standIn()]
  await using edge = await startEdge({ services: [well.url, breaking.url], probing })
  const { token, record } = well.key()
  breaking.know(token, record)
  breaking.respond = (_request, response) => void response.destroy()
  const call = (method: string, body?: object) =>
    edge.call(method, '/api/v1/projects', { token, ...(body && { body }) })
  const arrived = (method: string) =>
    [well, breaking].map(({ calls }) => calls.filter((each) => each.method === method).length)

  const names = ['a', 'b', 'c', 'd']
  const writes: number[] = []
  for (const name of names) writes.push((await call('POST', { name })).status)
  const [writesOfWell = 0, writesOfBreaking = 0] = arrived('POST')
  const reads: number[] = []
  for (const _name of names) reads.push((await call('GET')).status)

  expect(writesOfBreaking).toBeGreaterThan(0)
  expect(writesOfWell + writesOfBreaking).toBe(names.length)
  expect(writes.filter((status) => status === 200)).toHaveLength(writesOfWell)
  expect(reads).toEqual([200, 200, 200, 200])
  await well.close()
  await breaking.close()
})
