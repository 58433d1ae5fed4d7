// A change that has waited for its workspace acts on what is there after the wait, not on what was there before.
import { expect, test } from 'vitest'
import { openSession } from '#prisma/sql-session.ts'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'
import { quietService, type QuietService } from '../quiet-service.ts'

const { postgres } = services()

const isWaiting = async ({ db }: QuietService): Promise<boolean> => {
  const [row] = await db.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return Number(row?.count) > 0
}

/** Another service process, on a connection of its own. */
async function sessionBeside({ db }: QuietService) {
  const [row] = await db.$queryRaw<{ name: string }[]>`SELECT current_database() AS name`
  const url = new URL(postgres ?? '')
  url.pathname = `/${row?.name}`
  const { run, query, close } = await openSession({ url: url.href })
  return { run, query, [Symbol.asyncDispose]: close }
}

const insertRequiredField = `
  INSERT INTO custom_field (workspace_id, id, key, label, target, type, options, required, version, created_at,
    updated_at, created_by, updated_by)
  VALUES ($1, gen_random_uuid(), 'tier', 'Tier', 'project', 'text', '{}', true, 1, now(), now(), '{}', '{}')`

test.skipIf(postgres === null)(
  'a new object that waited while the first required custom field was made has to give it',
  async () => {
    await using service = await quietService('postgres', undefined, { lockTimeoutMs: 25_000 })
    await using other = await sessionBeside(service)
    await other.run('BEGIN')
    await other.query('SELECT FROM event_sequence WHERE workspace_id = $1 FOR UPDATE', [service.workspaceId])

    const creating = service.call('POST', '/projects', { name: 'Late' })
    await eventually(() => isWaiting(service), 'the new project to wait')
    await other.query(insertRequiredField, [service.workspaceId])
    await other.run('COMMIT')

    expect(await creating).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer: '/customFields/tier', code: 'required' }] },
    })
    expect(await service.db.project.count()).toBe(0)
  },
)
