// A process that cannot start says why in one sentence, with an exit code for the supervisor.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { clientOf, type Answer } from '../support/client.ts'
import { presetNamed } from '#contract/key-preset.ts'
import { openDatabase } from '#prisma/client.ts'
import { oldestPostgres } from '#prisma/route.ts'
import { ensureSecretProof } from '#prisma/sealing-rows.ts'
import { emptyPostgres, freshDataFolder, freshPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { figure, scrape } from '../support/exposition.ts'
import { runToEnd, start, type Env, type Program } from '../support/processes.ts'
import { dropQueues } from '../support/drop-queues.ts'
import { run } from '../support/run-program.ts'
import { services } from '../support/services.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const secrets = { INTERNAL_SECRET: 'i'.repeat(40), OPERATOR_TOKEN: 'o'.repeat(40) }
const nowhere = {
  DATABASE_URL: 'postgres://postgres:hunter2@127.0.0.1:1/none',
  REDIS_URL: 'redis://127.0.0.1:1',
  AMQP_URL: 'amqp://127.0.0.1:1',
}

const withoutPostgres = services().postgres === null
const folder = (): { path: string } & Disposable => {
  const path = mkdtempSync(join(tmpdir(), 'wia-folder-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
const disposable = <T extends { drop(): Promise<void> }>(database: T): T & AsyncDisposable => ({
  ...database,
  [Symbol.asyncDispose]: database.drop,
})

test('settings that are missing, empty or invalid are all named at once, with exit code 78 and no secret, but for lists that may be empty', async () => {
  const invalid = { PORT: 'eighty', TRUSTED_PROXIES: '10.0.0.7/24', OPERATOR_TOKEN: 'tooshort', LOG_LEVEL: 'loud' }
  const empty = { DATABASE_URL: '', WEBHOOK_RETRY_SCHEDULE: '', WEBHOOK_ALLOW_CIDRS: '' }
  const cases: [Program, Env, string[]][] = [
    ['gateway/main.ts', {}, ['SERVICE_URLS', 'INTERNAL_SECRET', 'OPERATOR_TOKEN']],
    ['service/main.ts', {}, ['DATABASE_URL', 'AMQP_URL', 'REDIS_URL', 'INTERNAL_SECRET']],
    [
      'dispatcher/main.ts',
      { WEBHOOK_RETRY_SCHEDULE: '5,never', WEBHOOK_ALLOW_CIDRS: '10.0.0.0/33' },
      ['DATABASE_URL', 'AMQP_URL', 'INTERNAL_SECRET', 'WEBHOOK_RETRY_SCHEDULE', 'WEBHOOK_ALLOW_CIDRS'],
    ],
    [
      'standalone/main.ts',
      { ...invalid, ...empty, METRICS_PORT: '70000' },
      [...Object.keys(invalid), 'METRICS_PORT', 'DATABASE_URL is empty', 'WEBHOOK_RETRY_SCHEDULE is empty'],
    ],
  ]

  const ended = await Promise.all(cases.map(([program, env]) => runToEnd(program, env)))

  for (const [at, { code, stderr }] of ended.entries()) {
    expect(code).toBe(78)
    for (const text of cases[at]?.[2] ?? []) expect(stderr).toContain(text)
    for (const text of ['    at ', 'WEBHOOK_ALLOW_CIDRS is empty', 'tooshort']) expect(stderr).not.toContain(text)
  }
})

async function queried(connectionString: string, text: string) {
  const client = new Client({ connectionString })
  await client.connect()
  try {
    return await client.query(text)
  } finally {
    await client.end()
  }
}

/** Each says one sentence, without the password of the database, and exits with 1. */
async function sentencesOf(programs: readonly Program[], env: Env): Promise<string[]> {
  const ended = await Promise.all(programs.map((program) => runToEnd(program, { ...env, LOG_LEVEL: 'fatal' })))
  expect(ended.map(({ code, stderr }) => [code, stderr.trim().split('\n').length])).toEqual(programs.map(() => [1, 1]))
  for (const { stdout, stderr } of ended) expect(stdout + stderr).not.toContain('hunter2')
  return ended.map(({ stderr }) => stderr.trim())
}

test('that a database does not answer is one sentence', async () => {
  expect(await sentencesOf(['service/main.ts', 'dispatcher/main.ts'], { ...secrets, ...nowhere })).toHaveLength(2)
})

test.skipIf(withoutPostgres)(
  'that Postgres is older than it may be is one sentence of each that opens it, of the migration too',
  { timeout: 120_000 },
  async () => {
    await using database = disposable(await freshPostgres())
    const { rows } = await queried(database.url, `SELECT current_setting('server_version_num')::int / 10000 AS version`)
    const field = (version: number) => Buffer.from(`\0\0\0\x02${version}`)
    const [present, older] = [field(rows[0].version), field(oldestPostgres - 1)]
    /** The field of a row that has the version, and nothing else. */
    const change = (said: Buffer): Buffer => {
      const at = said.indexOf(present)
      return at < 0 ? said : Buffer.concat([said.subarray(0, at), older, said.subarray(at + older.length)])
    }
    await using old = await startTcpProxy(database.url, { change })
    const programs = ['service/main.ts', 'dispatcher/main.ts', 'prisma/main.ts'] as const

    const said = await sentencesOf(programs, { ...secrets, ...nowhere, DATABASE_URL: old.url })

    for (const sentence of said)
      expect(sentence).toMatch(/^The database at \S+ is Postgres 13; 14 or newer is needed\.$/)
  },
)

test.skipIf(withoutPostgres)(
  'that it is not migrated, with what to run, and that its secret is another than that of the installation are one, too',
  { timeout: 120_000 },
  async () => {
    using data = folder()
    await using empty = disposable(await emptyPostgres())
    await using used = disposable(await freshPostgres())
    const { db, close } = await openDatabase({ url: used.url, connections: 1 })
    await ensureSecretProof(db, { internalSecret: 'the secret of the others, long enough' }, false)
    await close()
    const env = { ...secrets, ...nowhere, DATA_DIR: data.path }

    const [bare] = await sentencesOf(['service/main.ts'], { ...env, DATABASE_URL: empty.url })
    const programs = ['service/main.ts', 'dispatcher/main.ts', 'standalone/main.ts'] as const
    const ofSecret = await sentencesOf(programs, { ...env, DATABASE_URL: used.url })

    expect(bare).toContain('npm run migrate')
    for (const said of ofSecret)
      expect(said).toMatch(/^INTERNAL_SECRET is not the one that this database is used with: .*\.$/)
  },
)

test.skipIf(withoutPostgres)(
  'the link to make the first account is logged by the first start of a service alone; another is printed on demand',
  async () => {
    await using database = disposable(await freshPostgres())
    const env = { ...secrets, ...nowhere, DATABASE_URL: database.url, PUBLIC_URL: 'https://api.example.com' }
    const link = /https:\/\/api\.example\.com\/settings\/setup#[\w-]{22}/g
    const logs = []
    for (const _start of ['first', 'second']) {
      const running = await start('service/main.ts', env)
      await eventually(() => running.stdout().includes('there is no account yet'), 'the line')
      logs.push((await running.kill('SIGTERM')).stdout)
    }

    const { code, stdout } = await runToEnd('service/setup-link.ts', env)

    expect(logs.map((log) => log.match(link)?.length ?? 0)).toEqual([1, 0])
    expect(logs[1]).toContain('npm run setup-link')
    expect({ code, links: stdout.match(link)?.length }).toEqual({ code: 0, links: 1 })
    expect(stdout).not.toContain(logs[0]?.match(link)?.[0])
  },
)

describe('standalone', () => {
  test(
    'the first run prints what works when pasted, the second finds it again and prints it not; its folder and its port are taken',
    { timeout: 180_000 },
    async () => {
      using data = folder()
      using other = folder()
      await freshDataFolder(other.path)
      const first = await start('standalone/main.ts', { DATA_DIR: data.path, LOG_LEVEL: 'fatal', METRICS_PORT: '0' })
      await eventually(() => first.stdout().includes('Metrics at'), 'the first run to say what to do')
      const { 1: metricsUrl = '' } = /^Metrics at (\S+)$/m.exec(first.stdout()) ?? []
      expect(figure(await scrape(metricsUrl), 'http_server_requests_total', { tier: 'gateway' })).toBeGreaterThan(0)
      const key = /API key +(wsk_\S+)/.exec(first.stdout())?.[1] ?? ''
      const commands = first.stdout().match(/^ {2}curl .*$/gm) ?? []
      expect(commands).toHaveLength(5)
      const answers = []
      for (const command of commands) answers.push(await run(data.path, 'sh', ['-c', `${command} 2>/dev/null`], {}))
      for (const { code, output } of answers) {
        expect(code).toBe(0)
        expect(output).toMatch(/^\{"(data|id|workspaceId|result|jsonrpc)/)
      }
      const second = JSON.parse(answers.at(-1)?.output ?? '')
      expect(second.scopes).toEqual(presetNamed('read-only').scopes)
      expect((await listWith(first.url, second.secret)).status).toBe(200)
      expect(first.stdout()).toContain('/settings/setup#')
      expect(await first.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' })

      const limits = { RATE_LIMIT_KEY_PER_MINUTE: '500', RATE_LIMIT_WORKSPACE_PER_MINUTE: '2000' }
      const more = { LOG_LEVEL: 'fatal', WEBHOOK_ALLOW_CIDRS: '', ...limits }
      await using again = await start('standalone/main.ts', { DATA_DIR: data.path, ...more })
      const { port } = new URL(again.url)
      const [ofFolder] = await sentencesOf(['standalone/main.ts'], { DATA_DIR: data.path, PORT: '0' })
      const [ofPort] = await sentencesOf(['standalone/main.ts'], { DATA_DIR: other.path, PORT: port })

      const { status, body, headers } = await listWith(again.url, key)
      expect(status).toBe(200)
      expect(headers.get('ratelimit-policy')).toBe('"key";q=500;w=60, "workspace";q=2000;w=60')
      expect(body.data.map(({ name }: { name: string }) => name)).toContain('First of my own')
      for (const once of ['API key', '/settings/setup#']) expect(again.stdout()).not.toContain(once)
      expect(ofFolder).toMatch(/^The data folder .* is in use by another process\.$/)
      expect(ofPort).toMatch(new RegExp(`^Port ${port} is already in use.*$`))
      // An empty list is not the one that is left out, with which the command of the first run works.
      const token = readFileSync(join(data.path, 'operator-token'), 'utf8').trim()
      const tenant = await clientOf(again.url, token).tenant()
      const webhook = { name: 'Here', url: 'http://127.0.0.1:9000/', eventTypes: ['projects.*'] }
      expect((await tenant.settings('POST', '/webhooks', webhook)).status).toBe(422)
    },
  )

  // Each two of the settings are given together, each alone, and neither; none at all is given in the test above, where
  // the embedded database is started once more.
  test.skipIf(Object.values(services()).includes(null)).each([
    ['DATABASE_URL and INTERNAL_SECRET', ['DATABASE_URL', 'INTERNAL_SECRET'], freshPostgres],
    ['all but INTERNAL_SECRET', ['DATABASE_URL', 'OPERATOR_TOKEN', 'REDIS_URL', 'AMQP_URL'], emptyPostgres],
    ['all but DATABASE_URL', ['INTERNAL_SECRET', 'OPERATOR_TOKEN', 'REDIS_URL', 'AMQP_URL'], null],
  ])(
    'with %s given it starts in place of the embedded parts, and finds its own database once more',
    { timeout: 120_000 },
    async (_, given, openOwn) => {
      using data = folder()
      await using undo = new AsyncDisposableStack()
      const { redis, rabbit } = services()
      const dataDir = openOwn === null ? data.path : join(data.path, 'not', 'there')
      if (openOwn === null) await freshDataFolder(dataDir)
      const database = openOwn === null ? null : undo.use(disposable(await openOwn()))
      const brand = `test-${randomUUID().slice(0, 8)}`
      undo.defer(() => dropQueues(rabbit ?? '', brand))
      const all: Env = { ...secrets, DATABASE_URL: database?.url ?? '', REDIS_URL: redis ?? '', AMQP_URL: rabbit ?? '' }
      const asked = Object.fromEntries(given.map((name) => [name, all[name] ?? '']))
      const env = { DATA_DIR: dataDir, BRAND: brand, LOG_LEVEL: 'fatal', ...asked }

      let key: string | undefined
      for (const attempt of openOwn === null ? ['first'] : ['first', 'second']) {
        const running = await start('standalone/main.ts', env)
        await eventually(() => running.stdout().includes('Make your account'), `the end of the ${attempt} start`)
        key ??= /API key +(wsk_\S+)/.exec(running.stdout())?.[1]
        const { body } = await listWith(running.url, key ?? '')

        expect(running.stdout().includes('/settings/setup#'), attempt).toBe(attempt === 'first')
        expect(body.data, attempt).toHaveLength(3)
        expect(await running.kill('SIGTERM'), attempt).toMatchObject({ code: 0, stderr: '' })
      }
      expect(existsSync(join(dataDir, 'database'))).toBe(openOwn === null)
    },
  )
})

const listWith = (url: string, secret: string): Promise<Answer> =>
  clientOf(url, '').call('GET', '/api/v1/projects', undefined, { authorization: `Bearer ${secret}` })
