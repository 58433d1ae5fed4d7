// The purge deletes rows of a workspace while its changes go on: it holds no lock of the workspace.
import { expect, test } from 'vitest'
import { openSession } from '#prisma/sql-session.ts'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'
import { quietService, type QuietService } from '../quiet-service.ts'

const { postgres } = services()

const waiters = async ({ db }: QuietService): Promise<boolean> => {
  const [row] = await db.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return Number(row?.count) > 0
}

test.skipIf(postgres === null)(
  'what is purged while it is being restored is not found, and no event says otherwise',
  async () => {
    await using service = await quietService('postgres', undefined, { lockTimeoutMs: 14_000 })
    const [row] = await service.db.$queryRaw<{ name: string }[]>`SELECT current_database() AS name`
    const url = new URL(postgres ?? '')
    url.pathname = `/${row?.name}`
    const purge = await openSession({ url: url.href })

    const { body: project } = await service.call('POST', '/projects', { name: 'Gone' })
    expect((await service.call('DELETE', `/projects/${project.id}`)).status).toBe(204)

    await purge.run('BEGIN')
    await purge.query('DELETE FROM project WHERE id = $1', [project.id])
    const restoring = service.call('POST', `/projects/${project.id}/restore`)
    await eventually(() => waiters(service), 'the restore to wait for the row')
    await purge.run('COMMIT')

    expect(await restoring).toMatchObject({ status: 404, body: { code: 'not_found' } })
    await purge.close()
    expect(await service.db.event.count({ where: { type: { endsWith: '.restored' } } })).toBe(0)
  },
)
