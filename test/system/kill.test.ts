// Nothing that was answered with success is lost, whatever dies.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clientOf, type Tenant } from '../support/client.ts'
import { startDeployment } from '../support/deployment.ts'
import { eventually } from '../support/eventually.ts'
import { start } from '../support/processes.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { startRabbit } from '../support/services.ts'
import { modes, must, settingsFor } from '../support/system.ts'

const deliveries = 500
const webhooks = 10

/** Each project goes to every webhook: 50 writes make 500 deliveries. */
async function subscribeTen(tenant: Tenant, receiver: Receiver): Promise<void> {
  for (let n = 0; n < webhooks; n += 1)
    must(await tenant.api('POST', '/api/v1/webhooks', { name: `w${n}`, url: receiver.url, eventTypes: ['projects.*'] }))
}

async function writeProjects(tenant: Tenant, count: number): Promise<string[]> {
  const made = await Promise.all(
    Array.from({ length: count }, (_, n) => tenant.api('POST', '/api/v1/projects', { name: `Project ${n}` })),
  )
  return made.map((answer) => must(answer).id as string)
}

const idsOf = (receiver: Receiver): Set<string> =>
  new Set(receiver.calls.map(({ headers }) => String(headers['webhook-id'])))
const projectsOf = (receiver: Receiver): Set<string> =>
  new Set(receiver.calls.map(({ body }) => JSON.parse(body.toString()).resource.id))

/**
 * Answers the first 50 calls and keeps the others waiting until it is released, so that a dispatcher killed
 * meanwhile is in the middle of its work however fast it is.
 */
async function startPausingReceiver(): Promise<{ receiver: Receiver; release: () => void }> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const receiver = await startReceiver(async (_call, number) => {
    if (number > 50) await released
    return 200
  })
  return { receiver, release }
}

async function allArrived(receiver: Receiver, wanted: number): Promise<void> {
  await eventually(() => idsOf(receiver).size >= wanted, `${wanted} different deliveries`, 100_000)
}

describe.skipIf(!modes.includes('distributed'))('distributed', () => {
  test('kill -9 of the dispatcher in the middle of 500 deliveries loses none', { timeout: 180_000 }, async () => {
    await using deployment = await startDeployment()
    const first = await deployment.startDispatcher()
    const { receiver, release } = await startPausingReceiver()
    await using _closed = receiver
    const tenant = await deployment.tenant()
    await subscribeTen(tenant, receiver)

    const writing = writeProjects(tenant, deliveries / webhooks)
    await receiver.count(50)
    await first.kill('SIGKILL')
    const beforeKill = idsOf(receiver).size
    release()
    const projects = await writing
    await using _second = await deployment.startDispatcher()
    await allArrived(receiver, deliveries)

    expect(beforeKill).toBeLessThan(deliveries)
    expect(idsOf(receiver).size).toBe(deliveries)
    expect(projectsOf(receiver)).toEqual(new Set(projects))
    await eventually(
      async () => must(await tenant.settings('GET', '/deliveries?status=pending,retrying')).data.length === 0,
      'every delivery to be recorded',
      90_000,
    )
  })

  test('RabbitMQ stopped and started again loses none', { timeout: 180_000 }, async () => {
    const rabbit = await startRabbit()
    if (rabbit === null) throw new Error('RabbitMQ runs here, but is not installed')
    await using _stopped = { [Symbol.asyncDispose]: () => rabbit.close() }
    await using deployment = await startDeployment({ AMQP_URL: rabbit.url })
    await using _dispatcher = await deployment.startDispatcher()
    await using receiver = await startReceiver()
    const tenant = await deployment.tenant()
    must(await tenant.api('POST', '/api/v1/webhooks', { name: 'w', url: receiver.url, eventTypes: ['projects.*'] }))
    const before = await writeProjects(tenant, 20)
    await allArrived(receiver, 20)

    await rabbit.stop('SIGKILL')
    const during = await writeProjects(tenant, 20)
    await allArrived(receiver, 40)
    await rabbit.start()
    const after = await writeProjects(tenant, 20)
    await allArrived(receiver, 60)

    expect(projectsOf(receiver)).toEqual(new Set([...before, ...during, ...after]))
  })
})

test('kill -9 of the standalone process in the middle of 500 deliveries loses none', { timeout: 180_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wia-standalone-'))
  await using _removed = { [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }) }
  const { operatorToken } = settingsFor('standalone')
  const env = { DATA_DIR: folder, OPERATOR_TOKEN: operatorToken, LOG_LEVEL: 'warn' }
  const first = await start('standalone/main.ts', env)
  const { receiver, release } = await startPausingReceiver()
  await using _closed = receiver
  const tenant = await clientOf(first.url, operatorToken).tenant()
  await subscribeTen(tenant, receiver)

  const projects = await writeProjects(tenant, deliveries / webhooks)
  await receiver.count(50)
  await first.kill('SIGKILL')
  const beforeKill = idsOf(receiver).size
  release()
  await using _second = await start('standalone/main.ts', env)
  await allArrived(receiver, deliveries)

  expect(beforeKill).toBeLessThan(deliveries)
  expect(idsOf(receiver).size).toBe(deliveries)
  expect(projectsOf(receiver)).toEqual(new Set(projects))
})
