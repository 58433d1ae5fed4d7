// Calls of tools, from the end of a call to their entries.
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { toolCallQueue, writeToolCalls, type ToolCall } from '../../../service/audit/tool-calls.ts'
import { onEachEngine, sharedDatabase } from '../../support/database-engines.ts'
import { principalWith } from '../../support/principal-headers.ts'
import { makeKey, makeWorkspace, startLog } from './audit-log-fixture.ts'

const at = new Date('2026-11-21T12:00:00.000Z')
const callBy = (id: string, workspaceId: string | null, more: Partial<ToolCall> = {}): ToolCall => ({
  at,
  tool: 'projects.list',
  argumentsHash: 'ab'.repeat(32),
  outcome: 'success',
  code: null,
  traceId: null,
  principal: principalWith({
    id,
    name: 'Sync',
    workspaceId,
    surface: 'mcp',
    clientAddress: '192.0.2.1',
    userAgent: 'agent/1',
  }),
  ...more,
})

onEachEngine((kind) => {
  const database = sharedDatabase(kind)

  test('each becomes an entry of its workspace’s chain, with tool, hash of the arguments and trace', async () => {
    const log = await startLog(database.db, 1)
    const { db, workspaceId } = log
    const keyId = await makeKey(log)
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
    const failed = { outcome: 'failed', code: 'not_found', tool: 'tasks.get', traceId } as const

    const lost = await writeToolCalls(db)([callBy(keyId, workspaceId), callBy(keyId, workspaceId, failed)], () => {})
    await log.write()

    expect(lost).toBe(0)
    const [, listed, got] = await log.entries()
    expect(listed).toMatchObject({
      action: 'tools.call',
      surface: 'mcp',
      outcome: 'success',
      code: null,
      traceId: null,
      changes: {},
      count: 1,
      ip: '192.0.2.1',
      userAgent: 'agent/1',
      requestId: 'r',
      at,
      target: { type: 'tool', id: 'projects.list', name: null },
      actor: { type: 'api_key', id: keyId, name: 'Sync', keyPrefix: 'wsk_abcdefgh' },
    })
    expect(Buffer.from(listed?.argumentsHash ?? []).toString('hex')).toBe('ab'.repeat(32))
    expect(got).toMatchObject({ target: { id: 'tasks.get' }, outcome: 'failed', code: 'not_found', traceId })
    expect(await log.verify()).toMatchObject({ checked: 4, intact: true, complete: true })
  })

  test('a hash or a trace that was changed later breaks the chain', async () => {
    const log = await startLog(database.db)
    const call = callBy(await makeKey(log), log.workspaceId)
    await writeToolCalls(log.db)([call, call], () => {})

    await log.tamper(`UPDATE audit_entry SET arguments_hash = decode(repeat('cd', 32), 'hex') WHERE number = 2`)
    expect(await log.verify()).toMatchObject({ intact: false, brokenAt: 2, reason: 'entry_changed' })
    await log.tamper(`UPDATE audit_entry SET trace_id = 'x' WHERE number = 1`)
    expect(await log.verify()).toMatchObject({ intact: false, brokenAt: 1, reason: 'entry_changed' })
  })

  test('where a workspace’s entries cannot be written, those of the others are, and the loss is counted', async () => {
    const log = await startLog(database.db)
    const { db, workspaceId } = log
    const other = await makeWorkspace(db)
    const [keyId, granted] = [await makeKey(log), await makeKey(log, [other])]
    await db.auditChain.delete({ where: { workspaceId } })
    const errors: unknown[] = []

    const lost = await writeToolCalls(db)(
      [callBy(keyId, workspaceId), callBy(keyId, null), callBy(granted, other), callBy(uuid(), workspaceId)],
      (error) => errors.push(error),
    )

    expect(lost).toBe(2)
    expect(errors).toHaveLength(1)
    expect(await log.entries()).toEqual([])
    expect(await log.entries(other)).toMatchObject([{ number: 1n }])
  })
})

test('calls wait to be written together, 5,000 at most and 200 at a time; the rest is lost and counted', async () => {
  const written: number[] = []
  let lost = 0
  const queue = toolCallQueue(
    async (calls) => {
      written.push(calls.length)
      return 0
    },
    (count) => (lost += count),
  )

  for (let n = 0; n < 199; n++) queue.record(callBy('k', 'w'))
  expect(written).toEqual([])
  for (let n = 0; n < 5_101; n++) queue.record(callBy('k', 'w'))
  await queue.close()

  expect({ written, lost }).toEqual({ written: Array.from({ length: 26 }, () => 200), lost: 100 })
})

test('what an operation has denied is not recorded a second time, and what cannot be written is counted', async () => {
  const written: ToolCall[] = []
  const lost: [number, unknown][] = []
  const failure = new Error('away')
  const queue = toolCallQueue(
    async (calls, onError) => {
      written.push(...calls)
      onError(failure)
      return 1
    },
    (count, error) => lost.push([count, error]),
  )

  for (const outcome of ['failed', 'denied'] as const)
    queue.record(callBy('k', 'w', { outcome, code: 'insufficient_scope' }))
  await queue.close()

  expect(written.map(({ outcome }) => outcome)).toEqual(['denied'])
  expect(lost).toEqual([[1, failure]])
})
