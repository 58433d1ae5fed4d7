// A statement of a read that runs for too long is stopped on the database, and its connection serves the next call.
import { describe, expect, test } from 'vitest'
import { openSession } from '#prisma/sql-session.ts'
import { services } from '../../support/services.ts'
import { quietExecutor } from './quiet-executor.ts'

describe.skipIf(services().postgres === null)('on Postgres', () => {
  test('a read that the database does not finish in time is refused with a hint, and nothing of it runs on', async () => {
    await using service = await quietExecutor('postgres', { readTimeoutSeconds: 0.05 })
    const { execute, db, url } = service
    const other = await openSession({ url: url ?? '' })
    // Waiting for this lock is what takes the statement so long.
    await other.run('BEGIN; LOCK TABLE project IN ACCESS EXCLUSIVE MODE')

    const refused = {
      code: 'query_too_costly',
      status: 503,
      members: { hint: expect.stringContaining('Ask for less') },
    }
    await expect(execute('projects.list', {})).rejects.toMatchObject(refused)
    await expect(execute('search.query', { q: 'word' })).rejects.toMatchObject(refused)

    const running = await db.$queryRaw`
      SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()`
    expect(running).toEqual([])
    await other.run('ROLLBACK')
    await other.close()
    expect((await execute('projects.list', {})).body.data).toEqual([])
  })

  test('a change is not bound by it', async () => {
    await using service = await quietExecutor('postgres', { readTimeoutSeconds: 0.001 })

    expect((await service.execute('projects.create', { name: 'Slow' })).body).toMatchObject({ name: 'Slow' })
  })
})
