import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { Fault } from '#contract/fault.ts'
import type { Operation } from '#contract/operation.ts'
import type { DeniedCall } from '#contract/internal/gateway-reports.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { denialOf, denialQueue } from '../../../service/audit/denied-call-queue.ts'

const denial = (keyId: string, requestId = 'r-1'): DeniedCall => ({
  ...{ keyId, workspaceId: 'w', code: 'insufficient_scope', operation: 'projects.create', surface: 'mcp' },
  ...{ ip: null, userAgent: null, requestId, at: '2026-11-21T12:00:00.000Z', count: 1 },
})

const principal: Principal = {
  ...{ kind: 'api_key', id: 'k', name: 'Key', workspaceId: 'w', scopes: [], surface: 'mcp' },
  ...{ requestId: 'r-1', clientAddress: '192.0.2.1', userAgent: 'agent', quota: null },
}

const operation = operations.find(({ name }) => name === 'projects.create') as Operation

test('what is added while a write runs is written next, equal ones counted in one', async () => {
  const written: DeniedCall[][] = []
  const first = Promise.withResolvers<void>()
  const queue = denialQueue(
    async (denials) => {
      written.push([...denials])
      await first.promise
    },
    () => {},
  )

  queue.add(denial('a'))
  await Promise.resolve()
  for (const requestId of ['r-2', 'r-3', 'r-4']) queue.add(denial('a', requestId))
  queue.add(denial('b'))
  first.resolve()
  await queue.close()

  expect(written).toEqual([[denial('a')], [{ ...denial('a', 'r-2'), count: 3 }, denial('b')]])
})

test('no more than a thousand kinds wait; what does not fit is counted', async () => {
  let lost = 0
  const written: number[] = []
  const queue = denialQueue(
    async (denials) => void written.push(denials.length),
    (count) => (lost += count),
  )

  for (let at = 0; at < 1_500; at += 1) queue.add(denial(`key-${at}`))
  queue.add(denial('key-0'))
  await queue.close()

  expect(written).toEqual([1_000])
  expect(lost).toBe(500)
})

test('a write that fails is told and does not stop those after it', async () => {
  const told: unknown[] = []
  let writes = 0
  const queue = denialQueue(
    async () => {
      writes += 1
      if (writes === 1) throw new Error('away')
    },
    (count, error) => told.push([count, (error as Error).message]),
  )

  queue.add(denial('a'))
  await queue.close()
  queue.add(denial('b'))
  await queue.close()

  expect(told).toEqual([[1, 'away']])
  expect(writes).toBe(2)
})

test('a key that lacks a scope is a denial; any other refusal, and anybody else’s, is none', () => {
  const now = new Date('2026-11-21T12:00:00.000Z')
  const lacking = new Fault('insufficient_scope', 'No.')

  expect(denialOf(lacking, operation, principal, now)).toEqual({
    ...{ keyId: 'k', workspaceId: 'w', code: 'insufficient_scope', operation: 'projects.create', surface: 'mcp' },
    ...{ ip: '192.0.2.1', userAgent: 'agent', requestId: 'r-1', at: now.toISOString(), count: 1 },
  })
  expect(denialOf(new Fault('validation_failed', 'No.'), operation, principal, now)).toBeNull()
  expect(denialOf(lacking, operation, { ...principal, kind: 'operator', surface: 'settings' }, now)).toBeNull()
})
