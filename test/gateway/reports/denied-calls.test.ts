// Refused calls of known keys, counted for the audit log. Which are: test/gateway/refusals/refused-calls.test.ts.
import { expect, test } from 'vitest'
import { Fault } from '#contract/faults/fault.ts'
import type { DeniedCall } from '#contract/internal/reports.ts'
import { getMe } from '#contract/me.ts'
import { openDeniedCalls } from '../../../gateway/reports/denied-calls.ts'
import { openContext, type IncomingCall } from '../../../gateway/request/request-context.ts'
import { workspaceA } from '../support/service.ts'

const deniedCall = (
  keyId: string,
  more: Partial<IncomingCall['context']> = {},
): Parameters<ReturnType<typeof openDeniedCalls>['record']> => {
  const context = Object.assign(openContext('r', null), { keyId, ...more })
  const request = { method: 'GET', query: '', headers: {}, rawHeaders: [], address: null, bytesCome: async () => false }
  return [new Fault('ip_not_allowed', ''), { call: { ...request, context }, surface: 'http', operation: getMe }]
}

function collected() {
  const parts: (readonly DeniedCall[])[] = []
  const dropped: number[] = []
  const on = { error: () => {}, dropped: (count: number) => void dropped.push(count) }
  return { log: openDeniedCalls(async ({ items }) => void parts.push(items), on), parts, dropped }
}

test('equal ones are one with a count, which keeps the first request id', async () => {
  const { log, parts } = collected()
  const ofA = [{ requestId: 'first' }, { requestId: 'second' }, { requestId: 'third', workspaceId: workspaceA }]

  for (const more of ofA) log.record(...deniedCall('a', more))
  await log.close()

  const told = parts.flat().map(({ requestId, count, workspaceId }) => `${requestId} ${count} ${workspaceId}`)
  expect(told).toEqual(['first 2 null', `third 1 ${workspaceA}`])
})

test('many are posted in parts; beyond 5,000 kinds only known kinds go on counting, and the number of the others is reported', async () => {
  const { log, parts, dropped } = collected()

  for (let n = 0; n < 5_010; n++) log.record(...deniedCall(`k${n}`))
  log.record(...deniedCall('k0'))
  await log.close()

  expect(parts.flat()).toHaveLength(5_000)
  expect(Math.max(...parts.map(({ length }) => length))).toBe(200)
  expect(parts.flat().find(({ keyId }) => keyId === 'k0')?.count).toBe(2)
  expect(dropped).toEqual([10])
})
