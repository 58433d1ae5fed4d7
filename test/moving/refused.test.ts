// What is refused, with what to do; an import that is killed; and one workspace that moves to another installation.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exportTo } from '../../moving/export.ts'
import { importFrom } from '../../moving/import.ts'
import { openSource } from '../../moving/place.ts'
import { readExportOptions, readImportOptions, readSourceSettings, readTargetSettings } from '../../moving/settings.ts'
import { clientOf, must, type Tenant } from '../support/client.ts'
import { connectionsOfTests, freshPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { runToEnd } from '../support/processes.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { run, start } from '../support/run-program.ts'
import { modes } from '../support/system.ts'
import { uploadedFile } from '../support/uploaded-file.ts'
import { installationsIn, operatorToken, sealingKey, secretsWith, silent } from './installations.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'moving-'))
afterAll(() => rmSync(folder, { recursive: true }))
const { placeOn, serve } = installationsIn(folder)

describe.runIf(modes.includes('distributed'))('an installation on Postgres', () => {
  const stack = new AsyncDisposableStack()
  const secrets = secretsWith([sealingKey('first')])
  const whole = join(folder, 'whole')
  const options = { workspaceId: null, whileRunning: false, withFiles: true }
  let tenant: Tenant
  let receiver: Receiver
  let database: { readonly url: string }
  const where = () => ({ url: database.url, connections: connectionsOfTests })
  const importing = (env: Record<string, string>) => ['moving/main.ts', 'import', '--from', env['FROM'] ?? whole]
  const environment = (url: string, more = {}) => ({
    DATABASE_URL: url,
    INTERNAL_SECRET: secrets.internalSecret,
    SEALING_KEYS: `first:${secrets.sealingKeys[0]?.key.export().toString('base64')}`,
    FILES_DIR: join(folder, 'target files'),
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    ...more,
  })
  async function empty() {
    const made = await freshPostgres()
    stack.defer(made.drop)
    return made.url
  }
  async function importHere(url: string, from = whole, keys: Parameters<typeof importFrom>[2] = secrets) {
    await using place = await placeOn({ url }, 'target files')
    await importFrom(place, from, keys, silent)
  }
  async function exportHere(to: string, more = {}) {
    await using place = await placeOn({ url: database.url }, 'source files')
    return await exportTo(place, { ...options, folder: to, ...more }, silent)
  }
  const stopped = () => query(database.url, 'DELETE FROM dispatcher_process')

  beforeAll(async () => {
    const made = await freshPostgres()
    database = made
    stack.defer(made.drop)
    receiver = stack.use(await startReceiver([500]))
    await using system = await serve(where(), 'source files', secrets)
    tenant = await system.tenant()
    const post = async (path: string, body?: object) => must(await tenant.api('POST', `/api/v1${path}`, body))
    await post('/webhooks', { name: 'W', url: receiver.url, eventTypes: ['projects.*'] })
    const paused = await post('/webhooks', { name: 'P', url: receiver.url, eventTypes: ['projects.*'] })
    await post(`/webhooks/${paused.id}/pause`)
    const project = await post('/projects', { name: 'Website', key: 'WEB' })
    for (const title of ['One', 'Two']) await post('/tasks', { projectId: project.id, title })
    await uploadedFile({ api: tenant.api, url: system.url })
    await eventually(async () => {
      const { data } = must(await tenant.api('GET', '/api/v1/deliveries'))
      return data.length === 2
    }, 'the deliveries')
  }, 60_000)
  afterAll(() => stack.disposeAsync())

  test('is exported when nothing runs on it any more, or if it is said to be of the moment', async () => {
    await expect(exportHere(whole)).rejects.toThrow(/^Processes use this database \(dispatcher\): stop them/)
    const atOnce = await exportHere(join(folder, 'running'), { whileRunning: true })
    expect(atOnce.whileRunning).toBe(true)
    await stopped()
    expect(await exportHere(whole)).toMatchObject({ whileRunning: false, files: { count: 1, bytes: 1 } })
    await expect(exportHere(whole)).rejects.toThrow('holds a whole export already')
    await expect(exportHere(folder)).rejects.toThrow('is not empty')

    const url = await empty()
    await importHere(url, join(folder, 'running'))

    const [{ epoch, held }] = await query(
      url,
      `SELECT epoch, (SELECT count(*)::int FROM delivery WHERE last_error_code = 'held_after_restore') AS held FROM installation`,
    )
    expect([typeof epoch, held]).toEqual(['string', 2])
  })

  test('an export that was broken off goes on, and writes anew what has changed since', async () => {
    const to = join(folder, 'broken off')
    cpSync(whole, to, { recursive: true })
    const { format: _, files: _files, ...manifest } = JSON.parse(readFileSync(join(to, 'manifest.json'), 'utf8'))
    writeFileSync(join(to, 'progress.json'), JSON.stringify(manifest))
    rmSync(join(to, 'manifest.json'))
    await expect(importHere(await empty(), to)).rejects.toThrow('was broken off: run the same npm run export again')
    await query(database.url, `UPDATE project SET description = 'changed'`)

    const noted: string[] = []
    await using place = await placeOn({ url: database.url }, 'source files')
    let table = ''
    const report = {
      ...silent,
      begin: (name: string) => (table = name),
      done: (note = '') => noted.push(`${table} ${note}`),
    }
    const again = await exportTo(place, { ...options, folder: to }, report)

    expect(again.exportId).toBe(manifest.exportId)
    expect(noted).toContain('task 2 rows, as before')
    expect(noted).toContain('project 1 rows')
    await query(database.url, `UPDATE project SET description = NULL`)
    await importHere(await empty(), to)
  })

  test('an import that is killed leaves a database that no process starts on, and goes on where it was', async () => {
    const url = await empty()
    const env = environment(url)
    const holder = new Client({ connectionString: url })
    await holder.connect()
    await holder.query('BEGIN; LOCK TABLE task IN SHARE ROW EXCLUSIVE MODE')
    const killed = start(root, process.execPath, importing(env), env)
    await eventually(() => /^project: 1 rows$/m.test(killed.output()), 'the import to be at the tasks')
    killed.child.kill('SIGKILL')
    await eventually(() => killed.child.exitCode !== null || killed.child.signalCode !== null, 'its end')
    await holder.end()

    const refused = await runToEnd('service/main.ts', {
      ...env,
      AMQP_URL: 'amqp://127.0.0.1:1',
      REDIS_URL: 'redis://127.0.0.1:1',
      OPERATOR_TOKEN: operatorToken,
    })
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/^The database is not whole: npm run import/),
    ])
    const other = join(folder, 'running')
    await expect(importHere(url, other)).rejects.toThrow('Another export has been imported into this database in part')
    const resumed = await run(root, process.execPath, importing(env), env)

    expect(resumed.code, resumed.output).toBe(0)
    expect(resumed.output).not.toMatch(/^workspace: /m)
    expect(resumed.output).toMatch(/^task: 2 rows$/m)
    expect(resumed.output).toMatch(/^verified: \d+ tables are as in the export$/m)
    expect(await query(url, 'SELECT count(*)::int AS count FROM installation_import')).toEqual([{ count: 0 }])
    const third = await run(root, process.execPath, importing(env), env)
    expect([third.code, third.output]).toEqual([
      1,
      expect.stringMatching(/^The target is not empty: its table \w+ has/),
    ])
  })

  test('a damaged export, another migration and missing keys are refused before anything is written', async () => {
    const url = await empty()
    const changed = (name: string, change: (path: string) => void): string => {
      const copy = join(folder, name)
      cpSync(whole, copy, { recursive: true })
      change(copy)
      return copy
    }
    const withManifest = (name: string, change: object): string =>
      changed(name, (copy) => {
        const path = join(copy, 'manifest.json')
        writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...change }))
      })
    const bytes = readFileSync(join(whole, 'tables/task.ndjson.gz'))
    const shorter = changed('shorter', (copy) =>
      writeFileSync(join(copy, 'tables/task.ndjson.gz'), bytes.subarray(0, -9)),
    )
    const missing = changed('missing', (copy) => rmSync(join(copy, 'tables/event.ndjson.gz')))
    const older = withManifest('older', { migration: '20261121000000_initial', product: '0.1.0' })

    await expect(importHere(url, shorter)).rejects.toThrow(/task\.ndjson\.gz is damaged/)
    await expect(importHere(url, missing)).rejects.toThrow(/event\.ndjson\.gz is damaged/)
    await expect(importHere(url, older)).rejects.toThrow(/is of version 0\.1\.0 with the migration .* export again/)
    await expect(importHere(url, withManifest('newer', { format: 2 }))).rejects.toThrow('this version reads 1')
    await expect(importHere(url, whole, { ...secrets, sealingKeys: [sealingKey('other')] })).rejects.toThrow(
      'SEALING_KEYS lacks keys that secrets in the export need (first)',
    )
    await expect(importHere(url, whole, { ...secrets, internalSecret: 'x'.repeat(40) })).rejects.toThrow(
      'sealed with another INTERNAL_SECRET',
    )
    for (const table of ['installation_import', 'workspace', 'installation'])
      expect(await query(url, `SELECT count(*)::int AS count FROM ${table}`)).toEqual([{ count: 0 }])
  })

  test('wrong arguments are named, and end with 2', async () => {
    const { code, output } = await run(root, process.execPath, ['moving/main.ts', 'export', '--workspace', 'all'], {})

    expect([code, output]).toEqual([2, expect.stringMatching(/^--workspace must be the id of a workspace, not all/)])
    expect(() => readExportOptions([])).toThrow('--to is missing')
    expect(() => readImportOptions(['--from', 'x', '--force'])).toThrow('--force')
    await expect(openSource({ ...readSourceSettings({}), dataDir: folder })).rejects.toThrow('There is no database in')
    expect(() => readTargetSettings({ DATABASE_URL: 'postgres://127.0.0.1/x' })).toThrow('INTERNAL_SECRET is missing')
  })

  test('one workspace moves to an installation that has others: what waited is held, and positions are told', async () => {
    const to = join(folder, 'workspace')
    const { workspaceId } = tenant
    await expect(exportHere(to, { workspaceId })).rejects.toThrow('is in use: suspend it first')
    {
      await using source = await serve(where(), 'source files', secrets)
      await source.tenant()
      must(await source.operator('PATCH', `/settings/api/workspaces/${workspaceId}`, { suspended: true }))
    }
    await exportHere(to, { workspaceId })
    const [{ last }] = await query(
      database.url,
      `SELECT last::int AS last FROM event_sequence WHERE workspace_id = '${workspaceId}'`,
    )
    const others = secretsWith([sealingKey('others')])
    const both = {
      ...others,
      sealingKeys: [...others.sealingKeys, ...secrets.sealingKeys],
      acceptedSecret: secrets.internalSecret,
    }
    const url = await empty()
    await expect(importHere(url, to, both)).rejects.toThrow('No process has been started on the target')
    await using target = await serve({ url, connections: connectionsOfTests }, 'target files', others)
    const neighbour = await target.tenant()
    await expect(importHere(url, to, both)).rejects.toThrow('another workspace with the slug acme')
    must(await target.operator('PATCH', `/settings/api/workspaces/${neighbour.workspaceId}`, { slug: 'other' }))

    await importHere(url, to, both)

    await expect(importHere(url, to, both)).rejects.toThrow('has a workspace')
    const held = must(await target.operator('GET', '/settings/api/held-deliveries'))
    expect(held).toMatchObject({ deliveries: 2, workspaces: [{ workspaceId }] })
    const { call } = clientOf(target.url, operatorToken)
    const api = (method: string, path: string, body?: object) =>
      call(method, `/api/v1${path}`, body, { authorization: `Bearer ${tenant.secret}` })
    await eventually(
      async () => (await api('GET', '/projects')).body.code === 'workspace_suspended',
      'the key to be known',
    )
    must(await target.operator('PATCH', `/settings/api/workspaces/${workspaceId}`, { suspended: false }))
    await eventually(async () => (await api('GET', '/projects')).status === 200, 'the workspace')
    const { body: lost } = await api('GET', `/events?after=${last + 1}`)
    expect(lost).toMatchObject({ status: 410, code: 'feed_rewound' })
    const { data: since } = must(await api('GET', `/events?after=${last}`))
    expect(since.every(({ sequence }: { sequence: number }) => sequence > last + 1_000)).toBe(true)
    expect(must(await api('GET', '/tasks')).data).toHaveLength(2)
    const { data: files } = must(await api('GET', '/files'))
    expect(
      await (
        await fetch(`${target.url}/api/v1/files/${files[0].id}/content`, {
          headers: { authorization: `Bearer ${tenant.secret}` },
        })
      ).text(),
    ).toBe('x')
    expect(must(await neighbour.api('GET', '/api/v1/projects')).data).toEqual([])
    const calls = receiver.calls.length
    must(
      await target.operator('POST', '/settings/api/held-deliveries/release', {
        action: 'send',
        onlyWorkspaceId: workspaceId,
      }),
    )
    const again = await receiver.count(calls + 1)
    expect(again.at(-1)?.headers['webhook-id']).toBe(again[0]?.headers['webhook-id'])
  })
})

// Rows of statements that tests look with.
// oxlint-disable-next-line typescript/no-explicit-any
async function query(url: string, sql: string): Promise<any[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query(sql)
  await client.end()
  return rows
}
