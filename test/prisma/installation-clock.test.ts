// The clock of the installation, in the database and in Redis: by it a database that has gone back is noticed.
import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { pino } from 'pino'
import { expect, onTestFinished, test } from 'vitest'
import { assertCurrent, declareOrAssert, keepClock } from '#prisma/installation-clock.ts'
import { readInstallation } from '#prisma/installation-rows.ts'
import { ensureSecretProof } from '#prisma/sealing-rows.ts'
import { freshDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { services } from '../support/services.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const { redis: redisUrl, postgres } = services()

async function installation() {
  const { db, url = '', close } = await freshDatabase('postgres')
  onTestFinished(close)
  await ensureSecretProof(db, { internalSecret: 'a secret of the tests, long enough' }, false)
  const [brand, said] = [`test-${randomUUID().slice(0, 8)}`, [] as string[]]
  const log = pino({ level: 'warn' }, { write: (line) => void said.push(line) })
  const redis = new Redis(redisUrl ?? '')
  const key = `${brand}.installation.${(await readInstallation(db))?.identity}`
  onTestFinished(async () => {
    await redis.del(key)
    redis.disconnect()
  })
  const place = { redisUrl, brand }
  return {
    db,
    place,
    said,
    log,
    kept: async () => Number(await redis.get(key)),
    keep: (beat: number) => redis.set(key, String(beat)),
    beat: async () => (await readInstallation(db))?.beat ?? 0,
    goBack: (ms: number) => db.$executeRaw`UPDATE installation SET beat = beat - ${ms}::int`,
    declare: (restored: boolean) => declareOrAssert(db, { ...place, where: { url }, restored }, log),
    clock: () => {
      const clock = keepClock(db, place, log)
      onTestFinished(clock.close)
      return clock
    },
  }
}

test.skipIf(redisUrl === null || postgres === null)(
  'the clock is what time it is, in both; a process starts where Redis is empty, away, or as far as the database',
  async () => {
    const { db, place, kept, beat, clock } = await installation()
    await assertCurrent(db, place)
    const running = clock()

    await eventually(async () => (await kept()) > 0, 'the clock in Redis')

    expect(await kept()).toBe(await beat())
    expect(Math.abs(Date.now() - (await beat()))).toBeLessThan(60_000)
    await assertCurrent(db, place)
    await assertCurrent(db, { ...place, redisUrl: 'redis://127.0.0.1:1' })
    await assertCurrent(db, { ...place, redisUrl: null })
    expect(running.isRewound()).toBe(false)
  },
)

test.skipIf(redisUrl === null || postgres === null)(
  'a clock that another service moves on while a process starts is none that has gone back',
  async () => {
    const { db, place, keep, beat } = await installation()
    await using proxy = await startTcpProxy(redisUrl ?? '')
    proxy.freeze()

    const starting = assertCurrent(db, { ...place, redisUrl: proxy.url })
    await eventually(() => proxy.accepted() > 0, 'the process to ask Redis')
    await db.$executeRaw`UPDATE installation SET beat = beat + 10000`
    await keep(await beat())
    proxy.thaw()

    await expect(starting).resolves.toBeUndefined()
  },
)

test.skipIf(redisUrl === null || postgres === null)(
  'on a database that is behind no process starts until a restore is declared, once',
  async () => {
    const { db, place, said, keep, beat, goBack, declare } = await installation()
    await db.$executeRaw`UPDATE installation SET beat = 1700000000000`
    await keep(await beat())
    await goBack(1)

    await expect(declare(false)).rejects.toThrow(
      /2023-11-14T22:13:19.999Z.*until 2023-11-14T22:13:20.000Z.*RESTORED=true/,
    )
    expect(await declare(true)).toBe(true)

    await assertCurrent(db, place)
    expect(await declare(false)).toBe(false)
    expect(said.filter((line) => line.includes('a new epoch has begun'))).toHaveLength(1)
  },
)

test.skipIf(redisUrl === null || postgres === null)(
  'a database that goes back under a running service is an error in its log and in its figures, until a restore is declared',
  async () => {
    const { said, keep, kept, clock, declare } = await installation()
    await keep(Date.now() + 3_600_000)
    const before = clock()
    await eventually(() => before.isRewound(), 'it is noticed')

    expect(JSON.parse(said.join('').trim())).toMatchObject({ level: 50, msg: expect.stringContaining('RESTORED=true') })
    await before.close()
    const after = clock()
    await eventually(() => after.isRewound(), 'another service to know')
    await after.close()
    await declare(true)
    const declared = await kept()
    const last = clock()
    await eventually(async () => (await kept()) > declared, 'the clock to move')
    expect(last.isRewound()).toBe(false)
  },
)
