// A process that cannot start says why in one sentence, with an exit code for the supervisor.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clientOf } from '../support/client.ts'
import { presetNamed } from '#contract/key-preset.ts'
import { openDatabase } from '#prisma/client.ts'
import { ensureSecretProof } from '#prisma/sealing-rows.ts'
import { emptyPostgres, freshDataFolder, freshPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { figure, scrape } from '../support/exposition.ts'
import { runToEnd, start, type Program } from '../support/processes.ts'
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
    ['dispatcher/main.ts', ['DATABASE_URL', 'AMQP_URL', 'INTERNAL_SECRET']],
  ])('%s without any names each missing one and exits with 78', async (program, names) => {
    const { code, stderr } = await runToEnd(program, {})

    expect(code).toBe(78)
    for (const name of names) expect(stderr).toContain(name)
    expect(stderr).not.toContain('    at ')
  })

  test('invalid ones are all reported at once, and no secret is printed', async () => {
    const { code, stderr } = await runToEnd('standalone/main.ts', {
      PORT: 'eighty',
      TRUSTED_PROXIES: '10.0.0.7/24',
      OPERATOR_TOKEN: 'tooshort',
      LOG_LEVEL: 'loud',
      METRICS_PORT: '70000',
    })

    expect(code).toBe(78)
    for (const name of ['PORT', 'TRUSTED_PROXIES', 'OPERATOR_TOKEN', 'LOG_LEVEL', 'METRICS_PORT'])
      expect(stderr).toContain(name)
    expect(stderr).not.toContain('tooshort')
  })

  test('an empty value is refused by name, except for a list that may be empty', async () => {
    const { code, stderr } = await runToEnd('standalone/main.ts', {
      PORT: '',
      DATABASE_URL: '',
      WEBHOOK_RETRY_SCHEDULE: '',
      WEBHOOK_ALLOW_CIDRS: '',
      TRUSTED_PROXIES: '',
      // So that it ends in any case.
      LOG_LEVEL: 'loud',
    })

    expect(code).toBe(78)
    for (const name of ['PORT', 'DATABASE_URL', 'WEBHOOK_RETRY_SCHEDULE']) expect(stderr).toContain(`${name} is empty`)
    for (const name of ['WEBHOOK_ALLOW_CIDRS', 'TRUSTED_PROXIES']) expect(stderr).not.toContain(name)
  })
})

describe('what is not to be had', () => {
  test('a port in use is reported in one sentence', async () => {
    using data = folder()
    await freshDataFolder(data.path)
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo

    const { code, stderr } = await runToEnd('standalone/main.ts', {
      DATA_DIR: data.path,
      PORT: String(port),
      LOG_LEVEL: 'fatal',
    })

    taken.close()
    expect(code).toBe(1)
    expect(stderr.trim()).toMatch(new RegExp(`^Port ${port} is already in use.*$`))
  })

  test.each<Program>(['service/main.ts', 'dispatcher/main.ts'])(
    'a database that does not answer is one sentence from %s, without its password',
    async (program) => {
      const { code, stderr, stdout } = await runToEnd(program, { ...secrets, ...nowhere, LOG_LEVEL: 'fatal' })

      expect(code).toBe(1)
      expect(stderr.trim().split('\n')).toHaveLength(1)
      expect(stderr + stdout).not.toContain('hunter2')
    },
  )

  test.skipIf(services().postgres === null)(
    'a database that is not migrated is one sentence that says what to run',
    async () => {
      const { url, drop } = await emptyPostgres()

      const { code, stderr } = await runToEnd('service/main.ts', {
        ...secrets,
        ...nowhere,
        DATABASE_URL: url,
        LOG_LEVEL: 'fatal',
      })

      await drop()
      expect(code).toBe(1)
      expect(stderr.trim()).toContain('npm run migrate')
    },
  )

  test
    .skipIf(services().postgres === null)
    .each<Program>(['service/main.ts', 'dispatcher/main.ts', 'standalone/main.ts'])(
    'a secret other than that of the installation is one sentence from %s',
    async (program) => {
      using data = folder()
      const { url, drop } = await freshPostgres()
      const { db, close } = await openDatabase({ url, connections: 1 })
      await ensureSecretProof(db, 'the secret of the others, long enough', false)
      await close()

      const { code, stderr } = await runToEnd(program, {
        ...secrets,
        ...nowhere,
        DATABASE_URL: url,
        DATA_DIR: data.path,
        LOG_LEVEL: 'fatal',
      })

      await drop()
      expect(code).toBe(1)
      expect(stderr.trim()).toMatch(/^INTERNAL_SECRET is not the one that this database is used with: .*\.$/)
    },
  )

  test('a data folder in use by another process is reported in one sentence', { timeout: 60_000 }, async () => {
    using data = folder()
    await freshDataFolder(data.path)
    await using _holder = await start('standalone/main.ts', { DATA_DIR: data.path, LOG_LEVEL: 'fatal' })

    const { code, stderr } = await runToEnd('standalone/main.ts', {
      DATA_DIR: data.path,
      PORT: '0',
      LOG_LEVEL: 'fatal',
    })

    expect(code).toBe(1)
    expect(stderr.trim()).toMatch(/^The data folder .* is in use by another process\.$/)
  })
})

test.skipIf(services().postgres === null)(
  'the link to make the first account is logged by the first start of a service alone; another is printed on demand',
  async () => {
    const { url, drop } = await freshPostgres()
    await using undo = new AsyncDisposableStack()
    undo.defer(drop)
    const env = { ...secrets, ...nowhere, DATABASE_URL: url, PUBLIC_URL: 'https://api.example.com' }
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
  test.each([
    ['left out', {}, 201],
    ['empty', { WEBHOOK_ALLOW_CIDRS: '' }, 422],
  ])(
    'WEBHOOK_ALLOW_CIDRS %s: whether webhooks may be sent to this machine',
    { timeout: 60_000 },
    async (_how, given, status) => {
      using data = folder()
      await freshDataFolder(data.path)
      const env = { DATA_DIR: data.path, LOG_LEVEL: 'fatal', OPERATOR_TOKEN: secrets.OPERATOR_TOKEN, ...given }
      await using running = await start('standalone/main.ts', env)
      const tenant = await clientOf(running.url, secrets.OPERATOR_TOKEN).tenant()

      const webhook = { name: 'Here', url: 'http://127.0.0.1:9000/', eventTypes: ['projects.*'] }
      const answer = await tenant.settings('POST', '/webhooks', webhook)

      expect(answer.status).toBe(status)
    },
  )

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
      expect(await statusWith(first.url, second.secret)).toBe(200)
      expect((await first.kill('SIGTERM')).code).toBe(0)

      const limits = { RATE_LIMIT_KEY_PER_MINUTE: '500', RATE_LIMIT_WORKSPACE_PER_MINUTE: '2000' }
      await using again = await start('standalone/main.ts', { DATA_DIR: data.path, LOG_LEVEL: 'fatal', ...limits })

      const { status, body, headers } = await clientOf(again.url, '').call('GET', '/api/v1/projects', undefined, {
        authorization: `Bearer ${key}`,
      })
      expect(status).toBe(200)
      expect(headers.get('ratelimit-policy')).toBe('"key";q=500;w=60, "workspace";q=2000;w=60')
      expect(body.data.map(({ name }: { name: string }) => name)).toContain('First of my own')
      expect(again.stdout()).not.toContain('API key')
      expect(readdirSync(data.path)).toContain('operator-token')
    },
  )

  test
    .skipIf(services().postgres === null)
    .each(
      subsetsOf(['DATABASE_URL', 'INTERNAL_SECRET', 'OPERATOR_TOKEN']).map((given) => [
        given.join(', ') || 'nothing',
        given,
      ]),
    )('with %s given it starts, and once more', { timeout: 120_000 }, async (_names, given) => {
    using data = folder()
    await using undo = new AsyncDisposableStack()
    const isEmbedded = !given.includes('DATABASE_URL')
    const dataDir = isEmbedded ? data.path : join(data.path, 'not', 'there')
    // What takes its time at the first start is tested elsewhere: an empty database.
    if (isEmbedded) await freshDataFolder(dataDir)
    const database = isEmbedded ? null : undo.adopt(await freshPostgres(), ({ drop }) => drop())
    const all: Record<string, string> = { DATABASE_URL: database?.url ?? '', ...secrets }
    const env = Object.fromEntries(given.map((name) => [name, all[name] ?? '']))

    for (const run of ['first', 'second']) {
      const running = await start('standalone/main.ts', { DATA_DIR: dataDir, LOG_LEVEL: 'fatal', ...env })
      await eventually(() => running.stdout().includes('Make your account'), `the end of the ${run} start`)
      expect(running.stdout().includes('/settings/setup#'), run).toBe(run === 'first')
      expect(await running.kill('SIGTERM'), run).toMatchObject({ code: 0, stderr: '' })
    }
  })

  test.skipIf(Object.values(services()).includes(null)).each([
    ['DATABASE_URL', ['DATABASE_URL']],
    ['REDIS_URL and AMQP_URL', ['REDIS_URL', 'AMQP_URL']],
    ['all three', ['DATABASE_URL', 'REDIS_URL', 'AMQP_URL']],
  ])('%s replaces the embedded part by the real one', { timeout: 90_000 }, async (_name, variables) => {
    using data = folder()
    const { url, drop } = await emptyPostgres()
    const { redis, rabbit } = services()
    const brand = `test-${randomUUID().slice(0, 8)}`
    const all: Record<string, string> = { DATABASE_URL: url, REDIS_URL: redis ?? '', AMQP_URL: rabbit ?? '' }
    const chosen = Object.fromEntries(variables.map((name) => [name, all[name] ?? '']))
    const running = await start('standalone/main.ts', {
      DATA_DIR: data.path,
      BRAND: brand,
      LOG_LEVEL: 'fatal',
      ...chosen,
    })

    await eventually(() => running.stdout().includes('API key'), 'the first run to make a key')
    const key = /API key +(wsk_\S+)/.exec(running.stdout())?.[1] ?? ''
    const list = () =>
      clientOf(running.url, '').call('GET', '/api/v1/projects', undefined, { authorization: `Bearer ${key}` })
    expect((await list()).body.data).toHaveLength(3)

    expect(readdirSync(data.path).includes('database')).toBe(!variables.includes('DATABASE_URL'))
    expect((await running.kill('SIGTERM')).code).toBe(0)
    if (variables.includes('AMQP_URL')) await dropQueues(rabbit ?? '', brand)
    await drop()
  })
})

/** Each choice of some of them, none and all included. */
const subsetsOf = (names: readonly string[]): string[][] =>
  names.reduce<string[][]>((subsets, name) => subsets.flatMap((subset) => [subset, [...subset, name]]), [[]])

const statusWith = async (url: string, secret: string): Promise<number> =>
  (await clientOf(url, '').call('GET', '/api/v1/projects', undefined, { authorization: `Bearer ${secret}` })).status

/** A command from the screen, run by a shell as it stands there. */
async function pasted(command: string): Promise<string> {
  const { execFile } = await import('node:child_process')
  return new Promise((resolve, reject) =>
    execFile('sh', ['-c', command.trim()], (error, stdout) => (error ? reject(error) : resolve(stdout))),
  )
}
