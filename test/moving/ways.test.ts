// The ways to a database by which an installation leaves and arrives: through PgBouncer, as a role that owns nothing,
// and without the contents of files where both have the same store.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grantTo } from '#prisma/app-role.ts'
import { openSession } from '#prisma/sql-session.ts'
import { exportTo } from '../../moving/export.ts'
import { importFrom } from '../../moving/import.ts'
import type { Manifest } from '../../moving/archive.ts'
import { clientOf, must, type Tenant } from '../support/client.ts'
import { connectionsOfTests, freshPostgres } from '../support/database.ts'
import { pgbouncers, startPgbouncer } from '../support/servers/pgbouncer.ts'
import { modes } from '../support/system.ts'
import { uploadedFile } from '../support/uploaded-file.ts'
import { installationsIn, operatorToken, sealingKey, secretsWith, silent } from './installations.ts'

const folder = mkdtempSync(join(tmpdir(), 'moving-'))
afterAll(() => rmSync(folder, { recursive: true }))
const { placeOn, serve } = installationsIn(folder)
const secrets = secretsWith([sealingKey('first')])
const options = { workspaceId: null, whileRunning: false, withFiles: true }
const store = 'files'

describe.runIf(modes.includes('distributed'))('an installation with a file', () => {
  const stack = new AsyncDisposableStack()
  const whole = join(folder, 'whole')
  let source: string
  let tenant: Tenant
  let project: string
  let file: string

  const empty = async (): Promise<string> => {
    const made = await freshPostgres()
    stack.defer(made.drop)
    return made.url
  }
  const exportFrom = async (url: string, to: string, more = {}) => {
    await using place = await placeOn({ url }, store)
    return await exportTo(place, { ...options, folder: to, ...more }, silent)
  }
  const importTo = async (url: string, from: string, files = store) => {
    await using place = await placeOn({ url }, files)
    await importFrom(place, from, secrets, silent)
  }
  /** The proof of the secret is sealed anew. */
  const comparable = (tables: Manifest['tables']) => tables.filter(({ name }) => name !== 'installation')
  /** By another process on the imported database. */
  async function shown(url: string, files = store) {
    await using system = await serve({ url, connections: connectionsOfTests }, files, secrets)
    const { call } = clientOf(system.url, operatorToken)
    const headers = { authorization: `Bearer ${tenant.secret}` }
    const read = async (path: string) => must(await call('GET', `/api/v1${path}`, undefined, headers))
    return { project: await read(`/projects/${project}`), file: await read(`/files/${file}`) }
  }

  beforeAll(async () => {
    source = await empty()
    await using system = await serve({ url: source, connections: connectionsOfTests }, store, secrets)
    tenant = await system.tenant()
    project = must(await tenant.api('POST', '/api/v1/projects', { name: 'Website', key: 'WEB' })).id
    must(await tenant.api('POST', '/api/v1/tasks', { projectId: project, title: 'Start page' }))
    file = await uploadedFile({ api: tenant.api, url: system.url })
  }, 60_000)
  beforeAll(async () => {
    const session = await openSession({ url: source })
    await session.run('DELETE FROM dispatcher_process')
    await session.close()
    await exportFrom(source, whole)
  })
  afterAll(() => stack.disposeAsync())

  test.skipIf(pgbouncers().length === 0)('leaves and arrives through PgBouncer', async () => {
    const { program } = pgbouncers()[0]!
    const target = await empty()
    await using before = await startPgbouncer(program, source)
    await using behind = await startPgbouncer(program, target)
    const exported = await exportFrom(before.url, join(folder, 'pooled'))

    await importTo(behind.url, join(folder, 'pooled'))

    const { tables } = await exportFrom(target, join(folder, 'pooled again'))
    expect(comparable(tables)).toEqual(comparable(exported.tables))
    expect(await shown(target)).toMatchObject({ project: { key: 'WEB' } })
  })

  test('leaves and arrives as a role that owns nothing', async () => {
    const target = await empty()
    const role = `wia_test_app_${randomUUID().replaceAll('-', '')}`
    const asRole = (url: string) => Object.assign(new URL(url), { username: role }).href
    for (const url of [source, target]) {
      const session = await openSession({ url })
      if (url === source) await session.run(`CREATE ROLE ${role} LOGIN`)
      await session.transaction(() => grantTo(session, role))
      await session.close()
      stack.defer(async () => {
        const last = await openSession({ url })
        await last.run(`DROP OWNED BY ${role} CASCADE; ${url === source ? `DROP ROLE ${role}` : ''}`)
        await last.close()
      })
    }
    const exported = await exportFrom(asRole(source), join(folder, 'owned'))

    await importTo(asRole(target), join(folder, 'owned'))

    const { tables } = await exportFrom(target, join(folder, 'owned again'))
    expect(comparable(tables)).toEqual(comparable(exported.tables))
    expect(await shown(asRole(target))).toMatchObject({ project: { key: 'WEB' } })
  })

  test('leaves without the contents of files, and arrives only where the store has them', async () => {
    const to = join(folder, 'without files')
    const { files } = await exportFrom(source, to, { withFiles: false })
    expect([files, readdirSync(join(to, 'files'), { recursive: true })]).toEqual([null, []])
    const refused = await empty()
    await expect(importTo(refused, to, 'another store')).rejects.toThrow(/is not in the store of files of the target/)

    // The import that was refused goes on where the store is the right one.
    await importTo(refused, to)

    expect(await shown(refused)).toMatchObject({ file: { id: file, status: 'available' } })
  })
})
