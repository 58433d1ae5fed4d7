// What is left when a process is killed (SIGKILL): the service or the broker at each step between the change and the
// dispatcher, the one process of the product in the middle of deliveries. What follows is in
// test/dispatcher/kill-points.test.ts, what a dispatcher leaves in dispatcher-lost.test.ts.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'amqplib'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { openDatabase } from '#prisma/client.ts'
import { namesFor } from '#runtime/broker-names.ts'
import { bodyProblems } from '../chaos/ledger-audit.ts'
import { clientOf, type Answer } from '../support/client.ts'
import { freshDataFolder } from '../support/database.ts'
import { openStores } from '../support/deployment.ts'
import { dropQueues } from '../support/drop-queues.ts'
import { eventually } from '../support/eventually.ts'
import { auditOf, clean } from '../support/ledger.ts'
import { start } from '../support/processes.ts'
import { startReceiver } from '../support/receiver.ts'
import { services } from '../support/services.ts'
import { modes, must } from '../support/system.ts'
import { freePort } from '../support/servers/server.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

test.runIf(modes.includes('distributed'))(
  'of a service that is killed before it commits nothing is left; what it and the broker lost after that is delivered once',
  { timeout: 90_000 },
  async () => {
    await using opened = new AsyncDisposableStack()
    const broker = opened.use(await startTcpProxy(services().rabbit ?? ''))
    const { env, operatorToken, close } = await openStores()
    opened.defer(close)
    const { db, close: disconnect } = await openDatabase({ url: env.DATABASE_URL, connections: 3 })
    opened.defer(disconnect)
    const holder = new Client({ connectionString: env.DATABASE_URL })
    await holder.connect()
    opened.defer(() => holder.end())
    const receiver = opened.use(await startReceiver())
    const serviceEnv = { ...env, AMQP_URL: broker.url, PORT: String(await freePort()) }
    let service = opened.use(await start('service/main.ts', serviceEnv))
    const gateway = opened.use(await start('gateway/main.ts', { ...env, SERVICE_URLS: service.url }))
    const { api } = await clientOf(gateway.url, operatorToken).tenant()
    must(await api('POST', '/api/v1/webhooks', { name: 'w', url: receiver.url, eventTypes: ['projects.*'] }))

    // Within its transaction the holder would see what it has seen first.
    const sessions = async (which: string): Promise<number> =>
      db.$executeRawUnsafe(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND ${which}`)
    /** Kills the service while its change waits for the table, and starts it anew. Returns the answer of the change. */
    async function killedHolding(table: 'project' | 'outbox', name: string): Promise<Answer> {
      await holder.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`)
      const answer = api('POST', '/api/v1/projects', { name })
      const isHeld = async () => (await sessions(`wait_event = 'relation' AND query LIKE '%INSERT INTO%'`)) === 1
      await eventually(isHeld, `the change to wait for ${table}`)
      await service.kill('SIGKILL')
      await holder.query('ROLLBACK')
      await eventually(async () => (await sessions(`application_name LIKE '%service%'`)) === 0, 'its sessions to end')
      service = opened.use(await start('service/main.ts', serviceEnv))
      await eventually(async () => (await fetch(`${gateway.url}/ready`)).ok, 'the gateway to see the service')
      return answer
    }

    // Confirmed, and lost with the disk of the broker.
    const lost = must(await api('POST', '/api/v1/projects', { name: 'Lost after the confirm' })).id
    const { id: event } = await db.event.findFirstOrThrow({ where: { resourceId: lost } })
    await eventually(async () => (await takeMessage(env.AMQP_URL, env.BRAND)).includes(event), 'the confirmed message')
    await dropQueues(env.AMQP_URL, env.BRAND)
    // Committed, and never published: the broker takes bytes and answers nothing.
    broker.freeze()
    must(await api('POST', '/api/v1/projects', { name: 'Never published' }))

    const answers = [
      // Its COMMIT waits for the project to be written.
      await killedHolding('project', 'Never committed'),
      // Its COMMIT follows its event at once: whether the database still reads it is left to chance.
      await killedHolding('outbox', 'Never answered'),
    ]

    // The gateway cannot know which of the two it was.
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [502, 'upstream_error'],
      [502, 'upstream_error'],
    ])
    const projects = await db.project.findMany()
    const left = projects.map(({ name }) => name).filter((name) => name !== 'Never answered')
    expect(left.toSorted()).toEqual(['Lost after the confirm', 'Never published'])
    const told = await db.event.findMany({ where: { type: 'projects.created' } })
    expect(told.map(({ resourceId }) => resourceId).toSorted()).toEqual(projects.map(({ id }) => id).toSorted())
    const expected = projects.length

    opened.use(await start('dispatcher/main.ts', env))
    await receiver.count(expected)
    await eventually(async () => (await db.outbox.count()) === 0, 'an empty outbox')
    await eventually(
      async () => (await db.delivery.count({ where: { status: 'delivered' } })) === expected,
      'all recorded',
    )
    expect(await auditOf(db, receiver)).toMatchObject({ ...clean, expected, delivered: expected, duplicates: 0 })
    expect(receiver.calls.flatMap(({ body }) => bodyProblems(body.toString()))).toEqual([])
  },
)

/** Takes the first message out of the queue, which may not be declared yet. */
async function takeMessage(url: string, brand: string): Promise<string> {
  const connection = await connect(url)
  try {
    const channel = await connection.createChannel()
    channel.on('error', () => {})
    const message = await channel.get(namesFor(brand).queue, { noAck: true }).catch(() => false as const)
    return message === false ? '' : message.content.toString()
  } finally {
    await connection.close()
  }
}

test('kill -9 of the standalone process in the middle of 200 deliveries loses none', { timeout: 180_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wia-standalone-'))
  await using _removed = { [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }) }
  await freshDataFolder(folder)
  const operatorToken = 'o'.repeat(40)
  const env = { DATA_DIR: folder, OPERATOR_TOKEN: operatorToken, LOG_LEVEL: 'warn' }
  const [projects, webhooks] = [20, 10]
  const sentInAll = projects * webhooks
  const first = await start('standalone/main.ts', env)
  // It answers the first 50 calls and keeps the others waiting, so that the process is killed in the middle of its
  // work.
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await using receiver = await startReceiver(async (_call, number) => {
    if (number > 50) await released
    return 200
  })
  const arrived = () => Map.groupBy(receiver.calls, ({ headers }) => String(headers['webhook-id']))
  const { api, workspaceId } = await clientOf(first.url, operatorToken).tenant()
  for (let n = 0; n < webhooks; n += 1)
    must(await api('POST', '/api/v1/webhooks', { name: `w${n}`, url: receiver.url, eventTypes: ['projects.*'] }))

  const made = await Promise.all(
    Array.from({ length: projects }, (_, n) => api('POST', '/api/v1/projects', { name: `Project ${n}` })),
  )
  await receiver.count(50)
  await first.kill('SIGKILL')
  const beforeKill = arrived().size
  release()
  await using second = await start('standalone/main.ts', env)
  await eventually(() => arrived().size >= sentInAll, 'every delivery to arrive', 100_000)

  expect(beforeKill).toBeLessThan(sentInAll)
  expect(arrived().size).toBe(sentInAll)
  const told = receiver.calls.map(({ body }) => JSON.parse(body.toString()).resource.id)
  expect(new Set(told)).toEqual(new Set(made.map((answer) => must(answer).id)))
  const open = `/settings/api/workspaces/${workspaceId}/deliveries?status=pending,retrying`
  const { operator } = clientOf(second.url, operatorToken)
  const isRecorded = async () => must(await operator('GET', open)).data.length === 0
  await eventually(isRecorded, 'every result to be recorded', 90_000)
  // What it was about to write down is sent a second time, and never a third.
  expect(Math.max(...[...arrived().values()].map((calls) => calls.length))).toBeLessThanOrEqual(2)
})
