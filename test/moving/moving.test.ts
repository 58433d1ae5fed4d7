// An installation moves from the embedded database to Postgres and back. What it shows stays the same, to the byte, and
// what it counts, signs and remembers goes on.
import { hash } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportTo } from '../../moving/export.ts'
import { importFrom } from '../../moving/import.ts'
import type { Manifest } from '../../moving/archive.ts'
import { clientOf, must, type Tenant } from '../support/client.ts'
import { connectionsOfTests, emptyPostgres, freshPglite, freshPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { firstOwner, type Person } from '../support/person.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { run } from '../support/run-program.ts'
import { modes, type System } from '../support/system.ts'
import { fill, kept, keptBody } from './fill.ts'
import { installationsIn, operatorToken, sealingKey, secretsWith, silent } from './installations.ts'
import { readAll } from './read-all.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'moving-'))
afterAll(() => rmSync(folder, { recursive: true }))
const { placeOn, serve } = installationsIn(folder)

const all = { workspaceId: null, whileRunning: false, withFiles: true }

describe.runIf(modes.includes('distributed'))('a standalone with something of everything', () => {
  const stack = new AsyncDisposableStack()
  const before = secretsWith([sealingKey('old')])
  const after = secretsWith([sealingKey('new')])
  const accepting = {
    ...after,
    sealingKeys: [...after.sealingKeys, ...before.sealingKeys],
    acceptedSecret: before.internalSecret,
  }
  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  let [working, failing]: Receiver[] = []
  let tenant: Tenant
  let filled: Awaited<ReturnType<typeof fill>>
  let person: Person
  let shown: Map<string, string>
  let signingSecret: string
  let postgres: { readonly url: string; drop(): Promise<void> }
  const where = () => ({ url: postgres.url, connections: connectionsOfTests })

  beforeAll(async () => {
    working = stack.use(await startReceiver())
    failing = stack.use(await startReceiver([500]))
    const pglite = await freshPglite()
    stack.defer(() => pglite.close())
    {
      await using system = await serve({ pglite }, 'before', before)
      person = await firstOwner(system)
      tenant = await system.tenant()
      filled = await fill({ url: system.url, tenant }, { working, failing })
      signingSecret = must(await tenant.api('POST', `/api/v1/webhooks/${filled.webhook}/rotate-secret`)).secret
    }
    {
      // What was in progress has ended with the first.
      await using system = await serve({ pglite }, 'before', before)
      shown = await readAll(system, [tenant])
    }
    postgres = await freshPostgres()
    stack.defer(() => postgres.drop())
    await exportTo(await placeOn({ pglite }, 'before'), { ...all, folder: first }, silent)
  }, 120_000)
  afterAll(() => stack.disposeAsync())

  test('is exported for its owner alone, and can be read and checked by other tools', async () => {
    const paths = readdirSync(first, { recursive: true, encoding: 'utf8' }).map((name) => join(first, name))

    for (const path of [first, ...paths])
      expect(statSync(path).mode & 0o777, path).toBe(statSync(path).isDirectory() ? 0o700 : 0o600)
    const { tables } = JSON.parse(readFileSync(join(first, 'manifest.json'), 'utf8')) as Manifest
    for (const { name, rows, sha256, file } of tables.filter((each) => each.file !== null)) {
      const script = `gzip -dc '${file}' | sha256sum; gzip -dc '${file}' | jq -c . | wc -l`
      const { output } = await run(first, 'sh', ['-c', script], {})
      expect([name, ...output.split(/\s+/)]).toEqual([name, sha256, '-', String(rows), ''])
    }
    const titles = await run(first, 'sh', ['-c', 'gzip -dc tables/task.ndjson.gz | jq -r .title'], {})
    expect(titles.output).toContain('Second "quoted" \\ 税\n')
    // What is secret is sealed, or hashed.
    const text = await run(first, 'sh', ['-c', 'gzip -dc tables/*.gz; cat manifest.json'], {})
    for (const secret of [signingSecret, tenant.secret, before.internalSecret, 'sealed header'])
      expect(text.output).not.toContain(secret)
  })

  test('shows the same on Postgres, with other keys that seal; what it counts, signs and remembers goes on', async () => {
    const place = await placeOn(where(), 'on postgres')
    await importFrom(place, first, accepting, silent)
    await place.session.close()
    await using system = await serve(where(), 'on postgres', after)

    const now = await readAll(system, [tenant])

    expect(differing(shown, now)).toEqual([])
    expect([...shown.keys()].length).toBeGreaterThan(100)
    const { api } = tenantOn(system, tenant)
    const last = Number(must(await api('GET', '/api/v1/events?occurredAfter=2999-01-01T00:00:00Z')).lastSequence)
    const position = must(await api('GET', '/api/v1/events?after=3&limit=2'))
    expect(position.data[0].sequence).toBe(4)
    expect(must(await api('POST', '/api/v1/projects', keptBody, kept)).key).toBeDefined()
    expect(must(await api('GET', '/api/v1/events?occurredAfter=2999-01-01T00:00:00Z')).lastSequence).toBe(last)
    const sentBefore = working!.calls.length
    const project = must(await api('POST', '/api/v1/projects', { name: 'After' }))
    const { data: events } = must(await api('GET', `/api/v1/events?after=${last}`))
    expect(events.map(({ sequence, type }: { sequence: number; type: string }) => [sequence, type])).toEqual([
      [last + 1, 'projects.created'],
    ])
    const task = must(await api('POST', '/api/v1/tasks', { projectId: filled.project, title: 'Fourth' }))
    expect(task.identifier).toBe('SITE-4')
    const sent = await eventually(() => working!.calls.slice(sentBefore).at(-1), 'the delivery')
    const signed = new Webhook(signingSecret).verify(sent.body, sent.headers as Record<string, string>)
    expect(signed).toMatchObject({ data: { id: project.id } })
    expect(sent.headers['x-own']).toBe('sealed header')
    const verified = must(await tenantOn(system, tenant).settings('GET', '/audit-entries/verify'))
    expect(verified).toMatchObject({ intact: true })
    // The name of the cookie has the port.
    const cookie = person.cookie().replace(/\d+=/, `${new URL(system.url).port}=`)
    const session = await system.call('GET', '/settings/api/sessions/current', undefined, { cookie })
    expect(session.status).toBe(200)
  })

  test('shows the same when it comes back, and a Postgres that was filled equals one that was restored', async () => {
    const source = await placeOn(where(), 'on postgres')
    stack.defer(source.session.close)
    let expected: Map<string, string>
    {
      await using system = await serve(where(), 'on postgres', after)
      expected = await readAll(system, [tenant])
    }
    await source.session.run('DELETE FROM dispatcher_process')
    await exportTo(source, { ...all, folder: second }, silent)
    const pglite = await freshPglite()
    stack.defer(() => pglite.close())
    const [filledOne, restored] = [await freshPostgres(), await emptyPostgres()]
    stack.defer(filledOne.drop)
    stack.defer(restored.drop)

    await importFrom(await placeOn({ pglite }, 'back'), second, after, silent)
    const place = await placeOn({ url: filledOne.url }, 'filled')
    await importFrom(place, second, after, silent)
    await place.session.close()
    const dumped = await run(
      root,
      'sh',
      ['-c', `pg_dump '${postgres.url}' | psql -qv ON_ERROR_STOP=1 '${restored.url}'`],
      {},
    )

    expect(dumped.code, dumped.output).toBe(0)
    expect(await sumsOf(filledOne.url)).toEqual(await sumsOf(restored.url))
    await using system = await serve({ pglite }, 'back', after)
    expect(differing(expected, await readAll(system, [tenant]))).toEqual([])
  })
})

/** What differs, in short. */
function differing(before: Map<string, string>, now: Map<string, string>): string[] {
  const names = new Set([...before.keys(), ...now.keys()])
  return [...names]
    .filter((name) => before.get(name) !== now.get(name))
    .map((name) => `${name}\n${before.get(name)}\n${now.get(name)}`)
}

const tenantOn = ({ url }: System, { secret, workspaceId }: Tenant) => {
  const { call, operator } = clientOf(url, operatorToken)
  return {
    api: (method: string, path: string, body?: object, headers = {}) =>
      call(method, path, body, { authorization: `Bearer ${secret}`, ...headers }),
    settings: (method: string, path: string) => operator(method, `/settings/api/workspaces/${workspaceId}${path}`),
  }
}

/** What is not carried: of processes that run, and of callers who are connected. */
const transient = new Set([
  ...[
    'dispatcher_process',
    'delivery_watch',
    'delivery_change',
    'sign_in_flow',
    'factor_challenge',
    '_prisma_migrations',
  ],
  'api_call',
  'mail',
  'background_sweep',
])

/** Of each table the hash of its rows as Postgres itself writes them. */
async function sumsOf(url: string): Promise<Record<string, string>> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
  )
  const sums: Record<string, string> = {}
  for (const { name } of tables.filter((each) => !transient.has(each.name))) {
    // The proof of the secret is sealed anew, with another nonce.
    const row = name === 'installation' ? `(to_jsonb(t) - 'sealed_proof')::text` : 't::text'
    const { rows } = await client.query<{ row: string }>(`SELECT ${row} AS row FROM "${name}" t ORDER BY 1`)
    sums[name] = `${rows.length} ${hash('sha256', rows.map(({ row }) => row).join('\n'))}`
  }
  await client.end()
  return sums
}
