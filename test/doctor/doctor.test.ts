// `npm run doctor`: a sentence on each thing that a process needs, with everything in order and with something broken.
import { createSecretKey } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#prisma/client.ts'
import { openDataFolder } from '#prisma/pglite.ts'
import { ensureSecretProof, webhookKeyring } from '#prisma/sealing-rows.ts'
import { clockFound } from '../../doctor/database.ts'
import { openFiles } from '../../doctor/machine.ts'
import { validUntil } from '../../doctor/network.ts'
import { stageOn } from '../dispatcher/stage.ts'
import { certificate } from '../support/certificates.ts'
import { emptyPostgres, freshPostgres } from '../support/database.ts'
import { openStores } from '../support/deployment.ts'
import { start, type Running } from '../support/processes.ts'
import { run, type Env } from '../support/run-program.ts'
import { modes } from '../support/system.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'doctor-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The sentences, by how bad they are. */
async function doctor(tier: string, env: Env) {
  const { code, output } = await run(root, process.execPath, ['doctor/main.ts', tier], env)
  const of = (sign: string): string[] =>
    output
      .split('\n')
      .filter((line) => line.startsWith(sign))
      .map((line) => line.slice(sign.length).trim())
  return { code, output, ok: of('ok '), warnings: of('WARNING '), failures: of('FAILURE ') }
}

describe.runIf(modes.includes('distributed'))('of a deployment', () => {
  let env: Env
  let service: Running
  const stack = new AsyncDisposableStack()
  beforeAll(async () => {
    const stores = await openStores({ FILES_DIR: folder })
    stack.defer(stores.close)
    env = stores.env
    service = stack.use(await start('service/main.ts', env))
  })
  afterAll(() => stack.disposeAsync())

  test('everything in order is said in a sentence each, and ends with 0', async () => {
    const [ofService, ofDispatcher, ofGateway] = await Promise.all([
      doctor('service', env),
      doctor('dispatcher', env),
      doctor('gateway', { ...env, SERVICE_URLS: service.url }),
    ])

    for (const { code, failures, output } of [ofService, ofDispatcher, ofGateway])
      expect([code, failures], output).toEqual([0, []])
    const about = ['Node', 'Settings', 'Database', 'Clock', 'Migrations', 'INTERNAL_SECRET', 'SEALING_KEYS', 'Restore']
    for (const each of [...about, 'Redis', 'RabbitMQ', 'FILES_DIR', 'Open files'])
      expect(
        ofService.ok.some((line) => line.startsWith(`${each}: `)),
        each,
      ).toBe(true)
    expect(ofGateway.ok).toContain(`${service.url}: It is ready, and accepts the signature of this INTERNAL_SECRET.`)
  })

  test('a folder for files that is not there is a warning, which names it', async () => {
    const missing = join(folder, 'not', 'mounted')

    const { code, warnings } = await doctor('service', { ...env, FILES_DIR: missing })

    expect(code).toBe(0)
    expect(warnings).toContainEqual(expect.stringContaining(`FILES_DIR: ${missing} is not there`))
  })

  test('wrong settings are named, all of them, and end with 78; a process that is none ends with 2', async () => {
    const { code, failures } = await doctor('service', { ...env, PORT: 'x', TLS_KEY_FILE: '' })

    expect([code, failures]).toEqual([
      78,
      [
        expect.stringMatching(/^Settings: PORT must be a whole number/),
        expect.stringMatching(/^Settings: TLS_KEY_FILE is empty/),
      ],
    ])
    expect((await doctor('servise', env)).code).toBe(2)
  })

  test('an address for reads that is no replica, or is not reached, is a warning', async () => {
    const itself = await doctor('service', { ...env, DATABASE_READ_URL: env['DATABASE_URL']! })
    const nothing = await doctor('service', { ...env, DATABASE_READ_URL: 'postgres://127.0.0.1:1/app' })

    expect([itself.code, itself.warnings]).toEqual([
      0,
      expect.arrayContaining(['Replica: It is none: it takes writes. No read goes to it.']),
    ])
    expect([nothing.code, nothing.warnings]).toEqual([
      0,
      expect.arrayContaining([expect.stringMatching(/^Replica: No read goes to it: .*127\.0\.0\.1:1/)]),
    ])
  })

  test('each part that is away, refuses or cannot be used is a failure of its own', async () => {
    const broken = {
      ...env,
      DATABASE_URL: 'postgres://127.0.0.1:1/none',
      REDIS_URL: 'redis://127.0.0.1:1',
      AMQP_URL: Object.assign(new URL(env['AMQP_URL'] ?? ''), { password: 'mistaken' }).href,
      FILES_DIR: '/proc/nothing',
    }
    const urls = ['http://127.0.0.1:1', 'http://no-such-host.invalid:8081', 'https://127.0.0.1:1', service.url]
    const asGateway = { ...env, SERVICE_URLS: urls.join(), INTERNAL_SECRET: 'x'.repeat(40) }

    const [ofService, ofGateway] = await Promise.all([doctor('service', broken), doctor('gateway', asGateway)])

    expect([ofService.code, ofGateway.code]).toEqual([1, 1])
    expect(ofService.failures.toSorted()).toEqual([
      expect.stringMatching(/^Database: .*127\.0\.0\.1:1/),
      expect.stringMatching(/^FILES_DIR: /),
      'RabbitMQ: RabbitMQ refuses the login: the user or the password in AMQP_URL is wrong.',
      'Redis: Nothing answers at 127.0.0.1:1.',
    ])
    const ofNone = 'It cannot be reached, or its certificate is not to be trusted.'
    expect(ofGateway.failures.toSorted()).toEqual(
      [
        `http://127.0.0.1:1: ${ofNone}`,
        'http://no-such-host.invalid:8081: The host name no-such-host.invalid is not known.',
        `${service.url}: It refuses the signature: INTERNAL_SECRET is another one there, or its clock is off.`,
        `https://127.0.0.1:1: ${ofNone}`,
      ].toSorted(),
    )
    expect(ofService.output + ofGateway.output).not.toMatch(/mistaken|xxxx/)
  })

  test('a database without migrations, with another secret, without a key, or that went back: each says what to do', async () => {
    const empty = await emptyPostgres()
    onTestFinished(empty.drop)
    const made = await freshPostgres()
    const { db, close } = await openDatabase({ url: made.url, connections: 2 })
    onTestFinished(() => close().then(made.drop))
    await ensureSecretProof(db, { internalSecret: 'y'.repeat(40) }, false)
    const { webhook } = await stageOn(db)
    const id = await webhook({ secrets: [] })
    const b = { id: 'b', key: createSecretKey(Buffer.alloc(32, 2)) }
    const keyring = webhookKeyring({ sealingKeys: [b], internalSecret: 'y'.repeat(40) })
    await db.webhook.updateMany({ data: { sealedHeaders: keyring.seal('{}', `webhook-headers:${id}`) } })
    await db.installation.updateMany({ data: { rewoundAt: new Date() } })

    const [lacking, wrong] = await Promise.all([
      doctor('dispatcher', { ...env, DATABASE_URL: empty.url }),
      doctor('dispatcher', {
        ...env,
        DATABASE_URL: made.url,
        SEALING_KEYS: `a:${Buffer.alloc(32, 1).toString('base64')}`,
      }),
    ])

    expect(lacking.failures).toEqual([expect.stringMatching(/^Migrations: .*Run "npm run migrate" first/)])
    expect(wrong.failures.map((line) => line.replaceAll(/\d{4}-\S+/g, 'then')).toSorted()).toEqual([
      expect.stringMatching(/^INTERNAL_SECRET: INTERNAL_SECRET is not the one/),
      expect.stringMatching(/^Restore: .*noticed at then .*RESTORED=true/),
      expect.stringMatching(/^SEALING_KEYS: SEALING_KEYS lacks keys .*: b \(1\)\.$/),
    ])
    expect([lacking.code, wrong.code]).toEqual([1, 1])
  })

  test('a certificate that has expired, or is none, is a failure; one that soon will is a warning', async () => {
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const own = certificate('service', { ip: '127.0.0.1', expired: true })
    const soon = certificate('service', { ip: '127.0.0.1' })
    const with_ = ({ cert, key }: typeof own) => ({
      ...env,
      TLS_CERTIFICATE_FILE: file('c', cert),
      TLS_KEY_FILE: file('k', key),
    })

    const expired = await doctor('service', with_(own))
    const renewed = await doctor('service', with_(soon))

    expect(expired.failures).toEqual([expect.stringMatching(/^TLS_CERTIFICATE_FILE: .*It has expired\.$/)])
    expect(renewed.warnings).toEqual([expect.stringMatching(/^TLS_CERTIFICATE_FILE: .*Renew it\.$/)])
    expect([expired.code, renewed.code]).toEqual([1, 0])
  })
})

test('standalone, while it runs: its database is in use, which is no failure', async () => {
  const data = join(folder, 'in-use')
  mkdirSync(data)
  const pglite = await openDataFolder(join(data, 'database'))
  onTestFinished(() => pglite.close())

  const beside = await doctor('standalone', { DATA_DIR: data })

  const inUse = expect.stringMatching(/^Database: .* is in use by another process\. .*stop that process/)
  expect([beside.code, beside.failures, beside.warnings]).toEqual([0, [], expect.arrayContaining([inUse])])
})

test('standalone: before its first start, and with a data folder that is damaged', async () => {
  const fresh = await doctor('standalone', { DATA_DIR: join(folder, 'none') })
  const damaged = join(folder, 'damaged')
  mkdirSync(join(damaged, 'database', 'base'), { recursive: true })
  const broken = await doctor('standalone', { DATA_DIR: damaged })

  expect([fresh.code, fresh.ok]).toEqual([0, expect.arrayContaining(['Database: It is made at the first start.'])])
  expect([broken.code, broken.failures]).toEqual([
    1,
    [expect.stringMatching(/^Database: .*holds something that is no database/)],
  ])
})

test.each([
  [0, 'ok', /0\.0 seconds/],
  [-1_900, 'ok', /1\.9 seconds ahead of/],
  [2_100, 'warning', /2\.1 seconds behind .*NTP/],
  [-31_000, 'failure', /31\.0 seconds ahead of .*NTP/],
] as const)('a clock that is %i ms off is %s', (ms, level, sentence) => {
  expect(clockFound(ms)).toMatchObject({ level, sentence: expect.stringMatching(sentence) })
})

test('too few open files are a warning, far too few a failure; of certificates the days count', async () => {
  const levelsOf = async (most: number | null, limits: (number | null)[]) =>
    (await Promise.all(limits.map((limit) => openFiles(most, limit).look()))).flat().map(({ level }) => level)

  expect(await levelsOf(10_000, [null, 20_000, 1_024, 100])).toEqual(['ok', 'ok', 'warning', 'failure'])
  expect(await levelsOf(null, [null, 1_024, 1_023, 255])).toEqual(['ok', 'ok', 'warning', 'failure'])
  const day = 86_400_000
  expect([15, 13, -1].map((days) => validUntil('x', new Date(days * day), 0).level)).toEqual([
    'ok',
    'warning',
    'failure',
  ])
})
