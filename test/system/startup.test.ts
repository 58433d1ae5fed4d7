// A process that cannot start says why in one sentence, with an exit code for the supervisor.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clientOf, type Answer } from '../support/client.ts'
import { presetNamed } from '#contract/key-preset.ts'
import { openDatabase } from '#prisma/client.ts'
import { ensureSecretProof } from '#prisma/sealing-rows.ts'
import { emptyPostgres, freshDataFolder, freshPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { figure, scrape } from '../support/exposition.ts'
import { runToEnd, start, type Env, type Program } from '../support/processes.ts'
import { dropQueues } from '../support/drop-queues.ts'
import { services } from '../support/services.ts'

const secrets = { INTERNAL_SECRET: 'i'.repeat(40), OPERATOR_TOKEN: 'o'.repeat(40) }
const nowhere = {
  DATABASE_URL: 'postgres://postgres:hunter2@127.0.0.1:1/none',
  REDIS_URL: 'redis://127.0.0.1:1',
  AMQP_URL: 'amqp://127.0.0.1:1',
}

const folder = (): { path: string } & Disposable => {
  const path = mkdtempSync(join(tmpdir(), 'wia-folder-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

describe('settings', () => {
  test.each<[Program, string[]]>([
    ['gateway/main.ts', ['SERVICE_URLS', 'INTERNAL_SECRET', 'OPERATOR_TOKEN']],
    ['service/main.ts', ['DATABASE_URL', 'AMQP_URL', 'REDIS_URL', 'INTERNAL_SECRET']],
  ])('%s without any names each missing one and exits with 78', async (program, names) => {
    const { code, stderr } = await runToEnd(program, {})

    expect(code).toBe(78)
    for (const name of names) expect(stderr).toContain(name)
    expect(stderr).not.toContain('    at ')
  })

  test('invalid and empty ones are all named at once, but for lists that may be empty, and no secret is printed', async () => {
    const invalid = {
      PORT: 'eighty',
      TRUSTED_PROXIES: '10.0.0.7/24',
      OPERATOR_TOKEN: 'tooshort',
      LOG_LEVEL: 'loud',
      METRICS_PORT: '70000',
    }

    const { code, stderr } = await runToEnd('standalone/main.ts', {
      ...invalid,
      DATABASE_URL: '',
      WEBHOOK_RETRY_SCHEDULE: '',
      WEBHOOK_ALLOW_CIDRS: '',
    })

    expect(code).toBe(78)
    for (const name of Object.keys(invalid)) expect(stderr).toContain(name)
    for (const name of ['DATABASE_URL', 'WEBHOOK_RETRY_SCHEDULE']) expect(stderr).toContain(`${name} is empty`)
    for (const text of ['WEBHOOK_ALLOW_CIDRS', 'tooshort']) expect(stderr).not.toContain(text)
  })
})

describe('what is not to be had', () => {
  /** Each says one sentence, without the password of the database, and exits with 1. */
  async function sentencesOf(programs: readonly Program[], env: Env): Promise<string[]> {
    const ended = await Promise.all(programs.map((program) => runToEnd(program, { ...env, LOG_LEVEL: 'fatal' })))
    expect(ended.map(({ code, stderr }) => [code, stderr.trim().split('\n').length])).toEqual(
      programs.map(() => [1, 1]),
    )
    for (const { stdout, stderr } of ended) expect(stdout + stderr).not.toContain('hunter2')
    return ended.map(({ stderr }) => stderr.trim())
  }

  test('a database that does not answer', async () => {
    expect(await sentencesOf(['service/main.ts'], { ...secrets, ...nowhere })).toHaveLength(1)
  })

  test.skipIf(services().postgres === null)('of a database that is not migrated it is said what to run', async () => {
    await using database = disposable(await emptyPostgres())

    const [said] = await sentencesOf(['service/main.ts'], { ...secrets, ...nowhere, DATABASE_URL: database.url })

    expect(said).toContain('npm run migrate')
  })

  test.skipIf(services().postgres === null)('a secret other than that of the installation', async () => {
    using data = folder()
    await using database = disposable(await freshPostgres())
    const { db, close } = await openDatabase({ url: database.url, connections: 1 })
    await ensureSecretProof(db, 'the secret of the others, long enough', false)
    await close()
    const programs: Program[] = ['service/main.ts', 'dispatcher/main.ts', 'standalone/main.ts']

    const env = { ...secrets, ...nowhere, DATABASE_URL: database.url, DATA_DIR: data.path }

    for (const said of await sentencesOf(programs, env))
      expect(said).toMatch(/^INTERNAL_SECRET is not the one that this database is used with: .*\.$/)
  })

  test('what another process has taken: its data folder, its port', { timeout: 120_000 }, async () => {
    using data = folder()
    using other = folder()
    await Promise.all([freshDataFolder(data.path), freshDataFolder(other.path)])
    const { OPERATOR_TOKEN } = secrets
    const env = { DATA_DIR: data.path, LOG_LEVEL: 'fatal', OPERATOR_TOKEN, WEBHOOK_ALLOW_CIDRS: '' }
    await using holder = await start('standalone/main.ts', env)
    const { port } = new URL(holder.url)

    const [ofFolder] = await sentencesOf(['standalone/main.ts'], { DATA_DIR: data.path, PORT: '0' })
    const [ofPort] = await sentencesOf(['standalone/main.ts'], { DATA_DIR: other.path, PORT: port })

    expect(ofFolder).toMatch(/^The data folder .* is in use by another process\.$/)
    expect(ofPort).toMatch(new RegExp(`^Port ${port} is already in use.*$`))
    // An empty list is not the one that is left out, with which the command of the first run works.
    const tenant = await clientOf(holder.url, OPERATOR_TOKEN).tenant()
    const webhook = { name: 'Here', url: 'http://127.0.0.1:9000/', eventTypes: ['projects.*'] }
    expect((await tenant.settings('POST', '/webhooks', webhook)).status).toBe(422)
  })
})

test.skipIf(services().postgres === null)(
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
    'the first run prints what works when pasted, the second finds it again and prints it not',
    { timeout: 90_000 },
    async () => {
      using data = folder()
      const first = await start('standalone/main.ts', { DATA_DIR: data.path, LOG_LEVEL: 'fatal', METRICS_PORT: '0' })
      await eventually(() => first.stdout().includes('Metrics at'), 'the first run to say what to do')
      const { 1: metricsUrl = '' } = /^Metrics at (\S+)$/m.exec(first.stdout()) ?? []
      expect(figure(await scrape(metricsUrl), 'http_server_requests_total', { tier: 'gateway' })).toBeGreaterThan(0)
      const key = /API key +(wsk_\S+)/.exec(first.stdout())?.[1] ?? ''
      const commands = first.stdout().match(/^ {2}curl .*$/gm) ?? []
      expect(commands).toHaveLength(5)
      const answers = []
      for (const command of commands) answers.push(await pasted(command))
      for (const answer of answers) expect(answer).toMatch(/^\{"(data|id|workspaceId|result|jsonrpc)/)
      const second = JSON.parse(answers.at(-1) ?? '')
      expect(second.scopes).toEqual(presetNamed('read-only').scopes)
      expect((await listWith(first.url, second.secret)).status).toBe(200)
      expect(first.stdout()).toContain('/settings/setup#')
      expect(await first.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' })

      const limits = { RATE_LIMIT_KEY_PER_MINUTE: '500', RATE_LIMIT_WORKSPACE_PER_MINUTE: '2000' }
      await using again = await start('standalone/main.ts', { DATA_DIR: data.path, LOG_LEVEL: 'fatal', ...limits })

      const { status, body, headers } = await listWith(again.url, key)
      expect(status).toBe(200)
      expect(headers.get('ratelimit-policy')).toBe('"key";q=500;w=60, "workspace";q=2000;w=60')
      expect(body.data.map(({ name }: { name: string }) => name)).toContain('First of my own')
      for (const once of ['API key', '/settings/setup#']) expect(again.stdout()).not.toContain(once)
      expect(readdirSync(data.path)).toContain('operator-token')
    },
  )

  // Each two of the settings are given together, each alone, and neither; none at all is given in the test above.
  test.skipIf(Object.values(services()).includes(null)).each([
    ['DATABASE_URL and INTERNAL_SECRET', ['DATABASE_URL', 'INTERNAL_SECRET']],
    ['all but INTERNAL_SECRET', ['DATABASE_URL', 'OPERATOR_TOKEN', 'REDIS_URL', 'AMQP_URL']],
    ['all but DATABASE_URL', ['INTERNAL_SECRET', 'OPERATOR_TOKEN', 'REDIS_URL', 'AMQP_URL']],
  ])(
    'with %s given it starts in place of the embedded parts, and once more',
    { timeout: 120_000 },
    async (_, given) => {
      using data = folder()
      await using undo = new AsyncDisposableStack()
      const { redis, rabbit } = services()
      const isEmbedded = !given.includes('DATABASE_URL')
      const dataDir = isEmbedded ? data.path : join(data.path, 'not', 'there')
      if (isEmbedded) await freshDataFolder(dataDir)
      const database = isEmbedded ? null : undo.use(disposable(await emptyPostgres()))
      const brand = `test-${randomUUID().slice(0, 8)}`
      undo.defer(() => dropQueues(rabbit ?? '', brand))
      const all: Env = { ...secrets, DATABASE_URL: database?.url ?? '', REDIS_URL: redis ?? '', AMQP_URL: rabbit ?? '' }
      const env = Object.fromEntries(given.map((name) => [name, all[name] ?? '']))

      let key: string | undefined
      for (const run of ['first', 'second']) {
        const running = await start('standalone/main.ts', {
          DATA_DIR: dataDir,
          BRAND: brand,
          LOG_LEVEL: 'fatal',
          ...env,
        })
        await eventually(() => running.stdout().includes('Make your account'), `the end of the ${run} start`)
        key ??= /API key +(wsk_\S+)/.exec(running.stdout())?.[1]
        const { body } = await listWith(running.url, key ?? '')

        expect(running.stdout().includes('/settings/setup#'), run).toBe(run === 'first')
        expect(body.data, run).toHaveLength(3)
        expect(await running.kill('SIGTERM'), run).toMatchObject({ code: 0, stderr: '' })
      }
      expect(existsSync(join(dataDir, 'database'))).toBe(isEmbedded)
    },
  )
})

const disposable = <T extends { drop(): Promise<void> }>(database: T): T & AsyncDisposable => ({
  ...database,
  [Symbol.asyncDispose]: database.drop,
})

const listWith = (url: string, secret: string): Promise<Answer> =>
  clientOf(url, '').call('GET', '/api/v1/projects', undefined, { authorization: `Bearer ${secret}` })

/** A command from the screen, run by a shell as it stands there. */
async function pasted(command: string): Promise<string> {
  return new Promise((resolve, reject) =>
    execFile('sh', ['-c', command.trim()], (error, stdout) => (error ? reject(error) : resolve(stdout))),
  )
}
