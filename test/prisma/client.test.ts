import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#prisma/client.ts'
import { freshPostgres } from '../support/database.ts'
import { onEachEngine, onPostgres, sharedDatabase } from '../support/database-engines.ts'
import { memberRow, projectRow, workspaceRow } from './rows.ts'

onEachEngine((kind) => {
  const database = sharedDatabase(kind)
  const given = async () => {
    const { db } = database
    const { id: workspaceId } = await db.workspace.create({ data: workspaceRow() })
    return { db, workspaceId }
  }

  test('times and dates come back exactly as they went in, and the database reads them as UTC', async () => {
    const { db, workspaceId } = await given()
    const createdAt = new Date('2026-03-29T01:30:00.123Z')
    const startDate = new Date('2026-12-31T00:00:00.000Z')
    const { id } = await db.project.create({ data: projectRow(workspaceId, { startDate, createdAt }) })

    const stored = await db.project.findUniqueOrThrow({ where: { workspaceId_id: { workspaceId, id } } })
    const raw = await db.$queryRaw`
      SELECT created_at AS at, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') AS text, start_date::text AS day
      FROM project WHERE id = ${id}::uuid`

    expect(stored).toMatchObject({ createdAt, startDate })
    expect(raw).toEqual([{ at: createdAt, text: '2026-03-29 01:30:00.123', day: '2026-12-31' }])
  })

  test('the time of the database and the time of this process are the same', async () => {
    const [row] = await database.db.$queryRaw<{ now: Date }[]>`SELECT now()`

    expect(Math.abs(Number(row?.now) - Date.now())).toBeLessThan(60_000)
  })

  test('big numbers, bytes, JSON and lists of text come back as they went in', async () => {
    const { db, workspaceId } = await given()
    const last = 9_007_199_254_740_993n
    const fingerprint = Buffer.from([0, 1, 127, 128, 255])
    const labels = ['plain', 'with,comma', 'with "quotes"', 'NULL', '', 'Ünïcode ☃', '{braces}', 'back\\slash']
    const createdBy = { type: 'user', id: 'u1', name: 'Zoë "Z" O\'Neil', nested: [1, null, { deep: true }] }
    const owner = { callerId: 'key', workspaceId, operation: 'projects.create', key: 'k' }
    const where = { workspaceId }

    await db.eventSequence.create({ data: { workspaceId, last } })
    await db.idempotencyRecord.create({ data: { ...owner, fingerprint, createdAt: new Date() } })
    await db.project.create({ data: projectRow(workspaceId, { labels, createdBy }) })

    expect(await db.eventSequence.findFirst({ where })).toMatchObject({ last })
    const record = await db.idempotencyRecord.findFirstOrThrow({ where })
    expect(Buffer.from(record.fingerprint).equals(fingerprint)).toBe(true)
    expect(record.sealedBody).toBeNull()
    expect(await db.project.findFirst({ where })).toMatchObject({ labels, createdBy })
  })

  test('a row of one workspace cannot refer to a row of another', async () => {
    const { db, workspaceId } = await given()
    const theirs = await given()
    const { id: ownerId } = await db.member.create({ data: memberRow(theirs.workspaceId) })

    const create = db.project.create({ data: projectRow(workspaceId, { ownerId }) })

    await expect(create).rejects.toMatchObject({ code: 'P2003' })
  })

  test('what a transaction wrote is gone when it fails', async () => {
    const { db } = database
    const row = workspaceRow()

    const failing = db.$transaction(async (tx) => {
      await tx.workspace.create({ data: row })
      throw new Error('changed my mind')
    })

    await expect(failing).rejects.toThrow('changed my mind')
    expect(await db.workspace.count({ where: { id: row.id } })).toBe(0)
  })

  test('transactions that run at once do not mix', async () => {
    const { db, workspaceId } = await given()
    await db.eventSequence.create({ data: { workspaceId, last: 0n } })

    const increment = () =>
      db.$transaction(async (tx) => {
        const { last } = await tx.eventSequence.update({ where: { workspaceId }, data: { last: { increment: 1 } } })
        return Number(last)
      })
    const numbers = await Promise.all(Array.from({ length: 10 }, increment))

    expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })
})

onPostgres(() => {
  test('a server in another time zone changes nothing', async () => {
    const { url, drop } = await freshPostgres()
    onTestFinished(drop)
    const first = await openDatabase({ url })
    await first.db.$executeRawUnsafe(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET timezone = 'Asia/Tokyo'`)
    await first.close()

    const { db, close } = await openDatabase({ url })

    expect(await db.$queryRaw`SHOW timezone`).toEqual([{ TimeZone: 'UTC' }])
    await close()
  })
})

test('a database that does not answer is told in one sentence without the password', async () => {
  const opening = openDatabase({ url: 'postgres://app:hunter2@127.0.0.1:1/app' })

  await expect(opening).rejects.toThrow(/^The database at 127\.0\.0\.1:1\/app cannot be used: connect ECONNREFUSED/)
  await expect(opening).rejects.not.toThrow(/hunter2/)
})

test('a server that takes the connection and says nothing is given up', { timeout: 10_000 }, async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => sockets.add(socket)).listen(0, '127.0.0.1')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  await expect(openDatabase({ url: `postgres://app@127.0.0.1:${port}/app` })).rejects.toThrow('connection timeout')
})
