// Denied calls, from a gateway's report to their entries.
import { createSecretKey, randomBytes } from 'node:crypto'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { v7 as uuid } from 'uuid'
import { internalPaths } from '#contract/internal/gateway-endpoints.ts'
import type { DeniedCall } from '#contract/internal/reports.ts'
import type { Principal } from '#contract/internal/principal.ts'
import { append } from '../../../service/audit/append.ts'
import { recordDeniedCalls } from '../../../service/audit/denied-calls.ts'
import { serveGatewayEndpoints } from '../../../service/gateway-endpoints.ts'
import { lockWorkspaceRow } from '../../../service/workspaces/rows.ts'
import { freshDatabase, type FreshDatabase } from '../../support/database.ts'
import { onEachEngine } from '../../support/database-engines.ts'
import { principalHeaders } from '../../support/principal-headers.ts'
import { services } from '../../support/services.ts'
import { draftIn, makeKey, makeWorkspace, openLog, startLog, type Log } from './audit-log-fixture.ts'

const deniedCallOf = (keyId: string, more: Partial<DeniedCall> = {}): DeniedCall => ({
  ...{ keyId, workspaceId: null, code: 'ip_not_allowed', operation: 'projects.list', surface: 'http' },
  ...{ ip: '203.0.113.7', userAgent: 'curl/8', requestId: 'r-1', at: new Date().toISOString(), count: 1 },
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

    await recordDeniedCalls(log.db, [deniedCallOf(keyId, { count: 42, at })])

    expect(await entriesIn(log, log.workspaceId)).toMatchObject([
      {
        ...{ action: 'projects.list', outcome: 'denied', code: 'ip_not_allowed', count: 42, surface: 'http' },
        ...{ ip: '203.0.113.7', userAgent: 'curl/8', requestId: 'r-1', target: null, changes: {}, at: new Date(at) },
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
      deniedCallOf(bound, { workspaceId: foreign, code: 'workspace_not_allowed' }),
      deniedCallOf(bound, { workspaceId: log.workspaceId, code: 'workspace_suspended' }),
      deniedCallOf(unbound, { workspaceId: granted, code: 'insufficient_scope' }),
      deniedCallOf(unbound, { workspaceId: foreign, code: 'workspace_not_allowed', operation: null, surface: 'mcp' }),
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

    await recordDeniedCalls(log.db, [deniedCallOf(uuid()), deniedCallOf(await makeKey(log)), deniedCallOf(uuid())])

    expect(await entriesIn(log, log.workspaceId)).toHaveLength(1)
  })

  test('reports of several gateways at the same time make one chain in each workspace', async () => {
    const log = await startLog(database.db)
    const others = [await makeWorkspace(log.db), await makeWorkspace(log.db)]
    const key = await makeKey(log, [log.workspaceId, ...others])
    const places = [log.workspaceId, ...others]
    const report = (first: number) =>
      Array.from({ length: 30 }, (_, at) => deniedCallOf(key, { workspaceId: places[(first + at) % 3] ?? null }))

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
    Array.from({ length: 10 }, (_, at) => [rename(`slug-${at}`), recordDeniedCalls(db, [deniedCallOf(key)])]).flat(),
  )

  expect(await log.verify()).toMatchObject({ checked: 20, intact: true })
})

const principalKey = createSecretKey(randomBytes(32))

const principalOf = (kind: Principal['kind']): Principal => ({
  ...{ kind, id: kind, name: kind, workspaceId: null, scopes: [], surface: 'internal' },
  ...{ requestId: 'r-1', clientAddress: '', quota: null },
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
  const thousand = Array.from({ length: 1_000 }, () => deniedCallOf(key))

  expect(await report('gateway', { id: uuid(), denials: thousand })).toBe(204)
  expect(await report('gateway', { id: uuid(), denials: [...thousand, deniedCallOf(key)] })).toBe('validation_failed')
  expect(await report('gateway', { id: uuid(), denials: [{ ...deniedCallOf(key), more: 1 }] })).toBe(
    'validation_failed',
  )
  expect(await report('operator', { id: uuid(), denials: [deniedCallOf(key)] })).toBe('not_found')
  expect(await report('api_key', { id: uuid(), denials: [deniedCallOf(key)] })).toBe('not_found')
  expect(await log.numbers()).toHaveLength(1_000)

  const once = { id: uuid(), denials: [deniedCallOf(key)] }
  expect([await report('gateway', once), await report('gateway', once)]).toEqual([204, 204])
  expect(await log.numbers()).toHaveLength(1_001)
  await app.close()
})
