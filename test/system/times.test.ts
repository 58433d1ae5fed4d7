// Times in parameters and bodies, in every operation of the contract that takes one: whatever RFC 3339 allows is taken
// or refused by name, and is the same moment however it is written. No text of a time reaches a database that cannot
// read it.
import { describe, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { isOfOperator, type Operation } from '#contract/operation.ts'
import { requestOf } from '../support/arbitrary/http-request.ts'
import { timePlaces, type Place } from '../support/input-pointers.ts'
import { callTool } from '../support/mcp.ts'
import { modes, must, sharedSystem, type Answer } from '../support/system.ts'

const clock = '2026-03-29T12:00:00'
/** From here the database's own reading of offsets ends: 16 hours. */
const offsets = ['00:00', '00:01', '05:45', '15:59', '16:00', '23:59'].flatMap((each) => [`+${each}`, `-${each}`])
const taken = [
  ...offsets.map((offset) => clock + offset),
  ...['2026-03-29t12:00:00z', '2026-03-29 12:00:00Z', `${clock}.123456789+23:59`, '2024-02-29T23:59:59-23:59'],
  ...['0001-01-01T00:00:00Z', '0001-01-02T00:00:00+23:59', '9999-12-31T23:59:59Z', '9999-12-30T23:59:59.999-23:59'],
]
const refused = [
  ...['2016-12-31T23:59:60Z', '2016-12-31T23:59:60.5+16:00', '0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01'],
  ...['0000-12-31T23:59:59Z', '2026-02-29T00:00:00Z', `${clock}+24:00`, `${clock}-23:60`, `${clock}+99:99`, clock],
  ...[`${clock}.1234567890Z`, '2026-03-29T24:00:00Z', '2026-03-29', '1774785600', 'infinity', 'now'],
]

type Taking = readonly [string, Operation, Place]
const taking = operations
  .filter((each) => each.audiences.includes('api') || isOfOperator(each))
  .flatMap((operation) =>
    timePlaces(operation.input).map((place): Taking => [`${operation.name} ${place.pointer}`, operation, place]),
  )

describe.each(modes.slice(-1))('times, %s', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  async function send(operation: Operation, { inputWith }: Place, time: string): Promise<Answer> {
    const audience = operation.audiences.includes('api') ? 'api' : 'settings'
    const input = inputWith(time) as Record<string, unknown>
    const { method, url, payload, headers } = requestOf(operation, input, audience, tenant.workspaceId)
    const send = audience === 'api' ? tenant.api : system.operator
    return send(method, url, payload, { ...headers })
  }

  const flawed = ({ body }: Answer, { pointer }: Place): { code: string; detail: string } | undefined =>
    (body?.errors ?? []).find(
      (each: { pointer?: string; parameter?: string }) => (each.pointer ?? `/${each.parameter}`) === pointer,
    )

  test('there are operations of each kind that take a time', () => {
    const known = 'tasks.list tasks.count events.list deliveries.list audit-entries.list api-keys.create members.list'
    const names = taking.map(([, { name }]) => name)
    expect(names).toEqual(expect.arrayContaining([...known.split(' '), 'deliveries.replay-many']))
  })

  test.each(taking)('%s takes every offset and year, and refuses by name what is no time', async (_name, ...taking) => {
    const answers = (times: readonly string[]) =>
      Promise.all(times.map(async (time) => ({ time, answer: await send(...taking, time) })))

    for (const { time, answer } of await answers(taken)) {
      expect(answer.status, time).toBeLessThan(500)
      // A key may not expire in the past: that is said of it, and not that it is no time.
      expect(flawed(answer, taking[1])?.code, time).not.toBe('wrong_format')
    }
    for (const { time, answer } of await answers(refused)) {
      expect([400, 422], time).toContain(answer.status)
      expect(flawed(answer, taking[1]), time).toMatchObject({ code: 'wrong_format' })
    }
  })

  test('a moment is the same in every offset', async () => {
    const { createdAt } = must(await tenant.api('POST', '/api/v1/projects', { name: 'Website' }))
    for (const offset of offsets) {
      const found = async (parameter: string, ms: number) => {
        const query = new URLSearchParams({ [parameter]: at(createdAt, ms, offset) })
        return must(await tenant.api('GET', `/api/v1/projects?${query.toString()}`)).data.length
      }

      expect([await found('createdAfter', -1), await found('createdAfter', 0)], offset).toEqual([1, 0])
      expect([await found('createdBefore', 1), await found('createdBefore', 0)], offset).toEqual([1, 0])
    }
  })

  test('a plus sign that was not encoded is refused with how to send it', async () => {
    for (const path of ['tasks?createdAfter', 'tasks/count?updatedBefore', 'events?occurredAfter']) {
      const { status, body } = await tenant.api('GET', `/api/v1/${path}=${clock}+02:00`)

      const errors = [{ parameter: path.split('?')[1], code: 'wrong_format' }]
      expect([status, body]).toMatchObject([400, { code: 'invalid_parameter', errors }])
      expect(body.detail).toContain('%2B')
      expect((await tenant.api('GET', `/api/v1/${path}=${clock}%2B02:00`)).status).toBe(200)
    }
  })

  test('the refusal of a leap second and of a year beyond all others says so', async () => {
    const detailOf = async (time: string) =>
      (await tenant.api('GET', `/api/v1/tasks?createdAfter=${encodeURIComponent(time)}`)).body.detail

    expect(await detailOf('2016-12-31T23:59:60Z')).toContain('Leap seconds')
    expect(await detailOf('9999-12-31T23:59:59-01:00')).toContain('0001 to 9999')
    expect(await detailOf('yesterday')).toContain('RFC 3339')
  })

  test('the tool that lists changes takes every offset too', async () => {
    for (const since of [...taken, '0001-01-01', '9999-12-31'])
      expect((await callTool(tenant, 'changes.list', { since })).isError ?? false, since).toBe(false)
    expect(await callTool(tenant, 'changes.list', { since: '2016-12-31T23:59:60Z' })).toMatchObject({ isError: true })
  })
})

/** The time with so many milliseconds more, as a clock with this offset shows it. */
function at(time: string, ms: number, offset: string): string {
  const [hours = 0, minutes = 0] = offset.slice(1).split(':').map(Number)
  const ahead = (hours * 60 + minutes) * 60_000 * (offset.startsWith('-') ? -1 : 1)
  return new Date(Date.parse(time) + ms + ahead).toISOString().replace('Z', offset)
}
