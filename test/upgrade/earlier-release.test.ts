// A database that the oldest release filled is migrated to this one: all that it answered is answered still, and its
// keys, secrets and cursors go on working. test/upgrade/record.ts has recorded it.
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#prisma/client.ts'
import { migrate, readMigrations } from '#prisma/migrate.ts'
import { createPglite } from '#prisma/pglite.ts'
import { openSession } from '#prisma/sql-session.ts'
import { egressProxy } from '../../dispatcher/attempt/egress-proxy.ts'
import { startConnectProxy } from '../support/connect-proxy.ts'
import { connectionsOfTests, emptyPostgres, silenceOfBusyMachineMs, type FreshDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { describeModes, must, startSystem, type Mode, type System } from '../support/system.ts'
import { differences } from './differences.ts'
import { rate, readRecording } from './recording.ts'

const recording = readRecording()
const { settings, workspaceId, keySecret, revokedKeySecret, webhook, version } = recording
/** Of an operation's answer, what is of the time of the call, or tells of the product and not of what is in it. */
const notCompared: Readonly<Record<string, RegExp>> = {
  'me.get': /rateLimit\.remaining$/,
  'api-keys.list': /lastUsed|requests30d/,
  'api-keys.get': /lastUsed|requests30d/,
  'api-keys.usage': /^body\./,
  'api-keys.requests': /^body\./,
  'usage.overview': /^body\./,
  'webhooks.list': /stats24h|health/,
  'webhooks.get': /stats24h|health/,
  // Events of today, which the recorded ones are not.
  'workspaces.get': /\.eventsPerDay$/,
  'workspaces.get-current': /\.eventsPerDay$/,
  'webhooks.requests': /^body\./,
  'webhooks.stats': /^body\./,
  'webhooks.usage': /^body\./,
  'members.access': /lastUsed|requests30d/,
  'event-types.list': /^body\./,
  'resources.list': /\.size$/,
  'resources.read': /\.(size|text)$/,
}
const operationsRead = [...new Set(recording.reads.map(({ operation }) => operation))]

describeModes(`what release ${version} has left`, (mode) => {
  const stack = new AsyncDisposableStack()
  let system: System
  let receiver: Receiver

  beforeAll(async () => {
    receiver = stack.use(await startReceiver())
    const proxy = stack.use(await startConnectProxy({ leadTo: Number(new URL(receiver.url).port) }))
    const { internalSecret, operatorToken } = settings
    const change = {
      internalSecret,
      operatorToken,
      webhookProxy: egressProxy(proxy.url),
      rates: { key: rate, workspace: rate },
    }
    system = stack.use(await startSystem(mode, change, undefined, await migratedDatabase(mode)))
  }, 120_000)
  afterAll(() => stack.disposeAsync())

  const byKey = (method: string, path: string, body?: unknown) =>
    system.call(method, path, body, { authorization: `Bearer ${keySecret}` })

  test.each(operationsRead)('%s answers as it did', async (name) => {
    const recorded = recording.reads.filter(({ operation }) => operation === name)

    const anew = await Promise.all(
      recorded.map(({ as, path }) => (as === 'key' ? byKey('GET', path) : system.operator('GET', path))),
    )

    const isNotCompared = (place: string) => place === 'body.requestId' || notCompared[name]?.test(place) === true
    const found = recorded.flatMap(({ status, body, path }, at) =>
      differences({ status, body }, { ...anew[at] }, isNotCompared).map((difference) => `${path} ${difference}`),
    )
    expect(found).toEqual([])
  })

  test('a key that was revoked is refused', async () => {
    const headers = { authorization: `Bearer ${revokedKeySecret}` }
    expect((await system.call('GET', '/api/v1/projects', undefined, headers)).status).toBe(401)
  })

  test('objects are changed, and the webhook is told, with the secret and the header that it has', async () => {
    const { data } = must(await byKey('GET', '/api/v1/projects?limit=1'))
    must(await byKey('PATCH', `/api/v1/projects/${data[0].id}`, { name: 'Renamed after the upgrade' }))

    const sent = await eventually(() => receiver.calls.at(-1), 'the delivery')

    const event = new Webhook(webhook.secret).verify(sent.body, sent.headers as Record<string, string>)
    expect(event).toMatchObject({ type: 'projects.updated', data: { name: 'Renamed after the upgrade' } })
    expect(sent.headers['authorization']).toBe(webhook.header)
    expect(
      must(await system.operator('GET', `/settings/api/workspaces/${workspaceId}/audit-entries/verify`)),
    ).toMatchObject({ intact: true })
  })

  test('every event type is still there, and asks for no more than it did', async () => {
    const types = (answer: unknown) => (answer as { data: { type: string; scope: string }[] }).data
    const before = types(recording.reads.find(({ operation }) => operation === 'event-types.list')?.body)

    const now = types(must(await byKey('GET', '/api/v1/event-types')))

    for (const { type, scope } of before) expect(now).toContainEqual(expect.objectContaining({ type, scope }))
  })

  test('operations that the release did not have show what there was', async () => {
    const { data: comments } = must(await byKey('GET', '/api/v1/comments'))
    expect(comments.map(({ body }: { body: string }) => body)).toContain('When exactly?')
    const { data: projects } = must(await byKey('GET', '/api/v1/projects?q=dach'))
    const { data: history } = must(await byKey('GET', `/api/v1/projects/${projects[0].id}/history`))
    expect(history.length).toBeGreaterThan(1)
  })
})

/** With the recorded rows, and migrated from that release to this one. */
async function migratedDatabase(mode: Mode): Promise<FreshDatabase> {
  const made = mode === 'standalone' ? null : await emptyPostgres()
  const where = made === null ? { pglite: await createPglite() } : { url: made.url }
  const former = readMigrations().filter(({ name }) => recording.migrations[name] !== undefined)
  expect(Object.fromEntries(former.map(({ name, checksum }) => [name, checksum]))).toEqual(recording.migrations)
  await migrate(where, former)
  await insertRecorded(where)
  expect(await migrate(where)).toEqual(
    readMigrations()
      .slice(former.length)
      .map(({ name }) => name),
  )
  await holdAll(where)
  if (!('url' in where)) return disposable(await openDatabase(where))
  const limits = { connections: connectionsOfTests, silenceMs: silenceOfBusyMachineMs }
  const database = await openDatabase({ ...where, ...limits })
  return { ...disposable({ ...database, close: () => database.close().then(made!.drop) }), url: where.url }
}

async function insertRecorded(where: Parameters<typeof openSession>[0]): Promise<void> {
  const session = await openSession(where)
  try {
    await session.transaction(async () => {
      // No trigger and no foreign key looks at them: they are as the earlier release has left them.
      await session.run('SET LOCAL session_replication_role = replica')
      for (const [table, { columns, rows }] of Object.entries(recording.tables)) {
        const names = columns.map((name) => `"${name}"`).join()
        await session.run(`DELETE FROM "${table}"`)
        await session.query(
          `INSERT INTO "${table}" (${names}) OVERRIDING SYSTEM VALUE
           SELECT ${names} FROM jsonb_populate_recordset(NULL::"${table}", $1::jsonb)`,
          [JSON.stringify(rows)],
        )
      }
      for (const [name, value] of Object.entries(recording.sequences))
        await session.query('SELECT setval($1::regclass, $2)', [`"${name}"`, value])
    })
  } finally {
    await session.close()
  }
}

/** What is recorded grows old, and nothing of it is to be removed for that. */
async function holdAll(where: Parameters<typeof openSession>[0]): Promise<void> {
  const session = await openSession(where)
  await session.run(`
    INSERT INTO legal_hold (workspace_id, reason, created_at, created_by)
    SELECT id, 'Recorded', now(), '{"type": "operator"}' FROM workspace`)
  await session.close()
}

const disposable = (database: Omit<FreshDatabase, typeof Symbol.asyncDispose>): FreshDatabase => ({
  ...database,
  [Symbol.asyncDispose]: database.close,
})
