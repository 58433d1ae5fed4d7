// Nothing that was answered with success is lost when a process is killed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { clientOf, type Tenant } from '../support/client.ts'
import { freshDataFolder } from '../support/database.ts'
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
/** Those that came more than once, with how often. */
function repeated(receiver: Receiver): Map<string, number> {
  const byId = Map.groupBy(receiver.calls, ({ headers }) => String(headers['webhook-id']))
  return new Map([...byId].map(([id, calls]) => [id, calls.length] as const).filter(([, times]) => times > 1))
}

/** One process was killed: what it was about to write down is sent a second time, and never a third. */
const mostTimes = (receiver: Receiver): number => Math.max(1, ...repeated(receiver).values())

type Asking = Pick<Tenant, 'settings'>
const written = async ({ settings }: Asking): Promise<Set<string>> =>
  new Set(must(await settings('GET', '/deliveries?status=delivered&limit=200')).data.map(idOf))
const allWritten = ({ settings }: Asking) =>
  eventually(
    async () => must(await settings('GET', '/deliveries?status=pending,retrying')).data.length === 0,
    'every delivery to be recorded',
    90_000,
  )
const idOf = ({ id }: { readonly id: string }): string => id

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
    const done = await written(tenant)
    const arrived = idsOf(receiver)
    await using _second = await deployment.startDispatcher()
    await allArrived(receiver, deliveries)

    expect(beforeKill).toBeLessThan(deliveries)
    expect(idsOf(receiver).size).toBe(deliveries)
    expect(projectsOf(receiver)).toEqual(new Set(projects))
    await allWritten(tenant)
    // What had arrived when it was killed may come again, unless its result was written. Nothing else may.
    const again = [...repeated(receiver).keys()]
    expect(again.filter((id) => !arrived.has(id) || done.has(id))).toEqual([])
    expect(mostTimes(receiver)).toBeLessThanOrEqual(2)
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
    // The dispatcher was there all the time: it knows what it has sent.
    expect(repeated(receiver)).toEqual(new Map())
  })
})

test('kill -9 of the standalone process in the middle of 500 deliveries loses none', { timeout: 180_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wia-standalone-'))
  await using _removed = { [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }) }
  await freshDataFolder(folder)
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
  await using second = await start('standalone/main.ts', env)
  await allArrived(receiver, deliveries)

  expect(beforeKill).toBeLessThan(deliveries)
  expect(idsOf(receiver).size).toBe(deliveries)
  expect(projectsOf(receiver)).toEqual(new Set(projects))
  const { operator } = clientOf(second.url, operatorToken)
  await allWritten({
    settings: (method, path) => operator(method, `/settings/api/workspaces/${tenant.workspaceId}${path}`),
  })
  expect(mostTimes(receiver)).toBeLessThanOrEqual(2)
})
