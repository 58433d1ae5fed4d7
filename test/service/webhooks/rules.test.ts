// Who may do what with webhooks and deliveries, where nobody delivers but the test, and which keys a webhook may
// ignore.
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { methodOf, pathOf, type Operation } from '#contract/operation.ts'
import { replayBatch } from '../../../service/deliveries/replay-jobs.ts'
import { assertKeys } from '../../../service/webhooks/rows.ts'
import { unreadablePatterns } from '../../../service/webhooks/rules.ts'
import { keyId as calling, principalWith } from '../../support/principal-headers.ts'
import { sampleInput } from '../../support/sample-value.ts'
import { services } from '../../support/services.ts'
import { type WorkspaceInService, sharedService } from '../quiet-service.ts'

const url = 'https://example.com/hook'
const own = ['webhooks:write', 'deliveries:read', 'deliveries:replay']
const projects = [...own, 'projects:read']

const idsOf = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id)
const lacking = (...requiredScopes: string[]) => ({ status: 403, body: { code: 'insufficient_scope', requiredScopes } })

test('unreadable patterns are those that match an event which the key may not read', () => {
  expect(unreadablePatterns(['projects:read'])).toEqual(expect.arrayContaining(['*', 'tasks.*', 'tasks.created']))
  expect(unreadablePatterns(['projects:read'])).not.toEqual(expect.arrayContaining(['projects.*']))
  expect(unreadablePatterns([])).toContain('projects.created')
})

const newWorkspace = sharedService(services().postgres === null ? 'pglite' : 'postgres')

const isAsked = ({ name, audiences }: Operation): boolean =>
  /^(webhooks|deliveries)\./.test(name) && audiences.includes('api') && name !== 'webhooks.create'

test('a key that may write webhooks and read nothing else can neither read nor change them', async () => {
  const { call, webhook, deadLetter } = await newWorkspace()
  const id = await webhook({ url, eventTypes: ['projects.*'], headers: { 'x-token': 'a secret header' } })
  const delivery = await deadLetter(id)
  const { body: job } = await call('POST', '/deliveries/replay', { filter: {} })
  const { body: before } = await call('GET', `/webhooks/${id}`)
  const more: Record<string, object> = {
    'webhooks.update': { url: 'https://thief.example.com/' },
    'deliveries.replay-many': { filter: { webhookId: id } },
  }

  for (const operation of operations.filter(isAsked)) {
    const { name } = operation
    const idOf = name.includes('replay-job') ? job.id : name.startsWith('webhooks.') ? id : delivery
    const { id: _id, ...input } = { id: '', ...sampleInput(operation.input), ...more[name] }
    const [method, path] = [methodOf(operation), pathOf(operation).replace(/\{\w+\}/g, idOf)]
    const sent = method === 'GET' || method === 'DELETE' ? undefined : input
    const { status, body } = await call(method, path, sent, [...own, 'events:read'])

    const answered = name.endsWith('.list') ? body.data : [status, body?.code]
    expect([name, answered]).toEqual([name, name.endsWith('.list') ? [] : [403, 'insufficient_scope']])
    expect(JSON.stringify(body)).not.toContain('Fjällräven')
  }

  expect((await call('GET', `/webhooks/${id}`)).body).toEqual(before)
})

test('lists leave out webhooks without access and unreadable deliveries in the query: pages are full and counts are right', async () => {
  const service = await newWorkspace()
  const mine: string[] = []
  const deliveries: string[] = []
  for (let n = 0; n < 3; n++) {
    mine.push(await service.webhook({ url, eventTypes: ['projects.*'], statusChangedAt: new Date(Date.now() + n) }))
    const other = await service.webhook({ url, eventTypes: ['projects.*', 'tasks.created'] })
    await service.deadLetter(other, { eventType: 'tasks.created' })
    deliveries.push(await service.deadLetter(mine[n]!))
  }

  const read = (path: string, held?: string[]) => service.call('GET', path, undefined, held)
  const first = await read('/webhooks?limit=2', projects)
  const rest = await read(`/webhooks?limit=2&cursor=${first.body.page.nextCursor}`, projects)
  const page = await read('/deliveries?limit=3', projects)

  expect([...idsOf(first), ...idsOf(rest)]).toEqual(mine.toReversed())
  expect([first.body.page.hasMore, rest.body.page.hasMore]).toEqual([true, false])
  expect(new Set(idsOf(page))).toEqual(new Set(deliveries))
  expect(page.body.page.hasMore).toBe(false)
  expect(idsOf(await read('/deliveries', own))).toEqual([])
  expect(await read('/deliveries?eventTypes=tasks.created', projects)).toMatchObject(lacking('tasks:read'))
  expect(idsOf(await read('/deliveries?eventTypes=tasks.created'))).toHaveLength(3)
  expect(idsOf(await read('/deliveries?eventTypes=tasks.created,projects.updated'))).toHaveLength(6)
})

test('a delivery can be read by keys that may read its event type, and replayed by keys with access to its webhook', async () => {
  const service = await newWorkspace()
  const webhook = await service.webhook({ url, eventTypes: ['projects.*', 'tasks.*'] })
  const id = await service.deadLetter(webhook, { eventType: 'tasks.updated' })
  const tasks = [...own, 'tasks:read']

  for (const path of [`/deliveries/${id}`, `/deliveries/${id}/attempts`]) {
    expect(await service.call('GET', path, undefined, projects)).toMatchObject(lacking('tasks:read'))
    expect(await service.call('GET', path, undefined, tasks)).toMatchObject({ status: 200 })
  }
  const replay = (held: string[]) => service.call('POST', `/deliveries/${id}/replay`, undefined, held)
  expect(await replay(tasks)).toMatchObject(lacking('projects:read'))
  expect(await replay([...tasks, 'projects:read'])).toMatchObject({ status: 202 })
})

test('a replay of many takes webhooks that the key has access to; naming others is refused, and its job is hidden from weaker keys', async () => {
  const service = await newWorkspace()
  const mine = await service.webhook({ url, eventTypes: ['projects.*'] })
  const other = await service.webhook({ url, eventTypes: ['projects.*', 'tasks.*'] })
  await service.deadLetter(mine)
  for (const type of ['projects.updated', 'tasks.updated']) await service.deadLetter(other, { eventType: type })
  const replay = (filter: object, dryRun = false) =>
    service.call('POST', '/deliveries/replay', { filter, dryRun }, projects)

  expect(await replay({ webhookId: other }, true)).toMatchObject(lacking('tasks:read'))
  expect(await replay({ webhookId: other })).toMatchObject(lacking('tasks:read'))
  expect(await replay({ eventTypes: ['tasks.updated'] })).toMatchObject(lacking('tasks:read'))
  expect((await replay({}, true)).body.total).toBe(1)
  expect((await service.call('POST', '/deliveries/replay', { filter: {}, dryRun: true })).body.total).toBe(3)

  const { body: job } = await replay({})
  expect(job).toMatchObject({ total: 1, scopes: expect.arrayContaining(['projects:read']) })
  expect(job.scopes).not.toContain('tasks:read')
  for (const method of ['GET', 'DELETE'] as const) {
    const answer = await service.call(method, `/deliveries/replay-jobs/${job.id}`, undefined, own)
    expect(answer).toMatchObject(lacking('projects:read'))
  }
})

test('a job replays only what its creator could read, whatever its webhooks receive by the time that it runs', async () => {
  const service = await newWorkspace()
  const hook = { url, eventTypes: ['projects.*'] }
  const [steady, widened] = [await service.webhook(hook), await service.webhook(hook)]
  for (const webhook of [steady, widened]) await service.deadLetter(webhook)
  const { body: job } = await service.call('POST', '/deliveries/replay', { filter: {} }, projects)
  expect(job.total).toBe(2)

  await service.db.webhook.updateMany({ where: { id: widened }, data: { eventTypes: ['projects.*', 'tasks.*'] } })
  await service.deadLetter(steady, { eventType: 'tasks.updated' })
  while ((await replayBatch(service.db)) === 0);

  const started = await service.db.delivery.findMany({ where: { workspaceId: service.workspaceId, origin: 'replay' } })
  expect(started).toMatchObject([{ webhookId: steady, eventType: 'projects.updated' }])
  expect((await service.call('GET', `/deliveries/replay-jobs/${job.id}`)).body).toMatchObject({ replayed: 1 })
})

test('event types that a webhook is no longer granted are not replayed, neither one by one nor many at once', async () => {
  const service = await newWorkspace()
  const id = await service.webhook({ url, eventTypes: ['projects.*', 'tasks.*'], granted: ['projects:read'] })
  const ungranted = await service.deadLetter(id, { eventType: 'tasks.updated' })
  await service.deadLetter(id)

  expect(await service.call('POST', `/deliveries/${ungranted}/replay`)).toMatchObject({
    status: 409,
    body: { code: 'invalid_transition', detail: 'The webhook is no longer granted tasks:read.' },
  })
  expect((await service.call('POST', '/deliveries/replay', { filter: {}, dryRun: true })).body.total).toBe(1)
})

test('a webhook made by a release without grants has those that its events need, and is found by them, its status and types', async () => {
  const service = await newWorkspace()
  const id = await service.webhook({ url, eventTypes: ['projects.*', 'tasks.created'] })
  const grants = { scopes: ['projects:read', 'tasks:read'], grantedBy: { id: 'test' } }

  expect((await service.call('GET', `/webhooks/${id}`)).body).toMatchObject({ grants })
  const paused = await service.webhook({ url, status: 'paused' })
  for (const [query, ids] of [
    ['grantedBy=test&status=active', [id]],
    ['status=paused,disabled', [paused]],
    ['eventTypes=projects.updated,tasks.created', [paused, id]],
    ['grantedBy=k', []],
  ] as const)
    expect([query, idsOf(await service.call('GET', `/webhooks?${query}`))]).toEqual([query, ids])
})

const body = (...ignoredKeyIds: string[]) => ({ name: 'Sync', url, eventTypes: ['projects.*'], ignoredKeyIds })

const keyIn = async ({ settings }: WorkspaceInService): Promise<string> =>
  (await settings('POST', '/api-keys', { name: 'Sync', scopes: ['projects:read'] })).body.id

test('the calling key is `me`; a key of the workspace goes by its id, and stays when it is revoked', async () => {
  const service = await newWorkspace()
  const own = await keyIn(service)
  const { status, body: made } = await service.call('POST', '/webhooks', body('me', own))
  await service.settings('POST', `/api-keys/${own}/revoke`)

  const renamed = await service.call('PATCH', `/webhooks/${made.id}`, { ignoredKeyIds: [own] })
  const none = await service.call('PATCH', `/webhooks/${made.id}`, { ignoredKeyIds: [] })

  expect([status, made.ignoredKeyIds]).toEqual([201, [calling, own]])
  expect(renamed).toMatchObject({ status: 200, body: { ignoredKeyIds: [own] } })
  expect(none).toMatchObject({ status: 200, body: { ignoredKeyIds: [] } })
})

test('a key that the workspace does not have is refused by its place, and `me` where no key calls', async () => {
  const service = await newWorkspace()
  const own = await keyIn(service)

  const missing = await service.call('POST', '/webhooks', body(own, '0190b000-0000-7000-8000-00000000dead'))
  const nobody = await service.settings('POST', '/webhooks', body('me'))
  const nameless = await service.call('POST', '/webhooks', body('sync'))

  const errors = [{ pointer: '/ignoredKeyIds/1', code: 'not_found' }]
  expect(missing).toMatchObject({ status: 422, body: { code: 'reference_not_found', errors } })
  const malformed = { code: 'validation_failed', errors: [{ pointer: '/ignoredKeyIds/0' }] }
  for (const refused of [nobody, nameless]) expect(refused).toMatchObject({ status: 422, body: malformed })
})

test('the key that calls may be named, row or not; a person who calls is no key', async () => {
  const { db, workspaceId } = await newWorkspace()
  const named = (kind: 'api_key' | 'member') =>
    assertKeys({ db, workspaceId, principal: principalWith({ kind, workspaceId }) }, [calling])

  await expect(named('api_key')).resolves.toBeUndefined()
  await expect(named('member')).rejects.toMatchObject({ code: 'reference_not_found' })
})
