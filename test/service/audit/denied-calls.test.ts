// Denied calls, from a gateway's report to their entries.
import { createSecretKey, randomBytes } from 'node:crypto'
import fastify from 'fastify'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { Fault } from '#contract/faults/fault.ts'
import { internalPaths } from '#contract/internal/gateway-endpoints.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { DeniedCall } from '#contract/internal/reports.ts'
import type { Operation } from '#contract/operation.ts'
import { recordDeniedCalls, deniedCallOf, deniedCallQueue } from '../../../service/audit/denied-calls.ts'
import { append } from '../../../service/audit/rows.ts'
import { serveGatewayEndpoints } from '../../../service/gateway-endpoints.ts'
import { lockWorkspaceRow } from '../../../service/workspaces/rows.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { freshDatabase, type FreshDatabase } from '../../support/database.ts'
import { principalHeaders } from '../../support/principal-headers.ts'
import { services } from '../../support/services.ts'
import { draftIn, makeKey, makeWorkspace, openLog, startLog, type Log } from './audit-log-fixture.ts'

const deniedCallBy = (keyId: string, more: Partial<DeniedCall> = {}): DeniedCall => ({
  keyId,
  workspaceId: null,
  code: 'ip_not_allowed',
  operation: 'projects.list',
  surface: 'http',
  ip: '203.0.113.7',
  userAgent: 'curl/8',
  requestId: 'r-1',
  at: new Date().toISOString(),
  count: 1,
  ...more,
})

const entriesIn = ({ db }: Pick<Log, 'db'>, workspaceId: string) =>
  db.auditEntry.findMany({ where: { workspaceId }, orderBy: { number: 'asc' } })

onEachEngine((kind) => {
  let database: FreshDatabase
  beforeAll(async () => {
    database = await freshDatabase(kind)
  })
  afterAll(() => database?.close())

  test('a denied call becomes an entry with key, code, IP address and count', async () => {
    const log = await startLog(database.db)
    const keyId = await makeKey(log)
    const at = '2026-11-21T12:00:00.000Z'

    await recordDeniedCalls(log.db, [deniedCallBy(keyId, { count: 42, at })])

    expect(await entriesIn(log, log.workspaceId)).toMatchObject([
      {
        action: 'projects.list',
        outcome: 'denied',
        code: 'ip_not_allowed',
        count: 42,
        surface: 'http',
        ip: '203.0.113.7',
        userAgent: 'curl/8',
        requestId: 'r-1',
        target: null,
        changes: {},
        at: new Date(at),
        actor: { type: 'api_key', id: keyId, name: 'Sync', keyPrefix: 'wsk_abcdefgh' },
      },
    ])
    expect(await log.verify()).toMatchObject({ checked: 1, intact: true })
  })

  test('the entry belongs to the workspace that the call named, or to the key’s own when the key may not act there', async () => {
    const log = await startLog(database.db)
    const [granted, foreign] = [await makeWorkspace(log.db), await makeWorkspace(log.db)]
    const bound = await makeKey(log)
    const unbound = await makeKey(log, [granted])

    await recordDeniedCalls(log.db, [
      deniedCallBy(bound, { workspaceId: foreign, code: 'workspace_not_allowed' }),
      deniedCallBy(bound, { workspaceId: log.workspaceId, code: 'workspace_suspended' }),
      deniedCallBy(unbound, { workspaceId: granted, code: 'insufficient_scope' }),
      deniedCallBy(unbound, { workspaceId: foreign, code: 'workspace_not_allowed', operation: null, surface: 'mcp' }),
    ])

    expect(await entriesIn(log, foreign)).toEqual([])
    expect(await entriesIn(log, granted)).toMatchObject([{ number: 1n, code: 'insufficient_scope' }])
    expect(await entriesIn(log, log.workspaceId)).toMatchObject([
      { number: 1n, code: 'workspace_not_allowed', actor: { id: bound } },
      { number: 2n, code: 'workspace_suspended', actor: { id: bound } },
      { number: 3n, code: 'workspace_not_allowed', actor: { id: unbound }, action: 'mcp' },
    ])
  })

  test('denied calls of unknown keys are skipped, the others are recorded', async () => {
    const log = await startLog(database.db)

    await recordDeniedCalls(log.db, [deniedCallBy(uuid()), deniedCallBy(await makeKey(log)), deniedCallBy(uuid())])

    expect(await entriesIn(log, log.workspaceId)).toHaveLength(1)
  })

  test('reports of several gateways at the same time make one chain in each workspace', async () => {
    const log = await startLog(database.db)
    const others = [await makeWorkspace(log.db), await makeWorkspace(log.db)]
    const key = await makeKey(log, [log.workspaceId, ...others])
    const places = [log.workspaceId, ...others]
    const report = (first: number) =>
      Array.from({ length: 30 }, (_, at) => deniedCallBy(key, { workspaceId: places[(first + at) % 3] ?? null }))

    await Promise.all([0, 1, 2, 0, 1, 2].map((first) => recordDeniedCalls(log.db, report(first))))

    for (const workspaceId of places) expect(await entriesIn(log, workspaceId)).toHaveLength(60)
    expect(await log.verify()).toMatchObject({ checked: 60, intact: true })
  })
})

test.skipIf(services().postgres === null)('reports and changes of the workspace itself never deadlock', async () => {
  await using log = await openLog('postgres')
  const { db, workspaceId } = log
  const key = await makeKey(log)
  const rename = (slug: string) =>
    db.$transaction(async (tx) => {
      await lockWorkspaceRow(tx, workspaceId)
      await tx.workspace.update({ where: { id: workspaceId }, data: { slug } })
      await append(tx, workspaceId, [draftIn(workspaceId)])
    })

  await Promise.all(
    Array.from({ length: 10 }, (_, at) => [rename(`slug-${at}`), recordDeniedCalls(db, [deniedCallBy(key)])]).flat(),
  )

  expect(await log.verify()).toMatchObject({ checked: 20, intact: true })
})

const principalKey = createSecretKey(randomBytes(32))

const principalOf = (kind: Principal['kind']): Principal => ({
  kind,
  id: kind,
  name: kind,
  workspaceId: null,
  scopes: [],
  surface: 'internal',
  requestId: 'r-1',
  clientAddress: '',
  quota: null,
})

test('a gateway reports denied calls, a thousand at a time; nobody else can', async () => {
  await using log = await openLog('pglite')
  const key = await makeKey(log)
  const app = fastify({ bodyLimit: 1024 * 1024 })
  serveGatewayEndpoints(app, log.db, principalKey, async () => ({}))
  app.setErrorHandler((error: { code?: string }, _request, reply) => reply.code(400).send({ code: error.code }))
  const report = async (kind: Principal['kind'], body: object) => {
    const headers = principalHeaders(principalKey, principalOf(kind), 'POST', internalPaths.deniedCalls)
    const { statusCode, payload } = await app.inject({ method: 'POST', url: internalPaths.deniedCalls, headers, body })
    return payload === '' ? statusCode : (JSON.parse(payload) as { code: string }).code
  }
  const thousand = Array.from({ length: 1_000 }, () => deniedCallBy(key))

  expect(await report('gateway', { id: uuid(), denials: thousand })).toBe(204)
  expect(await report('gateway', { id: uuid(), denials: [...thousand, deniedCallBy(key)] })).toBe('validation_failed')
  expect(await report('gateway', { id: uuid(), denials: [{ ...deniedCallBy(key), more: 1 }] })).toBe(
    'validation_failed',
  )
  expect(await report('operator', { id: uuid(), denials: [deniedCallBy(key)] })).toBe('not_found')
  expect(await report('api_key', { id: uuid(), denials: [deniedCallBy(key)] })).toBe('not_found')
  expect(await log.numbers()).toHaveLength(1_000)

  const once = { id: uuid(), denials: [deniedCallBy(key)] }
  expect([await report('gateway', once), await report('gateway', once)]).toEqual([204, 204])
  expect(await log.numbers()).toHaveLength(1_001)
  await app.close()
})

const calledBy = (keyId: string, requestId = 'r-1'): DeniedCall => ({
  keyId,
  workspaceId: 'w',
  code: 'insufficient_scope',
  operation: 'projects.create',
  surface: 'mcp',
  ip: null,
  userAgent: null,
  requestId,
  at: '2026-11-21T12:00:00.000Z',
  count: 1,
})

const principal: Principal = {
  kind: 'api_key',
  id: 'k',
  name: 'Key',
  workspaceId: 'w',
  scopes: [],
  surface: 'mcp',
  requestId: 'r-1',
  clientAddress: '192.0.2.1',
  userAgent: 'agent',
  quota: null,
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
    keyId: 'k',
    workspaceId: 'w',
    code: 'insufficient_scope',
    operation: 'projects.create',
    surface: 'mcp',
    ip: '192.0.2.1',
    userAgent: 'agent',
    requestId: 'r-1',
    at: now.toISOString(),
    count: 1,
  })
  expect(deniedCallOf(new Fault('validation_failed', 'No.'), operation, principal, now)).toBeNull()
  expect(deniedCallOf(lacking, operation, { ...principal, kind: 'operator', surface: 'settings' }, now)).toBeNull()
})
