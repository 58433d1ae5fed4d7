// The oldest and the newest Postgres that is supported, each as others have built it, with a role that is no superuser:
// from the first migration to a delivery. `npm run try-postgres` runs whole folders of tests on each version.
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '#prisma/client.ts'
import { migrate } from '#prisma/migrate.ts'
import { connectionsOfTests, silenceOfBusyMachineMs } from '../support/database.ts'
import { startReceiver } from '../support/receiver.ts'
import { embeddedVersions, lacksEmbeddedPostgres, startEmbeddedPostgres } from '../support/servers/embedded-postgres.ts'
import { modes, must, startSystem } from '../support/system.ts'

describe.skipIf(lacksEmbeddedPostgres || !modes.includes('distributed'))('Postgres', () => {
  test.each(embeddedVersions)(
    '%s: what is created is listed, found and delivered',
    async (version) => {
      await using server = (await startEmbeddedPostgres(version))!
      const admin = new Client({ connectionString: server.url })
      await admin.connect()
      await admin.query('CREATE ROLE app LOGIN')
      await admin.query('CREATE DATABASE app OWNER app')
      const { rows } = await admin.query(`SELECT current_setting('server_version') AS version`)
      await admin.end()
      expect(rows[0].version.startsWith(version)).toBe(true)
      const url = Object.assign(new URL(server.url), { username: 'app', pathname: '/app' }).href
      await migrate({ url })
      const database = await openDatabase({ url, connections: connectionsOfTests, silenceMs: silenceOfBusyMachineMs })
      const own = { ...database, url, [Symbol.asyncDispose]: database.close }
      await using system = await startSystem('distributed', {}, undefined, own)
      await using receiver = await startReceiver()
      const { api } = await system.tenant()
      must(await api('POST', '/api/v1/webhooks', { name: 'R', url: receiver.url, eventTypes: ['projects.*'] }))

      const { id } = must(await api('POST', '/api/v1/projects', { name: 'Roof', description: 'A new roof' }))

      const listed = must(await api('GET', '/api/v1/projects?q=roof'))
      expect(listed.data.map((project: { id: string }) => project.id)).toEqual([id])
      const { data } = must(await api('GET', '/api/v1/search?q=roof'))
      expect(data).toEqual([expect.objectContaining({ id, snippet: expect.stringContaining('roof') })])
      await receiver.count(1)
    },
    120_000,
  )
})
