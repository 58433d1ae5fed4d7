// Statements that wait for what others hold: a change acts on what is there after the wait, a read is stopped in time.
import { expect, test } from 'vitest'
import { onPostgres } from '../../support/database-engines.ts'
import { holdLock, isWaiting } from '../../support/database-locks.ts'
import { eventually } from '../../support/eventually.ts'
import { sharedExecutor } from './quiet-executor.ts'

onPostgres(() => {
  const newExecutor = sharedExecutor('postgres', { lockTimeoutMs: 25_000 })

  test('a new object that waited while the first required custom field was made has to give it', async () => {
    const { execute, db, url, workspaceId } = await newExecutor()
    const row = 'SELECT FROM event_sequence WHERE workspace_id = $1 FOR UPDATE'
    await using other = await holdLock(url, row, [workspaceId])

    const refusal = expect(execute('projects.create', { name: 'Late' })).rejects.toMatchObject({
      code: 'validation_failed',
      members: { errors: [{ pointer: '/customFields/tier', code: 'required' }] },
    })
    await eventually(() => isWaiting(db), 'the new project to wait')
    const requiredField = `
      INSERT INTO custom_field (workspace_id, id, key, label, target, type, options, required, version, created_at,
        updated_at, created_by, updated_by)
      VALUES ($1, gen_random_uuid(), 'tier', 'Tier', 'project', 'text', '{}', true, 1, now(), now(), '{}', '{}')`
    await other.query(requiredField, [workspaceId])
    await other.letGo()

    await refusal
    expect(await db.project.count({ where: { workspaceId } })).toBe(0)
  })

  test('what is purged while it is being restored is not found, and no event says otherwise', async () => {
    const { execute, db, url, workspaceId } = await newExecutor()
    const { id } = (await execute('projects.create', { name: 'Gone' })).body
    await execute('projects.delete', { id })
    // The purge holds no lock of the workspace.
    await using purge = await holdLock(url, 'DELETE FROM project WHERE id = $1', [id])

    const refusal = expect(execute('projects.restore', { id })).rejects.toMatchObject({ code: 'not_found' })
    await eventually(() => isWaiting(db), 'the restore to wait for the row')
    await purge.letGo()

    await refusal
    expect(await db.event.count({ where: { workspaceId, type: { endsWith: '.restored' } } })).toBe(0)
  })

  test('a read that the database does not finish in time is refused with a hint, and nothing of it runs on', async () => {
    const { execute, db, url } = await newExecutor({ readTimeoutSeconds: 0.05 })
    // Waiting for this lock is what takes the statements so long.
    await using other = await holdLock(url, 'LOCK TABLE project IN ACCESS EXCLUSIVE MODE')

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
    await other.letGo()
    expect((await execute('projects.list', {})).body.data).toEqual([])
  })

  test('a change is not bound by the time of reads', async () => {
    const { execute } = await newExecutor({ readTimeoutSeconds: 0.001 })

    expect((await execute('projects.create', { name: 'Slow' })).body).toMatchObject({ name: 'Slow' })
  })
})
