// A service that is killed (SIGKILL) in the middle of a replay job.
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { scopes } from '#contract/scopes.ts'
import { openDatabase, type Database } from '#prisma/client.ts'
import { stageOn } from '../dispatcher/stage.ts'
import { freshPostgres } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { start } from '../support/processes.ts'
import { dropQueues } from '../support/drop-queues.ts'
import { modes, settingsFor } from '../support/system.ts'

const batch = 500
const deliveries = 2 * batch + 100

/** Dead-lettered deliveries of one webhook, each of an event of its own, a second apart. */
const insertDead = (db: Database, workspaceId: string, webhookId: string) => db.$executeRaw`
  WITH written AS (
    INSERT INTO event (workspace_id, id, sequence, type, resource_id, changed_fields, body, occurred_at)
    SELECT ${workspaceId}::uuid, gen_random_uuid(), n, 'projects.updated', gen_random_uuid(), '{}', '{}',
           now() - interval '1 day' + n * interval '1 second'
    FROM generate_series(1, ${deliveries}::int) n
    RETURNING id, occurred_at
  )
  INSERT INTO delivery (workspace_id, id, event_id, event_type, webhook_id, status, origin, max_attempts, created_at)
  SELECT ${workspaceId}::uuid, id, id, 'projects.updated', ${webhookId}::uuid, 'dead_letter', 'live', 3, occurred_at
  FROM written`

const insertJob = (db: Database, workspaceId: string) =>
  db.replayJob.create({
    data: {
      workspaceId,
      id: workspaceId,
      filter: {},
      status: 'running',
      total: deliveries,
      replayed: 0,
      scopes: [...scopes],
      createdBy: {},
      createdAt: new Date(),
      updatedAt: new Date(),
    },
  })

const started = (db: Database) => db.delivery.count({ where: { status: 'pending', origin: 'replay' } })

test.runIf(modes.includes('distributed'))(
  'a replay job goes on where a killed service left it, and replays every delivery once',
  async () => {
    await using opened = new AsyncDisposableStack()
    const postgres = await freshPostgres()
    opened.defer(postgres.drop)
    const { brand, internalSecret, redisUrl, amqpUrl } = settingsFor('distributed')
    const env = {
      DATABASE_URL: postgres.url,
      REDIS_URL: redisUrl ?? '',
      AMQP_URL: amqpUrl ?? '',
      BRAND: brand,
      INTERNAL_SECRET: internalSecret,
      LOG_LEVEL: 'fatal',
    }
    const { db, close } = await openDatabase({ url: postgres.url, connections: 3 })
    opened.defer(close)
    opened.defer(() => dropQueues(env.AMQP_URL, brand))
    const holder = new Client({ connectionString: postgres.url })
    await holder.connect()
    opened.defer(() => holder.end())
    const { workspaceId, webhook } = await stageOn(db)
    await insertDead(db, workspaceId, await webhook({ url: 'https://example.com/hook' }))
    // Held in the second batch, so that the kill always falls into the middle of it.
    await holder.query('BEGIN')
    await holder.query(
      'SELECT 1 FROM delivery WHERE id = (SELECT id FROM delivery ORDER BY created_at LIMIT 1 OFFSET $1) FOR UPDATE',
      [batch + 10],
    )
    await insertJob(db, workspaceId)

    await using killed = await start('service/main.ts', env)
    await eventually(async () => (await db.replayJob.findFirstOrThrow()).replayed === batch, 'the first batch')
    await killed.kill('SIGKILL')
    await holder.query('ROLLBACK')
    expect(await db.replayJob.findFirstOrThrow()).toMatchObject({ status: 'running', replayed: batch })
    expect(await started(db)).toBe(batch)

    opened.use(await start('service/main.ts', env))
    const job = await eventually(() => db.replayJob.findFirst({ where: { status: 'completed' } }), 'the job to end')
    expect(job).toMatchObject({ replayed: deliveries, total: deliveries })
    expect(await started(db)).toBe(deliveries)
  },
  60_000,
)
