import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '#prisma/client.ts'
import { withTextTimes } from '#prisma/direct-statements.ts'
import { Prisma } from '#prisma/generated/client.ts'
import { assertSecret, matchesProof, proofKey, ensureSecretProof } from '#prisma/sealing-rows.ts'
import { tcp } from '../dispatcher/attempt/wire.ts'
import { freshPostgres } from '../support/database.ts'
import { onEachEngine, onPostgres, sharedDatabase } from '../support/database-engines.ts'
import { memberRow, projectRow, workspaceRow } from './rows.ts'

const times = '30:00Z 30:00.1Z 30:00.12Z 30:00.120Z 30:00.123Z 30:00.123999Z 30:00.000001Z 30:00+05:30'.split(' ')
const moments = [...times.map((time) => `2026-03-29T01:${time}`), '0044-03-15T12:00:00Z']

onEachEngine((kind) => {
  const database = sharedDatabase(kind)
  const given = async () => {
    const { db } = database
    const { id: workspaceId } = await db.workspace.create({ data: workspaceRow() })
    return { db, workspaceId }
  }

  test('times and dates come back exactly as they went in, the database reads them as UTC, and its time is that of this process', async () => {
    const { db, workspaceId } = await given()
    const createdAt = new Date('2026-03-29T01:30:00.123Z')
    const startDate = new Date('2026-12-31T00:00:00.000Z')
    const { id } = await db.project.create({ data: projectRow(workspaceId, { startDate, createdAt }) })

    const stored = await db.project.findUniqueOrThrow({ where: { workspaceId_id: { workspaceId, id } } })
    const raw = await db.$queryRaw`
      SELECT created_at AS at, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.MS') AS text, start_date::text AS day
      FROM project WHERE id = ${id}::uuid`

    expect(stored).toMatchObject({ createdAt, startDate })
    const [{ now } = { now: 0 }] = await db.$queryRaw<{ now: Date | number }[]>`SELECT now()`
    expect(raw).toEqual([{ at: createdAt, text: '2026-03-29 01:30:00.123', day: '2026-12-31' }])
    expect(Math.abs(Number(now) - Date.now())).toBeLessThan(60_000)
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

  test('times as text are those that Dates write', async () => {
    const { db } = database
    const statement = Prisma.sql`SELECT at::timestamptz AS at, ARRAY[at, NULL]::timestamptz[] AS list
      FROM unnest(${moments}::text[]) WITH ORDINALITY AS given (at, position) ORDER BY position`

    const dates = await db.$queryRaw<{ at: Date }[]>(statement)
    const texts = await db.$queryRaw(withTextTimes(statement))

    const written = dates.map(({ at }) => at.toISOString())
    expect(texts).toEqual(written.map((at) => ({ at, list: [at, null] })))
  })

  test('days are text too, and all else is as ever', async () => {
    const statement = Prisma.sql`SELECT '2026-03-29'::date AS day, NULL::timestamptz AS never, 7::int AS number,
      '{"at":"2026-03-29"}'::jsonb AS json, ARRAY['a', NULL]::text[] AS texts`

    expect(await database.db.$queryRaw(withTextTimes(statement))).toEqual([
      { day: '2026-03-29', never: null, number: 7, json: { at: '2026-03-29' }, texts: ['a', null] },
    ])
  })

  test('whoever holds another secret than the first is refused, with what to do, until it was changed on purpose', async () => {
    const { db } = database
    const [ours, other] = [
      { internalSecret: 'the secret of the installation' },
      { internalSecret: 'some other secret' },
    ]
    await assertSecret(db, other)
    await ensureSecretProof(db, ours, false)
    const { sealedProof } = await db.installation.findFirstOrThrow()

    const refusal = /^INTERNAL_SECRET is not the one .* INTERNAL_SECRET_CHANGED=true\.$/
    await expect(ensureSecretProof(db, other, false)).rejects.toThrow(refusal)
    await expect(assertSecret(db, other)).rejects.toThrow(refusal)
    await ensureSecretProof(db, ours, false)
    await assertSecret(db, ours)

    // The proof tells nothing of the secret: that of the same secret is another each time.
    await ensureSecretProof(db, ours, true)
    expect((await db.installation.findFirstOrThrow()).sealedProof).not.toEqual(sealedProof)
    await ensureSecretProof(db, other, true)
    expect([await matchesProof(db, proofKey(other)), await matchesProof(db, proofKey(ours))]).toEqual([true, false])
    await ensureSecretProof(db, other, false)
  })

  test('while the secret is being changed both are good, and the proof goes over to the new one', async () => {
    const { db } = database
    const [former, next] = ['the secret that goes', 'the secret that comes']
    await ensureSecretProof(db, { internalSecret: former }, true)
    await ensureSecretProof(db, { internalSecret: former, acceptedSecret: next }, false)
    await expect(assertSecret(db, { internalSecret: next })).rejects.toThrow('INTERNAL_SECRET')
    await assertSecret(db, { internalSecret: next, acceptedSecret: former })

    await ensureSecretProof(db, { internalSecret: next, acceptedSecret: former }, false)

    await assertSecret(db, { internalSecret: former, acceptedSecret: next })
    await assertSecret(db, { internalSecret: next })
    await expect(assertSecret(db, { internalSecret: former })).rejects.toThrow('INTERNAL_SECRET')
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
  const { port } = await tcp(() => {})

  await expect(openDatabase({ url: `postgres://app@127.0.0.1:${port}/app` })).rejects.toThrow('timeout expired')
})
