// Stored secrets change over from one sealing key to the next.
import { createSecretKey } from 'node:crypto'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Database } from '#prisma/client.ts'
import { countSealedStates, countSealedValues, reportSealingKeys, webhookKeyring } from '#prisma/sealing-rows.ts'
import type { SealingKey } from '#runtime/keyring.ts'
import { resealing } from '../../../service/webhooks/signing-secrets.ts'
import { secretOfTests, silent, stageOn, testSecret } from '../../dispatcher/stage.ts'
import { onPostgres, sharedDatabase } from '../../support/database-engines.ts'

const keyNamed = (id: string): SealingKey => ({ id, key: createSecretKey(Buffer.alloc(32, id)) })
const [a, b] = [keyNamed('a'), keyNamed('b')]
const ring = (...sealingKeys: SealingKey[]) => webhookKeyring({ sealingKeys, internalSecret: secretOfTests })

const headers = { 'x-team': 'blue' }
const batchesMax = 20

/** Walks over all values once, in batches of two. Returns how many batches it took. */
async function walk(db: Database, keys: readonly SealingKey[], log = silent): Promise<number> {
  const step = resealing(db, ring(...keys), log, 2)
  for (let batches = 1; batches < batchesMax; batches++) if ((await step()) > 1_000) return batches
  throw new Error('The walk does not end')
}

async function openedWith(db: Database, ...keys: SealingKey[]): Promise<string[]> {
  const { open } = ring(...keys)
  const secrets = await db.webhookSecret.findMany()
  const webhooks = await db.webhook.findMany()
  return [
    ...secrets.map(({ id, sealed }) => open(sealed, `webhook-secret:${id}`)),
    ...webhooks.map(({ id, sealedHeaders }) => open(sealedHeaders!, `webhook-headers:${id}`)),
  ]
}

const allOf = (webhooks: number) =>
  [testSecret, JSON.stringify(headers)].flatMap((value) => Array<string>(webhooks).fill(value))

onPostgres(() => {
  const database = sharedDatabase('postgres')

  /** As many webhooks, each with a secret and with headers, sealed without SEALING_KEYS. */
  async function given(webhooks: number): Promise<Database> {
    const { db } = database
    await db.webhook.deleteMany()
    const stage = await stageOn(db)
    for (let n = 0; n < webhooks; n++) await stage.webhook({ url: 'http://127.0.0.1:1/', headers })
    return db
  }

  test('every secret and header is sealed anew with the first key, opens with it alone, and a second walk finds nothing to do', async () => {
    const db = await given(3)
    expect(await countSealedValues(db)).toEqual([{ keyId: null, count: 6 }])

    await walk(db, [a])
    expect(await countSealedValues(db)).toEqual([{ keyId: 'a', count: 6 }])
    await walk(db, [b, a])

    expect(await countSealedValues(db)).toEqual([{ keyId: 'b', count: 6 }])
    expect(await openedWith(db, b)).toEqual(allOf(3))
    expect(await db.webhook.count({ where: { version: 1 } })).toBe(3)
    const before = await db.webhookSecret.findMany({ orderBy: { id: 'asc' } })
    await walk(db, [b])
    expect(await db.webhookSecret.findMany({ orderBy: { id: 'asc' } })).toEqual(before)
  })

  test('a job that was interrupted half-way leaves all values open, and another finishes it', async () => {
    const db = await given(3)
    await walk(db, [a])
    await resealing(db, ring(b, a), silent, 2)()
    expect(await countSealedStates(db, ring(b, a))).toEqual({ current: 2, older: 4, unknown: 0 })
    expect(await openedWith(db, b, a)).toEqual(allOf(3))

    await walk(db, [b, a])

    expect(await countSealedStates(db, ring(b))).toEqual({ current: 6, older: 0, unknown: 0 })
  })

  test('a row that somebody else holds is not waited for, and is sealed anew on the next walk', async () => {
    const db = await given(2)
    await db.$transaction(async (tx) => {
      await tx.$queryRaw`SELECT 1 AS held FROM webhook_secret ORDER BY id LIMIT 1 FOR UPDATE`
      await walk(db, [a])
    })
    expect(await countSealedStates(db, ring(a))).toEqual({ current: 3, older: 1, unknown: 0 })
    await walk(db, [a])
    expect(await openedWith(db, a)).toEqual(allOf(2))
  })

  test('what does not open stays as it is, is told, and keeps none of the others back', async () => {
    const db = await given(3)
    await walk(db, [a])
    // A whole batch.
    for (const { id } of await db.webhookSecret.findMany({ orderBy: { id: 'asc' }, take: 2 })) {
      const sealed = ring(keyNamed('lost')).seal(testSecret, `webhook-secret:${id}`)
      await db.webhookSecret.updateMany({ where: { id }, data: { sealed } })
    }
    const { log, lines } = logged()

    await walk(db, [b, a], log)

    expect(await countSealedStates(db, ring(b, a))).toEqual({ current: 4, older: 0, unknown: 2 })
    expect(lines).toMatchObject([
      { level: 30, resealed: 4, key: 'b' },
      { level: 40, unopened: 2 },
    ])
    await reportSealingKeys(db, ring(b, a), log)
    expect(lines.at(-1)).toMatchObject({ level: 40, missing: { lost: 2 } })
  })

  test('without keys of its own a process seals nothing anew; with them, it says at the start what needs the older one', async () => {
    const db = await given(1)
    const { log, lines } = logged()
    expect(await walk(db, [], log)).toBe(1)
    await reportSealingKeys(db, ring(), log)
    expect(await countSealedStates(db, ring())).toEqual({ current: 2, older: 0, unknown: 0 })
    expect(lines).toEqual([])

    await reportSealingKeys(db, ring(a), log)
    expect(lines).toMatchObject([{ level: 30, older: { INTERNAL_SECRET: 2 } }])
  })
})

function logged() {
  const lines: object[] = []
  return { lines, log: pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) }) }
}
