// Calls that were denied, from a gateway’s report to their entries, and calls of tools, from their end on.
import { createSecretKey, randomBytes } from 'node:crypto'
import fastify from 'fastify'
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { operationNamed } from '#contract/api.ts'
import { Fault } from '#contract/faults/fault.ts'
import { internalPaths } from '#contract/internal/gateway-endpoints.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { DeniedCall } from '#contract/internal/reports.ts'
import { deniedCallOf, deniedCallQueue, recordDeniedCalls } from '../../../service/audit/denied-calls.ts'
import { append } from '../../../service/audit/rows.ts'
import { type ToolCall, toolCallQueue, writeToolCalls } from '../../../service/audit/tool-calls.ts'
import { serveGatewayEndpoints } from '../../../service/gateway-endpoints.ts'
import { lockWorkspaceRow } from '../../../service/workspaces/rows.ts'
import { onEachEngine, sharedDatabase } from '../../support/database-engines.ts'
import { principalHeaders, principalWith } from '../../support/principal-headers.ts'
import { draftIn, makeKey, makeWorkspace, startLog } from './audit-log-fixture.ts'

const at = '2026-11-21T12:00:00.000Z'
const userAgent = 'curl/8'
const asked = { operation: 'projects.list', surface: 'http', workspaceId: null, requestId: 'r-1' } as const
const denied = { code: 'ip_not_allowed', ip: '203.0.113.7', userAgent, at, count: 1 } as const
const deniedCallBy = (keyId: string, more: Partial<DeniedCall> = {}): DeniedCall =>
  Object.assign({ keyId, ...asked, ...denied }, more)
const called = { at: new Date(at), tool: 'projects.list', outcome: 'success', code: null, traceId: null } as const
const toolCallBy = (id: string, workspaceId: string | null, more: Partial<ToolCall> = {}): ToolCall => ({
  ...called,
  argumentsHash: 'ab'.repeat(32),
  principal: principalWith({ id, name: 'Sync', workspaceId, surface: 'mcp', clientAddress: '192.0.2.1', userAgent }),
  ...more,
})

onEachEngine((kind) => {
  const database = sharedDatabase(kind)

  test('an entry says who was denied what, in the workspace that the call named, or in the key’s own when the key may not act there; unknown keys have none', async () => {
    const log = await startLog(database.db)
    const { db, workspaceId } = log
    const [granted, foreign] = [await makeWorkspace(db), await makeWorkspace(db)]
    const [bound, unbound] = [await makeKey(log), await makeKey(log, [granted])]

    await recordDeniedCalls(db, [
      deniedCallBy(uuid()),
      deniedCallBy(bound, { workspaceId: foreign, code: 'workspace_not_allowed' }),
      deniedCallBy(bound, { workspaceId, code: 'workspace_suspended', count: 42 }),
      deniedCallBy(unbound, { workspaceId: granted, code: 'insufficient_scope' }),
      deniedCallBy(unbound, { workspaceId: foreign, code: 'workspace_not_allowed', operation: null, surface: 'mcp' }),
      deniedCallBy(uuid(), { workspaceId }),
    ])

    const actor = { type: 'api_key', id: bound, name: 'Sync', keyPrefix: 'wsk_abcdefgh' }
    const from = { action: 'projects.list', surface: 'http', ip: '203.0.113.7', userAgent, requestId: 'r-1' }
    expect(await log.entries(foreign)).toEqual([])
    expect(await log.entries(granted)).toMatchObject([{ number: 1n, code: 'insufficient_scope' }])
    expect(await log.entries()).toMatchObject([
      { number: 1n, code: 'workspace_not_allowed', actor: { id: bound } },
      { number: 2n, code: 'workspace_suspended', actor, outcome: 'denied', count: 42, at: new Date(at), ...from },
      { number: 3n, code: 'workspace_not_allowed', actor: { id: unbound }, action: 'mcp' },
    ])
    expect(await log.verify()).toMatchObject({ checked: 3, intact: true })
  })

  test('reports of several gateways at the same time make one chain in each workspace', async () => {
    const log = await startLog(database.db)
    const places = [log.workspaceId, await makeWorkspace(log.db), await makeWorkspace(log.db)]
    const key = await makeKey(log, places)
    const report = (first: number) =>
      Array.from({ length: 30 }, (_, at) => deniedCallBy(key, { workspaceId: places[(first + at) % 3] ?? null }))

    await Promise.all([0, 1, 2, 0, 1, 2].map((first) => recordDeniedCalls(log.db, report(first))))

    for (const workspaceId of places) expect(await log.entries(workspaceId)).toHaveLength(60)
    expect(await log.verify()).toMatchObject({ checked: 60, intact: true })
  })

  if (kind === 'postgres')
    test('reports and changes of the workspace itself never deadlock', async () => {
      const log = await startLog(database.db)
      const { db, workspaceId } = log
      const key = await makeKey(log)
      const rename = (slug: string) =>
        db.$transaction(async (tx) => {
          await lockWorkspaceRow(tx, workspaceId)
          await tx.workspace.update({ where: { id: workspaceId }, data: { slug } })
          await append(tx, workspaceId, [draftIn(workspaceId)])
        })

      const both = (at: number) => [rename(`slug-${at}`), recordDeniedCalls(db, [deniedCallBy(key)])]
      await Promise.all(Array.from({ length: 10 }, (_, at) => both(at)).flat())

      expect(await log.verify()).toMatchObject({ checked: 20, intact: true })
    })

  if (kind === 'pglite')
    test('a gateway reports denied calls, a thousand at a time; nobody else can', async () => {
      const log = await startLog(database.db)
      const call = deniedCallBy(await makeKey(log))
      const principalKey = createSecretKey(randomBytes(32))
      const app = fastify({ bodyLimit: 1024 * 1024 })
      serveGatewayEndpoints(app, log.db, principalKey, async () => ({}))
      app.setErrorHandler((error: { code?: string }, _request, reply) => reply.code(400).send({ code: error.code }))
      const report = async (kind: Principal['kind'], denials: readonly object[], id = uuid()) => {
        const url = internalPaths.deniedCalls
        const headers = principalHeaders(principalKey, principalWith({ kind, surface: 'internal' }), 'POST', url)
        const { statusCode, payload } = await app.inject({ method: 'POST', url, headers, body: { id, denials } })
        return payload === '' ? statusCode : (JSON.parse(payload) as { code: string }).code
      }
      const thousand = Array.from({ length: 1_000 }, () => call)

      expect(await report('gateway', thousand)).toBe(204)
      expect(await report('gateway', [...thousand, call])).toBe('validation_failed')
      expect(await report('gateway', [{ ...call, more: 1 }])).toBe('validation_failed')
      expect(await report('operator', [call])).toBe('not_found')
      expect(await report('api_key', [call])).toBe('not_found')
      expect(await log.numbers()).toHaveLength(1_000)

      const id = uuid()
      expect([await report('gateway', [call], id), await report('gateway', [call], id)]).toEqual([204, 204])
      expect(await log.numbers()).toHaveLength(1_001)
      await app.close()
    })

  test('where a workspace’s entries cannot be written, those of the others are, and the loss is counted', async () => {
    const log = await startLog(database.db)
    const { db, workspaceId } = log
    const other = await makeWorkspace(db)
    const [keyId, granted] = [await makeKey(log), await makeKey(log, [other])]
    await db.auditChain.delete({ where: { workspaceId } })
    const errors: unknown[] = []

    const calls = [toolCallBy(keyId, workspaceId), toolCallBy(keyId, null), toolCallBy(granted, other)]
    const ofNone = toolCallBy(uuid(), workspaceId)
    const lost = await writeToolCalls(db)([...calls, ofNone], (error) => errors.push(error))

    expect(lost).toBe(2)
    expect(errors).toHaveLength(1)
    expect(await log.entries()).toEqual([])
    expect(await log.entries(other)).toMatchObject([{ number: 1n }])
  })
})

test('equal calls that wait are written as one with a count', async () => {
  const written: DeniedCall[][] = []
  const write = async (calls: readonly DeniedCall[]) => void written.push([...calls])
  const queue = deniedCallQueue(write, () => {})
  const [a, b] = [deniedCallBy('a'), deniedCallBy('b')]

  for (const requestId of ['r-1', 'r-2', 'r-3']) queue.add({ ...a, requestId })
  queue.add(b)
  await queue.close()

  expect(written).toEqual([[{ ...a, count: 3 }, b]])
})

test('no more than a thousand different calls wait; those beyond, and a write that fails, are passed to onLost', async () => {
  const lost: [number, unknown][] = []
  const failure = new Error('away')
  const queue = deniedCallQueue(
    () => Promise.reject(failure),
    (...loss) => lost.push(loss as [number, unknown]),
  )

  for (let at = 0; at < 1_500; at += 1) queue.add(deniedCallBy(`key-${at}`))
  queue.add(deniedCallBy('key-0'))
  await queue.close()

  expect(lost).toEqual([...Array.from({ length: 500 }, () => [1]), [1_000, failure]])
})

test('a missing scope of a key is a denied call; another fault, or another caller’s, is none', () => {
  const principal = principalWith({ workspaceId: 'w', surface: 'mcp', clientAddress: '192.0.2.1', userAgent })
  const deniedTo = (who: Principal, code: 'insufficient_scope' | 'validation_failed') =>
    deniedCallOf(new Fault(code, 'No.'), operationNamed('projects.create'), who, new Date(at))

  const said = { workspaceId: 'w', code: 'insufficient_scope', operation: 'projects.create', surface: 'mcp' } as const
  const from = { ip: '192.0.2.1', userAgent, requestId: 'r' }
  expect(deniedTo(principal, 'insufficient_scope')).toEqual(deniedCallBy(principal.id, { ...said, ...from }))
  expect(deniedTo(principal, 'validation_failed')).toBeNull()
  expect(deniedTo({ ...principal, kind: 'operator', surface: 'settings' }, 'insufficient_scope')).toBeNull()
})

test('calls of tools wait to be written together, 5,000 at most and 200 at a time; the rest is lost and counted', async () => {
  const written: number[] = []
  let lost = 0
  const queue = toolCallQueue(
    async (calls) => {
      written.push(calls.length)
      return 0
    },
    (count) => (lost += count),
  )

  for (let n = 0; n < 199; n++) queue.record(toolCallBy('k', 'w'))
  expect(written).toEqual([])
  for (let n = 0; n < 5_101; n++) queue.record(toolCallBy('k', 'w'))
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
    queue.record(toolCallBy('k', 'w', { outcome, code: 'insufficient_scope' }))
  await queue.close()

  expect(written.map(({ outcome }) => outcome)).toEqual(['denied'])
  expect(lost).toEqual([[1, failure]])
})
