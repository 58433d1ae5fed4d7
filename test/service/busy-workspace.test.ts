// Changes of one workspace wait for each other; nobody else waits for them, and they do not wait for ever.
import { expect, test } from 'vitest'
import { openSession } from '#prisma/sql-session.ts'
import { eventually } from '../support/eventually.ts'
import { services } from '../support/services.ts'
import { quietService, type QuietService } from './quiet-service.ts'

const { postgres } = services()

/** What another service process does in the middle of a change. */
async function lockWorkspace({
  db,
  workspaceId,
}: QuietService): Promise<AsyncDisposable & { unlock(): Promise<void> }> {
  const [row] = await db.$queryRaw<{ name: string }[]>`SELECT current_database() AS name`
  const url = new URL(postgres ?? '')
  url.pathname = `/${row?.name}`
  const other = await openSession({ url: url.href })
  await other.run('BEGIN')
  await other.query('SELECT FROM event_sequence WHERE workspace_id = $1 FOR UPDATE', [workspaceId])
  return { unlock: () => other.run('COMMIT'), [Symbol.asyncDispose]: other.close }
}

const waitersIn = async ({ db }: QuietService): Promise<number> => {
  const [row] = await db.$queryRaw<{ count: bigint }[]>`
    SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  return Number(row?.count)
}

const project = (name: string) => ({ name })

test.skipIf(postgres === null)(
  'changes that wait for their workspace hold one connection, however many they are',
  async () => {
    await using service = await quietService('postgres', undefined, { lockTimeoutMs: 25_000 })
    await using lock = await lockWorkspace(service)

    const changes = Array.from({ length: 20 }, (_, n) => service.call('POST', '/projects', project(`p${n}`)))
    await eventually(async () => (await waitersIn(service)) > 0, 'a change to wait')
    const reads = await Promise.all(Array.from({ length: 10 }, () => service.call('GET', '/projects')))

    expect(reads.map(({ status }) => status)).toEqual(reads.map(() => 200))
    expect(await waitersIn(service)).toBe(1)
    await lock.unlock()
    const answers = await Promise.all(changes)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  },
)

test.skipIf(postgres === null)(
  'a change whose workspace stays locked is told to come again, with an Idempotency-Key as without',
  async () => {
    await using service = await quietService('postgres', undefined, { lockTimeoutMs: 50 })
    await using lock = await lockWorkspace(service)
    const url = '/api/v1/projects'
    const send = (headers: Record<string, string>) =>
      service.app.inject({
        method: 'POST',
        url,
        headers: { ...service.headersFor('POST', url), ...headers },
        body: project('late'),
      })

    const refused = [await send({}), await send({ 'idempotency-key': 'k' })]

    for (const answer of refused) {
      expect(answer.json()).toMatchObject({ status: 503, code: 'unavailable' })
      expect(answer.headers['retry-after']).toBe('1')
    }
    await lock.unlock()
    expect((await send({ 'idempotency-key': 'k' })).statusCode).toBe(201)
  },
)
