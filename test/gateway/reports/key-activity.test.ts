// What keys were used for, and how they were answered, reaches the service once, in a bounded number of words.
import { expect, test } from 'vitest'
import { keptRequestsMax } from '#contract/usage.ts'
import { latencyBoundsMs, latencyBucketsCount, type KeyActivity, type KeyUsage } from '#contract/internal/reports.ts'
import { parseAddress } from '#runtime/ip-address.ts'
import { activityCounter } from '../../../gateway/reports/key-activity.ts'
import { usageCounter } from '../../../gateway/reports/key-usage.ts'
import type { FinishedRequest } from '../../../gateway/request/request-log.ts'
import { eventually } from '../../support/eventually.ts'
import { startEdge } from '../support/edge.ts'

const listing = { operation: 'tasks.list', surface: 'http' }
type Answered = Partial<Pick<FinishedRequest, 'status' | 'ownMs' | 'upstreamMs'>>
type Asked = { readonly keyId?: string | null; readonly requestId?: string; readonly tool?: string | null }

function answered({ keyId = 'k', requestId = 'r', tool = null, ...more }: Answered & Asked = {}): FinishedRequest {
  const context = { keyId, requestId, tool, workspaceId: 'w', address: parseAddress('192.0.2.1') }
  const route = '/api/v1/tasks'
  return { context, method: 'GET', route, status: 200, ms: 4, ownMs: 1, upstreamMs: 2, ...more } as FinishedRequest
}

function counting(options: { everyMs?: number; maxKeys?: number; maxHeld?: number } = {}) {
  const state = { now: Date.parse('2026-11-22T12:00:00.000Z') }
  const reports: (readonly KeyActivity[])[] = []
  const dropped: number[] = []
  const counter = activityCounter(
    async ({ items }) => void reports.push(items),
    { error: () => {}, dropped: (count) => dropped.push(count) },
    { everyMs: 60_000, ...options, now: () => state.now },
  )
  return { ...counter, state, reports, dropped, items: () => reports.flat() }
}

test('requests are told by status, latency and operation, with the last of them', async () => {
  const { count, close, items } = counting()
  for (const status of [200, 201, 304, 404, 429, 499, 500, 503])
    count(answered({ status, requestId: `r${status}` }), listing)
  count(answered({ tool: 'tasks.list', ownMs: 0.2, upstreamMs: null }), { operation: 'mcp', surface: 'mcp' })
  count(answered({ ownMs: 30_000 }), listing)
  await close()

  const latency = Array<number>(latencyBucketsCount).fill(0)
  Object.assign(latency, { 0: 1, [latencyBoundsMs.findIndex((bound) => bound >= 3)]: 8, [latencyBoundsMs.length]: 1 })
  const [statuses, listed] = [[4, 1, 2, 1, 2], { operation: 'tasks.list', surface: 'http', requests: 9, failed: 5 }]
  const operations = [listed, { operation: 'tasks.list', surface: 'mcp', requests: 1, failed: 0 }]
  const until = '2026-11-22T12:00:00.000Z'
  expect(items()).toMatchObject([{ keyId: 'k', until, statuses, latency, operations }])
  const asked = { method: 'GET', path: '/api/v1/tasks', operation: 'tasks.list', surface: 'http', status: 200, ms: 3 }
  const from = { ip: '192.0.2.1', requestId: 'r200', workspaceId: 'w' }
  expect(items()[0]?.requests[0]).toEqual({ at: '2026-11-22T11:59:59.996Z', ...asked, ...from })
})

test('of a busy key the last requests are held, and counted are all', async () => {
  const { count, close, items } = counting()
  for (let n = 0; n < 1_234; n++) count(answered({ requestId: `r${n}` }), listing)
  await close()

  const [activity] = items()
  const numbers = activity!.requests.map(({ requestId }) => Number(requestId.slice(1))).toSorted((a, b) => a - b)
  expect(numbers).toEqual(Array.from({ length: keptRequestsMax }, (_, n) => 1_234 - keptRequestsMax + n))
  expect(activity!.statuses[0]).toBe(1_234)
})

test('what all keys hold together has a bound, and their counts do not suffer from it', async () => {
  const { count, flush, items } = counting({ maxHeld: 3 })
  for (let n = 0; n < 4; n++)
    for (const keyId of ['a', 'b', 'c', 'd']) count(answered({ keyId, requestId: `${n}` }), listing)
  await flush()
  count(answered({ keyId: 'd' }), listing)
  await flush()

  const ids = (requests: KeyActivity['requests']) => requests.map(({ requestId }) => requestId).join()
  const told = items().map(({ keyId, statuses, requests }) => `${keyId} ${statuses[0]} ${ids(requests)}`)
  expect(told).toEqual(['a 4 3', 'b 4 3', 'c 4 3', 'd 4 ', 'd 1 r'])
})

test('neither the operator nor who has no key is counted, and a token in a request id does not get through', async () => {
  const { count, close, items } = counting()
  count(answered({ requestId: `wsk_${'a'.repeat(43)}_000000` }), listing)
  count(answered({ keyId: 'operator' }), { operation: 'api-keys.list', surface: 'settings' })
  count(answered({ keyId: null }), listing)
  count(answered(), { operation: 'none', surface: 'none' })
  await close()

  expect(items()).toMatchObject([{ keyId: 'k', requests: [{}] }])
  expect(JSON.stringify(items())).not.toContain('a'.repeat(20))
})

test('more keys than there is room for go uncounted and are told of; idle ones make room', async () => {
  const { count, flush, items, dropped, state } = counting({ maxKeys: 2 })
  for (const keyId of ['a', 'b', 'c', 'c']) count(answered({ keyId }), listing)
  await flush()
  expect([items().map(({ keyId }) => keyId), dropped]).toEqual([['a', 'b'], [2]])

  state.now += 600_000
  count(answered({ keyId: 'b' }), listing)
  await flush()
  count(answered({ keyId: 'c' }), listing)
  await flush()
  expect(items().map(({ keyId }) => keyId)).toEqual(['a', 'b', 'b', 'c'])
})

test('many keys are told in parts', async () => {
  const { count, close, reports } = counting()
  for (let key = 0; key < 450; key++) count(answered({ keyId: `k${key}` }), listing)
  for (let key = 0; key < 50; key++)
    for (let n = 0; n < keptRequestsMax; n++) count(answered({ keyId: `busy${key}` }), listing)
  await close()

  expect(reports.map((items) => items.length)).toEqual([200, 200, 69, 20, 11])
})

const use = { calls: 1, address: parseAddress('192.0.2.1'), userAgent: 'test' }
const counters = {
  requests: () => {
    const { count, state, items, close } = counting({ everyMs: 5 })
    const told = () => items().map(({ keyId, statuses }) => `${keyId} ${statuses[0]}`)
    return { state, told, close, count: (keyId: string) => count(answered({ keyId }), listing) }
  },
  use: () => {
    const [state, reported] = [{ now: 0 }, [] as KeyUsage[]]
    const send = async ({ items }: { readonly items: readonly KeyUsage[] }) => void reported.push(...items)
    const { count, close } = usageCounter(send, () => {}, { everyMs: 5, now: () => state.now })
    const told = () => reported.map(({ keyId, requests }) => `${keyId} ${requests}`)
    return { state, told, close, count: (keyId: string) => count({ ...use, keyId }) }
  },
}

test.each(Object.entries(counters))(
  'the first %s of a key is told at the next interval, and after that once a minute',
  async (_what, counter) => {
    const { count, state, told, close } = counter()
    count('k')
    await eventually(() => told().length === 1, 'the first')

    state.now += 59_999
    for (const keyId of ['k', 'k', 'other']) count(keyId)
    await eventually(() => told().length === 2, 'the first of another key')
    expect(told()).toEqual(['k 1', 'other 1'])
    state.now += 1
    await eventually(() => told().length === 3, 'the rest of the minute')

    expect(told().at(-1)).toBe('k 2')
    await close()
  },
)

test.each(['of this release', 'that does not know how requests were answered'])(
  'when a gateway closes, a service %s has been told what each key was used for, without queries',
  async (which) => {
    const edge = await startEdge()
    const { token, record } = edge.service.key()
    const isOld = which !== 'of this release'
    if (isOld) edge.service.unknownPaths.add('/internal/key-activity')
    const called = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'whoami', arguments: {} } }

    await edge.call('GET', '/api/v1/projects?q=secret-words', { token, headers: { 'x-request-id': 'first' } })
    await edge.call('GET', '/api/v1/webhooks', { token })
    await edge.call('POST', '/api/mcp', { token, body: called })
    await edge.call('POST', '/api/mcp', { token, body: [1, 2, 3], headers: { 'user-agent': 'u'.repeat(300) } })
    await edge[Symbol.asyncDispose]()

    const { usage, activity } = edge.service
    const last = { lastUsedAt: expect.any(String), lastUsedIp: '127.0.0.1', lastUsedUserAgent: 'u'.repeat(200) }
    expect(usage).toEqual([{ keyId: record.id, requests: 6, ...last }])
    const of = (operation: string, surface: string, failed = 0) => ({ operation, surface, requests: 1, failed })
    const [listed, hooks] = [of('projects.list', 'http'), of('webhooks.list', 'http', 1)]
    const operations = [listed, hooks, of('whoami', 'mcp'), { surface: 'mcp', requests: 1 }]
    const asked = [{ path: '/api/v1/projects', requestId: 'first', status: 200 }, { status: 403 }]
    const requests = [...asked, { path: '/api/mcp' }, { path: '/api/mcp' }]
    const counted = { keyId: record.id, statuses: [3, 0, 1, 0, 0], operations, requests }
    expect(activity).toMatchObject(isOld ? [] : [counted])
    expect([activity.length, JSON.stringify(activity).includes('secret-words')]).toEqual([isOld ? 0 : 1, false])
  },
)
