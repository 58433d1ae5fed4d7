// The service tells the gateway for how long a call has held the database, whether it is answered or refused.
import { describe, expect, test } from 'vitest'
import { databaseTimeHeader } from '#contract/internal/principal.ts'
import { openSession } from '#prisma/sql-session.ts'
import { eventually } from '../../support/eventually.ts'
import { services } from '../../support/services.ts'
import { quietService } from '../quiet-service.ts'

const path = '/api/v1/projects'
const mcp = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'projects.list', arguments: {} } }

describe.skipIf(services().postgres === null)('on Postgres', () => {
  test.each(['a list', 'a call of a tool'])('%s says how long it took', async (what) => {
    await using service = await quietService('postgres')
    const { app, db, headersFor } = service
    const [{ url }] = await db.$queryRaw<[{ url: string }]>`SELECT current_database() AS url`
    const other = await openSession({ url: new URL(`/${url}`, services().postgres ?? '').href })
    await other.run('BEGIN; LOCK TABLE project IN ACCESS EXCLUSIVE MODE')

    const answering =
      what === 'a list'
        ? app.inject({ method: 'GET', url: path, headers: headersFor('GET', path) })
        : app.inject({
            method: 'POST',
            url: '/api/mcp',
            headers: {
              ...headersFor('POST', '/api/mcp', undefined, 'mcp'),
              accept: 'application/json, text/event-stream',
            },
            payload: mcp,
          })
    await eventually(async () => {
      const waiting = await db.$queryRaw<unknown[]>`
        SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
      return waiting.length > 0
    }, 'the call waits for the lock')
    await other.run('ROLLBACK')
    await other.close()

    const { statusCode, headers } = await answering
    expect(statusCode).toBe(200)
    expect(Number(headers[databaseTimeHeader])).toBeGreaterThanOrEqual(1)
  })
})
