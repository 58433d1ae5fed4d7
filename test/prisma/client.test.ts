import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { openDatabase } from '#prisma/client.ts'
import { freshDatabase, freshPostgres } from '../support/database.ts'
import { onEachEngine } from '../support/database-engines.ts'
import { services } from '../support/services.ts'
import { memberRow, projectRow, workspaceRow } from './rows.ts'

onEachEngine((kind) => {
  test('times and dates come back exactly as they went in, and the database reads them as UTC', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const at = new Date('2026-03-29T01:30:00.123Z')
    const day = new Date('2026-12-31T00:00:00.000Z')
    const workspace = await db.workspace.create({ data: workspaceRow({ createdAt: at }) })
    const project = await db.project.create({ data: projectRow(workspace.id, { startDate: day, createdAt: at }) })

    const stored = await db.project.findUniqueOrThrow({
      where: { workspaceId_id: { workspaceId: workspace.id, id: project.id } },
    })
    const [raw] = await db.$queryRaw<{ at: Date; text: string; day: string }[]>`
      SELECT created_at AS at, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') AS text, start_date::text AS day FROM project`

    expect(stored.createdAt).toEqual(at)
    expect(stored.startDate).toEqual(day)
    expect(raw).toEqual({ at, text: '2026-03-29 01:30:00.123', day: '2026-12-31' })
  })

  test('the time of the database and the time of this process are the same', async () => {
    await using database = await freshDatabase(kind)
    const [row] = await database.db.$queryRaw<{ now: Date }[]>`SELECT now()`

    expect(Math.abs(Number(row?.now) - Date.now())).toBeLessThan(60_000)
  })

  test('big numbers, bytes, JSON and lists of text come back as they went in', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const { id: workspaceId } = await db.workspace.create({ data: workspaceRow() })
    const last = 9_007_199_254_740_993n
    const fingerprint = Buffer.from([0, 1, 127, 128, 255])
    const labels = ['plain', 'with,comma', 'with "quotes"', 'NULL', '', 'Ünïcode ☃', '{braces}', 'back\\slash']
    const createdBy = { type: 'user', id: 'u1', name: 'Zoë "Z" O\'Neil', nested: [1, null, { deep: true }] }
    const owner = { callerId: 'key', workspaceId, operation: 'projects.create', key: 'k' }

    await db.eventSequence.create({ data: { workspaceId, last } })
    await db.idempotencyRecord.create({ data: { ...owner, fingerprint, createdAt: new Date() } })
    await db.project.create({ data: projectRow(workspaceId, { labels, createdBy }) })

    expect(await db.eventSequence.findFirst()).toMatchObject({ last })
    const record = await db.idempotencyRecord.findFirstOrThrow()
    expect(Buffer.from(record.fingerprint).equals(fingerprint)).toBe(true)
    expect(record.sealedBody).toBeNull()
    expect(await db.project.findFirst()).toMatchObject({ labels, createdBy })
  })

  test('a row of one workspace cannot refer to a row of another', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const mine = await db.workspace.create({ data: workspaceRow() })
    const theirs = await db.workspace.create({ data: workspaceRow() })
    const owner = await db.member.create({ data: memberRow(theirs.id) })

    const create = db.project.create({ data: projectRow(mine.id, { ownerId: owner.id }) })

    await expect(create).rejects.toMatchObject({ code: 'P2003' })
  })

  test('what a transaction wrote is gone when it fails', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database

    const failing = db.$transaction(async (tx) => {
      await tx.workspace.create({ data: workspaceRow() })
      throw new Error('changed my mind')
    })

    await expect(failing).rejects.toThrow('changed my mind')
    expect(await db.workspace.count()).toBe(0)
  })

  test('transactions that run at once do not mix', async () => {
    await using database = await freshDatabase(kind)
    const { db } = database
    const { id: workspaceId } = await db.workspace.create({ data: workspaceRow() })
    await db.eventSequence.create({ data: { workspaceId, last: 0n } })

    const increment = () =>
      db.$transaction(async (tx) => {
        const { last } = await tx.eventSequence.update({ where: { workspaceId }, data: { last: { increment: 1 } } })
        return last
      })
    const numbers = await Promise.all(Array.from({ length: 10 }, increment))

    expect(numbers.toSorted((a, b) => Number(a - b))).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n])
  })
})

test.skipIf(services().postgres === null)('a server in another time zone changes nothing', async () => {
  const { url, drop } = await freshPostgres()
  const first = await openDatabase({ url })
  await first.db.$executeRawUnsafe(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET timezone = 'Asia/Tokyo'`)
  await first.close()

  const { db, close } = await openDatabase({ url })

  expect(await db.$queryRaw`SHOW timezone`).toEqual([{ TimeZone: 'UTC' }])
  await close()
  await drop()
})

test('a database that does not answer is told in one sentence without the password', async () => {
  const opening = openDatabase({ url: 'postgres://app:hunter2@127.0.0.1:1/app' })

  await expect(opening).rejects.toThrow(/^The database at 127\.0\.0\.1:1\/app cannot be used: connect ECONNREFUSED/)
  await expect(opening).rejects.not.toThrow(/hunter2/)
})

test('a server that takes the connection and says nothing is given up', { timeout: 10_000 }, async () => {
  await using silent = await silentServer()

  await expect(openDatabase({ url: `postgres://app@127.0.0.1:${silent.port}/app` })).rejects.toThrow(
    'connection timeout',
  )
})

async function silentServer() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { port: (server.address() as AddressInfo).port, [Symbol.asyncDispose]: close }
}
