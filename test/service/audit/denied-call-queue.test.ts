import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { Fault } from '#contract/faults/fault.ts'
import type { Operation } from '#contract/operation.ts'
import type { DeniedCall } from '#contract/internal/reports.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { deniedCallOf, deniedCallQueue } from '../../../service/audit/denied-call-queue.ts'

const calledBy = (keyId: string, requestId = 'r-1'): DeniedCall => ({
  ...{ keyId, workspaceId: 'w', code: 'insufficient_scope', operation: 'projects.create', surface: 'mcp' },
  ...{ ip: null, userAgent: null, requestId, at: '2026-11-21T12:00:00.000Z', count: 1 },
})

const principal: Principal = {
  ...{ kind: 'api_key', id: 'k', name: 'Key', workspaceId: 'w', scopes: [], surface: 'mcp' },
  ...{ requestId: 'r-1', clientAddress: '192.0.2.1', userAgent: 'agent', quota: null },
}

const operation = operations.find(({ name }) => name === 'projects.create') as Operation

test('calls that are added while a write runs are written next, equal ones as one with a count', async () => {
  const written: DeniedCall[][] = []
  const first = Promise.withResolvers<void>()
  const queue = deniedCallQueue(
    async (calls) => {
      written.push([...calls])
      await first.promise
    },
    () => {},
  )

  queue.add(calledBy('a'))
  await Promise.resolve()
  for (const requestId of ['r-2', 'r-3', 'r-4']) queue.add(calledBy('a', requestId))
  queue.add(calledBy('b'))
  first.resolve()
  await queue.close()

  expect(written).toEqual([[calledBy('a')], [{ ...calledBy('a', 'r-2'), count: 3 }, calledBy('b')]])
})

test('no more than a thousand different calls wait; those beyond are passed to onLost with their count', async () => {
  let lost = 0
  const written: number[] = []
  const queue = deniedCallQueue(
    async (calls) => void written.push(calls.length),
    (count) => (lost += count),
  )

  for (let at = 0; at < 1_500; at += 1) queue.add(calledBy(`key-${at}`))
  queue.add(calledBy('key-0'))
  await queue.close()

  expect(written).toEqual([1_000])
  expect(lost).toBe(500)
})

test('a write that fails is passed to onLost and does not stop the next ones', async () => {
  const lost: unknown[] = []
  let writes = 0
  const queue = deniedCallQueue(
    async () => {
      writes += 1
      if (writes === 1) throw new Error('away')
    },
    (count, error) => lost.push([count, (error as Error).message]),
  )

  queue.add(calledBy('a'))
  await queue.close()
  queue.add(calledBy('b'))
  await queue.close()

  expect(lost).toEqual([[1, 'away']])
  expect(writes).toBe(2)
})

test('a missing scope of a key is a denied call; another fault, or another caller’s, is none', () => {
  const now = new Date('2026-11-21T12:00:00.000Z')
  const lacking = new Fault('insufficient_scope', 'No.')

  expect(deniedCallOf(lacking, operation, principal, now)).toEqual({
    ...{ keyId: 'k', workspaceId: 'w', code: 'insufficient_scope', operation: 'projects.create', surface: 'mcp' },
    ...{ ip: '192.0.2.1', userAgent: 'agent', requestId: 'r-1', at: now.toISOString(), count: 1 },
  })
  expect(deniedCallOf(new Fault('validation_failed', 'No.'), operation, principal, now)).toBeNull()
  expect(deniedCallOf(lacking, operation, { ...principal, kind: 'operator', surface: 'settings' }, now)).toBeNull()
})
