// Two services that read from a streaming replica, made by pg_basebackup: nobody sees less than they have seen before,
// whatever becomes of the replica.
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { changes, type Operation } from '#contract/operation.ts'
import { scopes } from '#contract/scopes.ts'
import { openDatabase } from '#prisma/client.ts'
import { migrate } from '#prisma/migrate.ts'
import { openReplica, type ReplicaRead } from '#prisma/replica.ts'
import { logger } from '#runtime/log.ts'
import { deriveKey } from '#runtime/sealing-and-signing.ts'
import { requestOf } from '../support/arbitrary/http-request.ts'
import { clientOf, missingId, must, type Tenant } from '../support/client.ts'
import { silenceOfBusyMachineMs } from '../support/database.ts'
import { dropQueues } from '../support/drop-queues.ts'
import { eventually } from '../support/eventually.ts'
import { figure, scrape } from '../support/exposition.ts'
import { principalHeaders, principalWith } from '../support/principal-headers.ts'
import { start, type Env } from '../support/processes.ts'
import { sampleInput } from '../support/sample-value.ts'
import { startPostgres, startReplica } from '../support/servers/postgres.ts'
import { freePort, type Server } from '../support/servers/server.ts'
import { modes, settingsFor } from '../support/system.ts'

const names = ['replica', 'unusable', 'behind', 'waits', 'failed'] as const
/** All of the contract: none of them is left out by name. */
const readsInWorkspaces = operations
  .filter((each) => !changes(each) && each.tenancy === 'workspace')
  .map((operation): [string, Operation] => [operation.name, operation])
type Reads = Readonly<Record<(typeof names)[number], number>>

/** A gateway with a service of its own. */
type Site = {
  readonly service: string
  readonly ready: string
  readonly client: ReturnType<typeof clientOf>
  figures(): ReturnType<typeof scrape>
}

describe.skipIf(!modes.includes('distributed'))('two services with a replica', () => {
  const stack = new AsyncDisposableStack()
  let [primary, replica]: Server[] = []
  let [sql, standby]: Client[] = []
  let [here, there]: Site[] = []
  /** Of a service that has no replica. */
  let withoutReplica = ''
  let secret = ''
  let tenant: Tenant
  /** In which objects of each kind are made. */
  let walked: Tenant

  const connected = async (url: string): Promise<Client> => {
    const client = new Client({ connectionString: url })
    client.on('error', () => {})
    await client.connect()
    stack.defer(() => client.end().catch(() => {}))
    return client
  }

  beforeAll(async () => {
    primary = stack.use((await startPostgres())!)
    await migrate({ url: primary.url })
    replica = stack.use(await startReplica(primary, { settings: ['max_standby_streaming_delay=100ms'] }))
    sql = await connected(primary.url)
    standby = await connected(replica.url)
    const { brand, internalSecret, operatorToken, redisUrl, amqpUrl } = settingsFor('distributed')
    stack.defer(() => dropQueues(amqpUrl!, brand))
    const env = {
      DATABASE_URL: primary.url,
      DATABASE_READ_URL: replica.url,
      REDIS_URL: redisUrl!,
      AMQP_URL: amqpUrl!,
      BRAND: brand,
      LOG_LEVEL: 'fatal',
      INTERNAL_SECRET: internalSecret,
      OPERATOR_TOKEN: operatorToken,
      RATE_LIMIT_KEY_PER_MINUTE: '600000',
      RATE_LIMIT_KEY_BURST: '100000',
      RATE_LIMIT_WORKSPACE_PER_MINUTE: '600000',
      RATE_LIMIT_WORKSPACE_BURST: '100000',
    }
    const { DATABASE_READ_URL: _replica, ...ofPrimary } = env
    const [one, other, plain] = await Promise.all([open(env), open(env), start('service/main.ts', ofPrimary)])
    ;[here, there, withoutReplica, secret] = [one, other, stack.use(plain).url, internalSecret]
    await Promise.all([usable(here, 1), usable(there, 1)])
    tenant = await here.client.tenant()
    walked = await here.client.tenant()
  }, 120_000)
  afterAll(() => stack.disposeAsync())

  async function open(env: Env): Promise<Site> {
    const port = await freePort()
    const service = stack.use(await start('service/main.ts', { ...env, METRICS_PORT: String(port) }))
    const gateway = stack.use(await start('gateway/main.ts', { ...env, SERVICE_URLS: service.url }))
    return {
      service: service.url,
      ready: `${service.url}/ready`,
      client: clientOf(gateway.url, env['OPERATOR_TOKEN']!),
      figures: () => scrape(`http://127.0.0.1:${port}/metrics`),
    }
  }
  const usable = (site: Site, is: 0 | 1) =>
    eventually(
      async () => {
        // The figures are served a moment after the service is.
        const figures = await site.figures().catch(() => null)
        return figures !== null && figure(figures, 'service_replica_usable') === is
      },
      `usable: ${is}`,
      60_000,
    )

  /** What this work adds to the reads of a service. */
  async function readsOf(site: Site, work: () => Promise<unknown>): Promise<Reads> {
    const look = async () => {
      const figures = await site.figures()
      return names.map((outcome) => figure(figures, 'service_replica_reads_total', { outcome }))
    }
    const before = await look()
    await work()
    const after = await look()
    return Object.fromEntries(names.map((name, at) => [name, after[at]! - before[at]!])) as Reads
  }
  const none: Reads = { replica: 0, unusable: 0, behind: 0, waits: 0, failed: 0 }

  /** With the tenant's key, through the other service. */
  const elsewhere = (path: string, who = tenant) =>
    there!.client.call('GET', `/api/v1${path}`, undefined, { authorization: `Bearer ${who.secret}` })
  const namesIn = (answer: Awaited<ReturnType<typeof elsewhere>>): string[] =>
    must(answer).data.map((each: { name: string }) => each.name)
  const make = async (name: string, who = tenant): Promise<string> =>
    must(await who.api('POST', '/api/v1/projects', { name })).id

  const caughtUp = () =>
    eventually(async () => {
      const [now] = (await sql!.query('SELECT pg_current_wal_insert_lsn()::text AS at')).rows
      const [seen] = (await standby!.query('SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS "isThere"', [now.at])).rows
      return seen.isThere
    }, 'the replica has replayed all')

  async function paused(work: () => Promise<void>): Promise<void> {
    await standby!.query('SELECT pg_wal_replay_pause()')
    const isPaused = `SELECT pg_get_wal_replay_pause_state() = 'paused' AS yes`
    await eventually(async () => (await standby!.query(isPaused)).rows[0].yes, 'replay stands still')
    try {
      await work()
    } finally {
      await standby!.query('SELECT pg_wal_replay_resume()')
    }
  }

  test('lists, counts, searches and pages of the feed are read there', async () => {
    await make('Roof')
    await caughtUp()
    const scans = async () => {
      const text = `SELECT sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0)) AS scans FROM pg_stat_user_tables
        WHERE relname IN ('project', 'event_sequence')`
      return Number((await standby!.query(text)).rows[0].scans)
    }
    const before = await scans()

    const reads = await readsOf(here!, async () => {
      expect(namesIn(await tenant.api('GET', '/api/v1/projects'))).toEqual(['Roof'])
      for (const path of ['/projects/count', '/search?q=roof', '/events', '/tasks'])
        must(await tenant.api('GET', `/api/v1${path}`))
    })

    expect(reads).toEqual({ ...none, replica: 5 })
    await eventually(async () => (await scans()) > before, 'scans on the replica')
  })

  /** As the gateway would, for a key or a member with all scopes. */
  async function askedAt(service: string, url: string, kind: 'api_key' | 'member') {
    const session = { id: missingId, role: 'owner', isConfirmed: true } as const
    const caller = kind === 'member' ? { id: missingId, session, surface: 'settings' as const } : { id: walked.keyId }
    const { workspaceId } = walked
    const principal = principalWith({ kind, workspaceId, scopes: [...scopes], ...caller })
    const headers = principalHeaders(deriveKey(secret, 'principal'), principal, 'GET', url)
    const response = await fetch(service + url, { headers })
    const text = await response.text()
    if (response.headers.get('content-type')?.includes('json') !== true)
      return { status: response.status, body: { text } }
    const { requestId: _own, ...body } = JSON.parse(text) as Record<string, unknown>
    return { status: response.status, body }
  }

  test.each(readsInWorkspaces)('%s is answered by the replica, and as by the primary', async (_name, operation) => {
    const id = await walked.make(operation)
    // An export is recorded in the log that it exports.
    const filter = operation.name === 'audit-entries.export' && { action: ['api-keys.create'] }
    const input = { ...sampleInput(operation.input), ...(id !== undefined && { id }), ...filter }
    for (const audience of operation.audiences) {
      const { url } = requestOf(operation, input, audience, walked.workspaceId)
      const kind = audience === 'api' ? 'api_key' : 'member'
      // What is written by others meanwhile makes the replica lack something for a moment.
      await eventually(async () => {
        await caughtUp()
        const expected = await askedAt(withoutReplica, url, kind)
        const found: (typeof expected)[] = []
        const reads = await readsOf(here!, async () => void found.push(await askedAt(here!.service, url, kind)))
        expect([200, 404], JSON.stringify(expected)).toContain(expected.status)
        // That something is not there is no answer of a replica, and none that it leaves to the primary.
        const served = expected.status === 200 ? { ...none, replica: 1 } : none
        return isDeepStrictEqual(found, [expected]) && isDeepStrictEqual(reads, served)
      }, `${url} to be answered alike`)
    }
  })

  test('what was written is found at once, by every key at every service, while the replica stands still', async () => {
    const quiet = await here!.client.tenant()
    await make('Quiet', quiet)
    const id = await make('Before')
    await caughtUp()
    const other = await tenant.key(['projects:read', 'tasks:read'])
    await caughtUp()

    await paused(async () => {
      await make('After')
      must(await tenant.api('PATCH', `/api/v1/projects/${id}`, { name: 'Renamed' }))

      const reads = await readsOf(there!, async () => {
        expect(namesIn(await elsewhere('/projects'))).toEqual(expect.arrayContaining(['After', 'Renamed']))
        expect(namesIn(await elsewhere('/projects', other))).toEqual(expect.arrayContaining(['After', 'Renamed']))
        expect(must(await elsewhere(`/projects/${id}`, other)).name).toBe('Renamed')
        expect(must(await elsewhere('/events?after=0&eventTypes=projects.updated')).data).toHaveLength(1)
      })
      expect(reads).toEqual({ ...none, behind: 4 })
      // A workspace that has not changed is as it was.
      const ofQuiet = await readsOf(there!, async () =>
        expect(namesIn(await elsewhere('/projects', quiet))).toEqual(['Quiet']),
      )
      expect(ofQuiet).toEqual({ ...none, replica: 1 })
    })

    await caughtUp()
    expect(await readsOf(there!, () => elsewhere('/projects'))).toEqual({ ...none, replica: 1 })
  })

  test('so is a change that has no event', async () => {
    const field = { target: 'project', key: 'region', label: 'Region', type: 'text' }
    const { id } = must(await tenant.api('POST', '/api/v1/custom-fields', field))
    await caughtUp()

    await paused(async () => {
      must(await tenant.api('PATCH', `/api/v1/custom-fields/${id}`, { label: 'Area' }))

      const { data } = must(await elsewhere('/custom-fields'))
      expect(data).toEqual([expect.objectContaining({ id, label: 'Area' })])
    })
  })

  test('what dispatchers write is read there only where nothing at all is missing', async () => {
    await caughtUp()
    const isThere = async () => (await readsOf(there!, () => elsewhere('/deliveries'))).replica === 1
    await eventually(isThere, 'a moment in which nothing is missing')

    await paused(async () => {
      await sql!.query('CREATE TABLE something (id int); DROP TABLE something')
      expect(await readsOf(there!, () => elsewhere('/deliveries'))).toEqual({ ...none, behind: 1 })
      expect(await readsOf(there!, () => elsewhere('/projects'))).toEqual({ ...none, replica: 1 })
    })
  })

  test('a reader of the feed misses nothing while the replica trails the writer', async () => {
    const writer = await here!.client.tenant()
    await standby!.query(`ALTER SYSTEM SET recovery_min_apply_delay = '40ms'`)
    await standby!.query('SELECT pg_reload_conf()')
    const count = 60
    const writing = (async () => {
      for (let n = 0; n < count; n++) await make(`P ${n}`, writer)
    })()
    const seen: number[] = []
    let after = 0
    const reads = await readsOf(there!, () =>
      eventually(async () => {
        const page = must(await elsewhere(`/events?after=${after}&eventTypes=projects.created`, writer))
        seen.push(...page.data.map((event: { data: { name: string } }) => Number(event.data.name.slice(2))))
        after = page.lastSequence
        return seen.length >= count
      }, 'all events'),
    )
    await writing
    await standby!.query('ALTER SYSTEM RESET recovery_min_apply_delay')
    await standby!.query('SELECT pg_reload_conf()')

    expect(seen).toEqual(Array.from({ length: count }, (_each, n) => n))
    expect(reads.behind).toBeGreaterThan(0)
    expect(reads.failed).toBe(0)
  })

  test('a long poll waits at the primary', async () => {
    await caughtUp()
    const { lastSequence } = must(await elsewhere('/events?occurredAfter=2100-01-01T00:00:00Z'))
    let found: string[] = []
    const waited = figure(await there!.figures(), 'service_replica_reads_total', { outcome: 'waits' })

    const reads = await readsOf(there!, async () => {
      const waiting = elsewhere(`/events?after=${lastSequence}&wait=20`)
      await eventually(
        async () => figure(await there!.figures(), 'service_replica_reads_total', { outcome: 'waits' }) > waited,
        'it waits',
      )
      await make('Woken')
      found = must(await waiting).data.map((event: { type: string }) => event.type)
    })

    expect(found).toEqual(['projects.created'])
    expect(reads).toEqual({ ...none, waits: 1 })
  })

  test('no call fails while the replica is frozen, killed and started again, and it is used again', async () => {
    await caughtUp()
    let isOver = false
    const statuses = new Map<number, number>()
    const one = async () => {
      while (!isOver) {
        const { status } = await elsewhere('/projects')
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }
    }
    const calls = Array.from({ length: 4 }, one)
    await usable(there!, 1)

    replica!.freeze()
    await usable(there!, 0)
    expect(await (await fetch(there!.ready)).json()).toMatchObject({ status: 'ready', database: 'up' })
    replica!.thaw()
    await usable(there!, 1)
    await replica!.stop('SIGKILL')
    await usable(there!, 0)
    expect((await fetch(there!.ready)).status).toBe(200)
    await replica!.start()
    await usable(there!, 1)
    await delay(50)
    isOver = true
    await Promise.all(calls)

    expect([...statuses.keys()]).toEqual([200])
    standby = await connected(replica!.url)
    await caughtUp()
    expect(await readsOf(there!, () => elsewhere('/projects'))).toEqual({ ...none, replica: 1 })
  })

  test('a read that recovery cancels is left to the primary', async () => {
    const { reader, asked } = await opened(primary!.url, replica!.url)
    await eventually(() => reader.state() === 'usable', 'usable')
    await caughtUp()
    const begun = Promise.withResolvers<void>()
    const reading = reader.read(asked, async (db) => {
      await db.$queryRaw`SELECT identity FROM installation`
      begun.resolve()
      return db.$queryRaw`SELECT pg_sleep(14)::text`
    })
    await begun.promise

    await sql!.query('BEGIN; LOCK TABLE installation IN ACCESS EXCLUSIVE MODE; COMMIT')

    expect(await reading).toBeNull()
    expect(reader.reads.read()).toEqual([{ labels: { outcome: 'failed' }, value: 1 }])
  })

  test('what fails by itself is not tried again: its error is the answer', async () => {
    const { reader, asked } = await opened(primary!.url, replica!.url)
    await eventually(() => reader.state() === 'usable', 'usable')
    await caughtUp()

    await expect(reader.read(asked, (db) => db.$queryRaw`SELECT 1 / (random() * 0)::int`)).rejects.toThrow('zero')
    expect(await reader.read(asked, (db) => db.$queryRaw`DELETE FROM installation`)).toBeNull()
  })

  test('the replica of another database, and one that takes writes, are refused', async () => {
    await sql!.query('CREATE DATABASE other')
    await caughtUp()

    const ofOther = await opened(primary!.url, Object.assign(new URL(replica!.url), { pathname: '/other' }).href)
    await eventually(() => ofOther.reader.state() === 'foreign', 'foreign')
    const itself = await opened(primary!.url, primary!.url)
    await eventually(() => itself.reader.state() === 'promoted', 'not a replica')
    for (const { reader, asked } of [ofOther, itself])
      expect(await reader.read(asked, () => Promise.reject(new Error('not here')))).toBeNull()
  })

  test('one that is promoted is left alone, with no failed call', async () => {
    await usable(there!, 1)
    await standby!.query('SELECT pg_promote()')
    await make('Only at the primary')

    for (let n = 0; n < 20; n++) expect(namesIn(await elsewhere('/projects'))).toContain('Only at the primary')

    await usable(there!, 0)
    const reads = await readsOf(there!, () => elsewhere('/projects'))
    expect(reads.replica).toBe(0)
    expect(await (await fetch(there!.ready)).json()).toMatchObject({ status: 'ready' })
  })

  async function opened(url: string, readUrl: string) {
    const database = await openDatabase({ url, connections: 4, silenceMs: silenceOfBusyMachineMs })
    const where = { url: readUrl, connections: 2, silenceMs: silenceOfBusyMachineMs }
    const reader = openReplica(database.db, where, logger('fatal', 'test'))
    onTestFinished(async () => {
      await reader.close()
      await database.close()
    })
    const asked: ReplicaRead = {
      workspaceId: tenant.workspaceId,
      signal: new AbortController().signal,
      statementMs: undefined,
      isUnderLock: true,
    }
    return { reader, asked }
  }
})
