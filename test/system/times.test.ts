// Times over HTTP and MCP. Each place that takes one is seen in test/service/text/characters-and-times.test.ts.
import { expect, test } from 'vitest'
import { callTool } from '../support/mcp.ts'
import { describeOnce, sharedSystem } from '../support/system.ts'

const clock = '2026-03-29T12:00:00'
/** From 16 hours on, the database’s own reading of offsets ends. */
const taken = [
  ...['+00:00', '-15:59', '+16:00', '+23:59', '-23:59', '.123456789+23:59'].map((offset) => clock + offset),
  ...['0001-01-02T00:00:00+23:59', '9999-12-30T23:59:59.999-23:59', '2026-03-29t12:00:00z'],
]

describeOnce('times', (mode) => {
  const { tenant } = sharedSystem(mode)

  test.each([
    // A plus sign that was not encoded.
    ['tasks?createdAfter', `${clock}+02:00`, '%2B'],
    ['tasks/count?updatedBefore', `${clock}+02:00`, '%2B'],
    ['events?occurredAfter', `${clock}+02:00`, '%2B'],
    ['tasks?createdAfter', '2016-12-31T23:59:60Z', 'Leap seconds'],
    ['tasks?createdAfter', '9999-12-31T23:59:59-01:00', '0001 to 9999'],
    ['tasks?createdAfter', 'yesterday', 'RFC 3339'],
  ])('%s=%s is refused with what to send: %s', async (path, time, said) => {
    const { status, body } = await tenant.api('GET', `/api/v1/${path}=${time}`)

    expect([status, body.errors]).toMatchObject([400, [{ parameter: path.split('?')[1], code: 'wrong_format' }]])
    expect(body.detail).toContain(said)
  })

  test('the database takes every offset and year, of a filter and of the tool that lists changes', async () => {
    for (const since of [...taken, '0001-01-01', '9999-12-31'])
      expect((await callTool(tenant, 'changes.list', { since })).isError, since).toBe(false)
    for (const time of taken) {
      const { status } = await tenant.api('GET', `/api/v1/tasks?createdAfter=${encodeURIComponent(time)}`)
      expect([time, status]).toEqual([time, 200])
    }
    expect(await callTool(tenant, 'changes.list', { since: '2016-12-31T23:59:60Z' })).toMatchObject({ isError: true })
  })
})
