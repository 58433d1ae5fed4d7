// The API log in the database: whose log a call is in, what its list finds, and when a call is gone.
import { createSecretKey, randomBytes } from 'node:crypto'
import fastify from 'fastify'
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { callsLookedThroughMax, callsSettleMs, type LoggedRequest, type listRequests } from '#contract/api-calls.ts'
import { callsPerReportMax, type ReportedCall } from '#contract/internal/api-calls.ts'
import { internalPaths } from '#contract/internal/gateway-endpoints.ts'
import type { Principal } from '#contract/internal/principal.ts'
import type { Input, Output } from '#contract/operation.ts'
import type { Database } from '#prisma/client.ts'
import { apiCallHandlers } from '../../../service/api-calls/operations.ts'
import { deleteOutdatedCalls, recordCalls } from '../../../service/api-calls/rows.ts'
import { pager } from '../../../service/collection/pagination.ts'
import { serveGatewayEndpoints } from '../../../service/gateway-endpoints.ts'
import { onEachEngine, sharedDatabase } from '../../support/database-engines.ts'
import { principalHeaders, principalWith } from '../../support/principal-headers.ts'
import { makeKey, makeWorkspace, startLog } from '../audit/audit-log-fixture.ts'

const dayMs = 86_400_000
const now = new Date()

const callBy = (keyId: string, more: Partial<ReportedCall> = {}): ReportedCall => ({
  ...{
    keyId,
    workspaceId: null,
    at: new Date().toISOString(),
    method: 'GET',
    path: '/api/v1/tasks',
    operation: 'tasks.list',
  },
  ...{ surface: 'http', isRead: true, status: 200, ms: 3.2, ip: '192.0.2.1', requestId: 'r', objectId: null },
  ...{ code: null, detail: null, leftOut: 0 },
  ...more,
})

const handlers = apiCallHandlers({ pager: pager(createSecretKey(randomBytes(32))) })
type Page = Output<typeof listRequests>
const listIn = (db: Database, workspaceId: string, input: Input<typeof listRequests> = {}, at = new Date()) =>
  handlers['requests.list'](input, { db, workspaceId, now: at } as never)
const idsIn = ({ data }: Page): string[] => data.map(({ requestId }: LoggedRequest) => requestId)

onEachEngine((kind) => {
  const database = sharedDatabase(kind)

  /** A workspace with a key, and calls that `record` writes one after the other. */
  async function started() {
    const log = await startLog(database.db)
    const { db, workspaceId } = log
    const keyId = await makeKey(log)
    // Those of one report are in their order, and of one millisecond no other report is: which came first is not known.
    let reportedAt = 0
    const record = async (...calls: readonly Partial<ReportedCall>[]) => {
      reportedAt = Math.max(Date.now(), reportedAt + 1)
      const made = calls.map((more) => callBy(keyId, { workspaceId, ...more }))
      await recordCalls(db, made, new Date(reportedAt))
    }
    const list = (input?: Input<typeof listRequests>) => listIn(db, workspaceId, input)
    return { ...log, keyId, record, list }
  }

  test('a call is in the log of the workspace that it named if its key may act there, else in that of the key; unknown keys have none', async () => {
    const { db, workspaceId, keyId: bound, list } = await started()
    const [granted, foreign] = [await makeWorkspace(db), await makeWorkspace(db)]
    const unbound = await makeKey({ db, workspaceId }, [granted])
    const named = (requestId: string, keyId: string, at: string | null) => callBy(keyId, { requestId, workspaceId: at })

    await recordCalls(
      db,
      [
        named('own', bound, workspaceId),
        named('none', bound, null),
        named('foreign', bound, foreign),
        named('granted', unbound, granted),
        named('not granted', unbound, foreign),
        named('home', unbound, workspaceId),
        named('unknown', uuid(), workspaceId),
      ],
      new Date(),
    )

    expect(idsIn(await list()).toSorted()).toEqual(['foreign', 'home', 'none', 'not granted', 'own'])
    expect(idsIn(await listIn(db, granted))).toEqual(['granted'])
    expect(idsIn(await listIn(db, foreign))).toEqual([])
    const [own] = (await list({ requestId: 'own' })).data
    const key = { apiKeyId: bound, apiKeyName: 'Sync', apiKeyPrefix: 'wsk_abcdefgh' }
    expect(own).toMatchObject({ object: 'logged_request', workspaceId, ...key, ms: 3.2, leftOut: 0 })
    const call = { db, workspaceId: foreign, now } as never
    await expect(handlers['requests.get']({ id: own?.id ?? '' }, call)).rejects.toMatchObject({ code: 'not_found' })
    expect(await handlers['requests.get']({ id: own?.id ?? '' }, { db, workspaceId, now } as never)).toEqual(own)
  })

  test('each filter finds what it says and nothing else, and so do all of them together', async () => {
    const { db, workspaceId, keyId, record, list } = await started()
    const other = await makeKey({ db, workspaceId })
    const member = uuid()
    await db.apiKey.update({ where: { id: other }, data: { createdBy: { type: 'user', id: member, name: 'Ada' } } })
    const objectId = uuid()
    const path = `/api/v1/tasks/${objectId}`
    await record({ requestId: 'plain' })
    const refused = { status: 403, code: 'insufficient_scope', detail: 'This needs 100% of_it.', isRead: false }
    const odd = { ...refused, method: 'DELETE', operation: 'tasks.delete', path, ip: '2001:db8::1', objectId } as const
    await record({ ...odd, requestId: 'odd', keyId: other })
    await record({ requestId: 'tool', surface: 'mcp', method: 'POST', code: 'not_found', operation: 'tasks.get' })
    const findsOdd: readonly Input<typeof listRequests>[] = [
      ...[
        { apiKeyId: other },
        { memberId: member },
        { objectId },
        { requestId: 'odd' },
        { method: ['DELETE'] as const },
      ],
      ...[{ operation: ['tasks.delete', 'x'] }, { code: ['insufficient_scope'] }, { path: '/api/v1/tasks/' }],
      ...[{ status: ['403'] }, { status: ['5xx', '4xx'] }, { ip: '2001:db8::1' }],
      ...[{ search: '100% OF_it' }, { search: 'tasks.del' }, { search: '2001:' }, { search: objectId.slice(4, 20) }],
    ].map((each) => ({ ...each, method: undefined, ...('method' in each && { method: [...each.method] }) }) as never)

    for (const filter of findsOdd) expect([filter, idsIn(await list(filter))]).toEqual([filter, ['odd']])
    expect(idsIn(await list({ outcome: 'refused' }))).toEqual(['tool', 'odd'])
    expect(idsIn(await list({ outcome: 'success' }))).toEqual(['plain'])
    expect(idsIn(await list({ surface: 'mcp' }))).toEqual(['tool'])
    expect(idsIn(await list({ apiKeyId: keyId }))).toEqual(['tool', 'plain'])
    for (const search of ['100_', '%_%', '\\', 'no such']) expect(idsIn(await list({ search }))).toEqual([])
    expect(idsIn(await list({ path: '/api/v1/tasks_' }))).toEqual([])
    expect(idsIn(await list({ ...Object.assign({}, ...findsOdd), status: ['403'], path }))).toEqual(['odd'])
    await expect(list({ createdAfter: now.toISOString(), createdBefore: now.toISOString() })).rejects.toMatchObject({
      code: 'invalid_parameter',
    })
  })

  test('pages go from the newest to the oldest, and times are those of the calls', async () => {
    const { record, list } = await started()
    const at = (ms: number) => new Date(now.getTime() + ms).toISOString()
    await record(
      { requestId: '2', at: at(2_000) },
      { requestId: '1', at: at(1_000) },
      { requestId: '3', at: at(3_000) },
    )

    const first = await list({ limit: 2 })
    const second = await list({ limit: 2, cursor: first.page.nextCursor ?? '' })

    expect([idsIn(first), first.page.hasMore, idsIn(second), second.page.hasMore]).toEqual([
      ['3', '2'],
      true,
      ['1'],
      false,
    ])
    expect(idsIn(await list({ createdAfter: at(1_000) }))).toEqual(['3', '2'])
    expect(idsIn(await list({ createdBefore: at(3_000) }))).toEqual(['2', '1'])
    const between = { createdAfter: at(1_000), createdBefore: at(3_000) }
    expect(idsIn(await list(between))).toEqual(['2'])
    await expect(list({ ...between, cursor: first.page.nextCursor ?? '' })).rejects.toMatchObject({
      code: 'cursor_mismatch',
    })
  })

  test('who follows the log gets each call once, oldest first, and none that another could still come before', async () => {
    const { db, workspaceId, record, list } = await started()
    await record({ requestId: 'seen' })
    const afterId = (await list()).data[0]?.id ?? ''
    const settled = (ms = callsSettleMs + 100) => new Date(Date.now() + ms)
    const follow = (input: object, at = settled()) => listIn(db, workspaceId, { afterId, ...input }, at)
    for (const requestId of ['1', '2', '3']) await record({ requestId })

    expect(idsIn(await follow({}, new Date()))).toEqual([])
    const first = await follow({ limit: 2 })
    expect([idsIn(first), first.page.hasMore]).toEqual([['1', '2'], true])
    expect(idsIn(await follow({ limit: 2, cursor: first.page.nextCursor }))).toEqual(['3'])
    expect(idsIn(await follow({ afterId: first.data[1]?.id }))).toEqual(['3'])
    expect(idsIn(await follow({ requestId: '2' }))).toEqual(['2'])
  })

  test('reads are gone after three days and all else after thirty, in batches; a legal hold keeps them', async () => {
    const { db, workspaceId, record, list } = await started()
    const at = now.toISOString()
    await record({ requestId: 'read', at }, { requestId: 'change', isRead: false, at })
    const hold = { workspaceId, reason: 'Case 4711', createdAt: now, createdBy: {} }
    const inDays = (days: number) => new Date(now.getTime() + days * dayMs + 1_000)

    await deleteOutdatedCalls(db, new Date(now.getTime() + 3 * dayMs - 1_000))
    expect(idsIn(await list()).toSorted()).toEqual(['change', 'read'])
    await db.legalHold.create({ data: hold })
    await deleteOutdatedCalls(db, inDays(31), 1)
    expect(idsIn(await list())).toHaveLength(2)
    await db.legalHold.deleteMany({ where: { workspaceId } })
    await deleteOutdatedCalls(db, inDays(3), 1)
    expect(idsIn(await list())).toEqual(['change'])
    await deleteOutdatedCalls(db, inDays(30), 1)
    expect(idsIn(await list())).toEqual([])
  })

  test('calls of more than a day ago, or of a clock that is far ahead, are not taken', async () => {
    const { record, list } = await started()
    const at = (ms: number) => new Date(Date.now() + ms).toISOString()

    await record({ at: at(-dayMs - 1_000), requestId: 'late' }, { at: at(2 * 3_600_000), requestId: 'ahead' })
    await record({ at: at(-dayMs + 60_000), requestId: 'still' })

    expect(idsIn(await list())).toEqual(['still'])
  })

  if (kind === 'pglite')
    test('gateways alone report calls, so many at a time, and a report that comes twice is written once', async () => {
      const { db, workspaceId, keyId, list } = await started()
      const call = callBy(keyId, { workspaceId })
      const principalKey = createSecretKey(randomBytes(32))
      const app = fastify({ bodyLimit: 1024 * 1024 })
      serveGatewayEndpoints(app, db, principalKey, async () => ({}))
      app.setErrorHandler((error: { code?: string }, _request, reply) => reply.code(400).send({ code: error.code }))
      const report = async (kind: Principal['kind'], calls: readonly object[], id = uuid()) => {
        const url = internalPaths.apiCalls
        const headers = principalHeaders(principalKey, principalWith({ kind, surface: 'internal' }), 'POST', url)
        const { statusCode, payload } = await app.inject({ method: 'POST', url, headers, body: { id, calls } })
        return payload === '' ? statusCode : (JSON.parse(payload) as { code: string }).code
      }
      const longest = {
        ...call,
        path: `/${'x'.repeat(299)}`,
        detail: '\u{ffff}'.repeat(500),
        requestId: 'r'.repeat(128),
      }
      const most = Array.from({ length: callsPerReportMax }, () => longest)
      const id = uuid()

      expect([await report('gateway', most, id), await report('gateway', most, id)]).toEqual([204, 204])
      expect(await report('gateway', [...most, call])).toBe('validation_failed')
      expect(await report('gateway', [{ ...call, more: 1 }])).toBe('validation_failed')
      for (const kind of ['operator', 'api_key'] as const) expect(await report(kind, [call])).toBe('not_found')
      expect((await list({ limit: 200 })).page.hasMore).toBe(true)
      expect(await db.apiCall.count({ where: { workspaceId } })).toBe(callsPerReportMax)
      await app.close()
    })

  if (kind === 'postgres')
    test('a page looks through a bounded number of calls; what lies behind is found by the next page', async () => {
      const { db, workspaceId, record, list } = await started()
      await record({ requestId: 'rare', ip: '203.0.113.7' })
      await db.$executeRaw`
        INSERT INTO api_call (workspace_id, id, at, api_key_id, api_key_name, method, path, operation, surface, status,
          ms, request_id, left_out, expires_at)
        SELECT workspace_id, ('ffffffff-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, at, api_key_id,
          api_key_name, method, path, operation, surface, status, ms, request_id, left_out, expires_at
        FROM api_call, generate_series(1, ${callsLookedThroughMax}::int + 10) AS n
        WHERE workspace_id = ${workspaceId}::uuid`

      const first = await list({ ip: '203.0.113.7' })
      const second = await list({ ip: '203.0.113.7', cursor: first.page.nextCursor ?? '' })

      expect([idsIn(first), first.page.hasMore]).toEqual([[], true])
      expect([idsIn(second), second.page]).toEqual([['rare'], { limit: 50, nextCursor: null, hasMore: false }])
      expect((await list({ limit: 1 })).page.hasMore).toBe(true)
    })
})
