// Changes of one workspace wait for each other; nobody else waits for them, and they do not wait for ever.
import { expect, test } from 'vitest'
import { onPostgres } from '../support/database-engines.ts'
import { holdLock, isWaiting } from '../support/database-locks.ts'
import { eventually } from '../support/eventually.ts'
import { quietService, type QuietService } from './quiet-service.ts'

/** What another service process does in the middle of a change. */
const lockWorkspace = ({ url, workspaceId }: QuietService) =>
  holdLock(url, 'SELECT FROM event_sequence WHERE workspace_id = $1 FOR UPDATE', [workspaceId])

onPostgres(() => {
  test('changes that wait for their workspace hold one connection, however many they are', async () => {
    await using service = await quietService('postgres', undefined, { lockTimeoutMs: 25_000 })
    await using lock = await lockWorkspace(service)

    const changes = Array.from({ length: 20 }, (_, n) => service.call('POST', '/projects', { name: `p${n}` }))
    await eventually(() => isWaiting(service.db), 'a change to wait')
    const reads = await Promise.all(Array.from({ length: 10 }, () => service.call('GET', '/projects')))

    expect(new Set(reads.map(({ status }) => status))).toEqual(new Set([200]))
    const [waiting] = await service.db.$queryRaw<{ count: bigint }[]>`
      SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    expect(waiting).toEqual({ count: 1n })
    await lock.letGo()
    const answers = await Promise.all(changes)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
  })

  test('a change whose workspace stays locked is told to come again, with an Idempotency-Key as without', async () => {
    await using service = await quietService('postgres', undefined, { lockTimeoutMs: 50 })
    await using lock = await lockWorkspace(service)
    const url = '/api/v1/projects'
    const send = (more = {}) => {
      const headers = { ...service.headersFor('POST', url), ...more }
      return service.app.inject({ method: 'POST', url, headers, body: { name: 'late' } })
    }

    const refused = [await send(), await send({ 'idempotency-key': 'k' })]

    for (const answer of refused) {
      expect(answer.json()).toMatchObject({ status: 503, code: 'unavailable' })
      expect(answer.headers['retry-after']).toBe('1')
    }
    await lock.letGo()
    expect((await send({ 'idempotency-key': 'k' })).statusCode).toBe(201)
  })
})
