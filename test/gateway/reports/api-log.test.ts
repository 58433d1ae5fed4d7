// Which calls the gateway keeps for the API log, what it says about them, and how much of it there may be.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callsPerReportMax, outcomeText, type ReportedCall } from '#contract/internal/api-calls.ts'
import { Fault } from '#contract/faults/fault.ts'
import { parseAddress } from '#runtime/ip-address.ts'
import { openApiLog } from '../../../gateway/reports/api-log.ts'
import {
  CallSampler,
  keptOneIn,
  secondsPerHourMax,
  workspacesPerSecondMax,
} from '../../../gateway/reports/call-budget.ts'
import { openContext } from '../../../gateway/request/request-context.ts'
import type { FinishedRequest } from '../../../gateway/request/request-log.ts'

const start = Date.parse('2026-11-22T12:00:00.000Z')
const id = '0192f0c1-0000-7000-8000-00000000000a'
const listing = { operation: 'tasks.list', surface: 'http', changes: false }
const creating = { ...listing, operation: 'tasks.create', changes: true }
const mcp = { operation: 'mcp', surface: 'mcp', changes: false }

type More = Partial<Omit<FinishedRequest, 'context'>> & { readonly context?: object; readonly requestId?: string }

function finished({ context = {}, requestId = 'r', ...more }: More = {}): FinishedRequest {
  const opened = openContext(requestId, parseAddress('192.0.2.1'))
  Object.assign(opened, { keyId: 'k', workspaceId: 'w', ...context })
  const times = { ms: 40, ownMs: 1, upstreamMs: 2.04 }
  const asked = { method: 'GET', url: '/api/v1/tasks?q=hidden', route: '/api/v1/tasks', status: 200 }
  return { ...asked, ...times, code: null, fault: null, ...more, context: opened } as FinishedRequest
}

const plenty = { apiLogReadsPerSecond: 1_000, apiLogOthersPerSecond: 1_000 }

function logging(budgets = plenty, maxHeld = 20_000) {
  const state = { now: start, failing: false }
  const reports: (readonly ReportedCall[])[] = []
  const dropped: number[] = []
  const log = openApiLog(
    async ({ items }) => {
      if (state.failing) throw new Error('away')
      reports.push(items)
    },
    { error: () => {}, dropped: (count) => dropped.push(count) },
    budgets,
    { everyMs: 60_000, maxHeld, now: () => state.now },
  )
  return { ...log, state, reports, dropped, kept: () => reports.flat() }
}

test('a call is kept with what it was and how it was answered, without its query', async () => {
  const { record, close, kept } = logging()

  record(finished(), listing)
  await close()

  expect(kept()).toEqual([
    {
      ...{ keyId: 'k', workspaceId: 'w', at: '2026-11-22T11:59:59.960Z', method: 'GET', path: '/api/v1/tasks' },
      ...{ operation: 'tasks.list', surface: 'http', isRead: true, status: 200, ms: 3, ip: '192.0.2.1' },
      ...{ requestId: 'r', objectId: null, code: null, detail: null, leftOut: 0 },
    },
  ])
})

test('of a path only ids and keys such as WEB-42 are kept; the last id is the object', async () => {
  const { record, close, kept } = logging()
  const route = '/api/v1/projects/{id}/comments/{commentId}'
  const at = (first: string, second: string) =>
    record(finished({ route, url: `/api/v1/projects/${first}/comments/${second}?x=1` }), listing)

  at(id.toUpperCase(), 'my-password')
  at('WEB-42', id)
  await close()

  expect(kept().map(({ path, objectId }) => [path, objectId])).toEqual([
    [`/api/v1/projects/${id}/comments/{commentId}`, id],
    [`/api/v1/projects/WEB-42/comments/${id}`, id],
  ])
})

test('whatever stands in an address, nothing of it but ids and keys is kept', async () => {
  const { record, close, kept } = logging()
  const route = '/api/v1/tasks/{id}'
  const spelt = fc.stringMatching(/^[abcXYZ019_.%~:-]*$/).filter((text) => !/^[a-z]+-\d+$/i.test(text))

  fc.assert(fc.property(spelt, (text) => record(finished({ route, url: `/api/v1/tasks/${text}?${text}` }), listing)))
  await close()

  expect(new Set(kept().map(({ path }) => path))).toEqual(new Set([route]))
})

test('a refusal of the gateway is kept with its code and what the caller was told, secrets masked', async () => {
  const { record, close, kept } = logging()
  const token = `wsk_abcdefgh_${'x'.repeat(32)}`
  const refused = (fault: Fault) => finished({ status: fault.status, code: fault.code, fault, requestId: token })

  record(refused(new Fault('insufficient_scope', `The request requires the scope tasks:read, ${token}.`)), listing)
  const errors = [{ parameter: 'limit', code: 'too_large', detail: 'Not 4711.' }] as const
  record(refused(new Fault('invalid_parameter', 'limit: Not 4711.', { errors })), listing)
  record(finished({ status: 499, code: 'client_closed_request' }), listing)
  await close()

  expect(kept()).toMatchObject([
    {
      code: 'insufficient_scope',
      detail: 'The request requires the scope tasks:read, wsk_abcdefgh_[redacted].',
      isRead: false,
    },
    { code: 'invalid_parameter', detail: 'limit: too_large' },
    { status: 499, code: 'client_closed_request', detail: null, isRead: false },
  ])
  expect(JSON.stringify(kept())).not.toContain('x'.repeat(32))
})

test('what the service says of its answer is kept: the object that was made, and why it refused, also in a result of MCP', async () => {
  const { record, close, kept } = logging()
  const outcome = (parts: Parameters<typeof outcomeText>[0]) => ({ context: { outcome: outcomeText(parts) } })

  record(finished({ method: 'POST', status: 201, ...outcome({ objectId: id }) }), creating)
  record(finished({ status: 404, ...outcome({ code: 'not_found', detail: 'No “Ä;B” 100%.' }) }), listing)
  const called = { tool: 'tasks.get', objectId: id }
  record(finished({ method: 'POST', context: { ...outcome({ code: 'not_found' }).context, ...called } }), mcp)
  record(finished({ method: 'POST', context: { ...called, toolChanges: true } }), mcp)
  record(finished({ method: 'POST', context: called }), mcp)
  await close()

  const shown = kept().map(({ operation, objectId, code, detail, isRead }) => [
    ...[operation, objectId === id, code, detail, isRead],
  ])
  expect(shown).toEqual([
    ['tasks.create', true, null, null, false],
    ['tasks.list', false, 'not_found', 'No “Ä;B” 100%.', false],
    ['tasks.get', true, 'not_found', null, false],
    ['tasks.get', true, null, null, false],
    ['tasks.get', true, null, null, true],
  ])
})

test('calls without a key, of the settings and of pages are not kept, nor is reading the log, unless it is refused', async () => {
  const { record, close, kept } = logging()

  record(finished({ context: { keyId: null } }), listing)
  for (const surface of ['settings', 'public', 'none']) record(finished(), { ...listing, surface })
  const reading = { ...listing, operation: 'requests.list' }
  record(finished(), reading)
  record(finished({ status: 403, code: 'insufficient_scope' }), reading)
  await close()

  expect(kept()).toMatchObject([{ operation: 'requests.list', status: 403 }])
})

test('beyond the budget of its workspace one read in a hundred is kept and says how many were not; changes, refusals and other workspaces have their own', async () => {
  const { record, close, kept, stats, state } = logging({ apiLogReadsPerSecond: 3, apiLogOthersPerSecond: 5 })

  for (let n = 0; n < 250; n++) record(finished(), listing)
  for (let n = 0; n < 4; n++) record(finished({ status: 429, code: 'rate_limited' }), listing)
  record(finished({ context: { workspaceId: 'other' } }), listing)
  state.now += 1_000
  record(finished(), listing)
  await close()

  const of = (isRead: boolean) => kept().filter((call) => call.isRead === isRead && call.workspaceId === 'w')
  expect(of(true).map(({ leftOut }) => leftOut)).toEqual([0, 0, 0, 99, 99, 47])
  expect(of(false)).toHaveLength(4)
  expect(kept().filter(({ workspaceId }) => workspaceId === 'other')).toHaveLength(1)
  expect(stats()).toEqual({ leftOut: 245, dropped: 0 })
})

test('with a budget of 0 nothing is kept', async () => {
  const { record, close, kept, stats } = logging({ apiLogReadsPerSecond: 0, apiLogOthersPerSecond: 0 })

  for (const status of [200, 404]) record(finished({ status }), listing)
  await close()

  expect([kept(), stats()]).toEqual([[], { leftOut: 0, dropped: 0 }])
})

test('whatever the times, a workspace has no more in an hour than its budget and one in a hundred, and none is uncounted', () => {
  const gaps = fc.array(fc.nat({ max: 40 }), { minLength: 500, maxLength: 2_000 })

  fc.assert(
    fc.property(gaps, fc.integer({ min: 1, max: 3 }), (waits, perSecond) => {
      const sampler = new CallSampler({ apiLogReadsPerSecond: perSecond, apiLogOthersPerSecond: 1 })
      let now = 0
      const taken = waits.map((wait) => sampler.take('w', true, (now += wait)))
      const kept = taken.filter((before) => before !== null)
      const since = taken.length - 1 - taken.findLastIndex((before) => before !== null)
      const seconds = Math.floor(now / 1_000) + 1
      expect(kept.length).toBeLessThanOrEqual(perSecond * seconds + Math.ceil(taken.length / keptOneIn))
      expect(kept.reduce((sum, before) => sum + before + 1, 0)).toBe(taken.length - since)
    }),
    { numRuns: 30 },
  )
})

test('an hour has room for 600 seconds of the budget', () => {
  const sampler = new CallSampler({ apiLogReadsPerSecond: 1, apiLogOthersPerSecond: 1 })

  const taken = Array.from({ length: 3_601 }, (_, second) => sampler.take('w', true, second * 1_000))

  const kept = taken.slice(0, 3_600).filter((before) => before === 0)
  expect(kept).toHaveLength(secondsPerHourMax)
  expect(taken.at(-1)).toBe((3_600 - secondsPerHourMax) % keptOneIn)
})

test('all workspaces together have a budget in a second; beyond it one in a hundred of each is kept', () => {
  const sampler = new CallSampler({ apiLogReadsPerSecond: 2, apiLogOthersPerSecond: 1 })
  const round = (at: number, times: number) =>
    Array.from({ length: 100 * times }, (_, n) => sampler.take(`w${n % 100}`, true, at)).filter((each) => each !== null)

  const most = 2 * workspacesPerSecondMax
  expect([round(1_000, 1).length, round(2_000, 2).length]).toEqual([most, most])
  expect(sampler.take('other', false, 2_000)).toBe(0)
  // Those without room have left out 299 by then, of which two were kept; the first forty are kept again as well.
  expect(round(2_999, 200).length).toBe(200)
})

test('while the service is away calls are held up to a bound, those beyond are dropped and counted, and what is held is reported later', async () => {
  const { record, flush, close, state, reports, dropped, stats } = logging(plenty, 700)
  state.failing = true
  for (let n = 0; n < 800; n++) record(finished({ requestId: `r${n}` }), listing)
  await flush()
  state.failing = false
  await close()

  expect(reports.map(({ length }) => length)).toEqual([callsPerReportMax, callsPerReportMax, 100])
  expect(reports.flat().at(-1)?.requestId).toBe('r699')
  expect([dropped, stats().dropped]).toEqual([[100], 100])
})
