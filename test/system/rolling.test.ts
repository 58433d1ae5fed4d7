// Rolling restarts: each tier is replaced, process by process, while calls come in, and no call fails.
import { describe, expect, test } from 'vitest'
import { openBalancer } from '../support/load-balancer.ts'
import { clientOf, must, type Tenant } from '../support/client.ts'
import { openStores } from '../support/deployment.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { start, type Env, type Program, type Running } from '../support/processes.ts'
import { modes } from '../support/system.ts'

/** Longer than balancer and gateways take to notice, on a busy machine too. */
const drainSeconds = '2'
const callEveryMs = 25
/** A machine that answers more slowly is asked less: piled up calls would slow down what they are to meet. */
const openMax = 10
/** A key may be used ten times a second. */
const keysCount = 8

describe.skipIf(!modes.includes('distributed'))('rolling restarts', () => {
  test(
    'of every tier under up to 40 calls a second: no call fails, no delivery is lost',
    { timeout: 420_000 },
    async () => {
      const stores = await openStores({ DRAIN_SECONDS: drainSeconds })
      await using undo = new AsyncDisposableStack()
      undo.defer(stores.close)
      const services = await startPair('service/main.ts', stores.env, undo)
      const urls = urlsOf(services).join(',')
      const gateways = await startPair('gateway/main.ts', { ...stores.env, SERVICE_URLS: urls }, undo)
      const dispatchers = await startPair('dispatcher/main.ts', stores.env, undo)
      await using receiver = await startReceiver()
      using balancer = openBalancer()
      for (const url of urlsOf(gateways)) await balancer.add(url)
      const tenant = await clientOf(balancer.next(), stores.operatorToken).tenant()

      const webhook = { name: 'w', url: receiver.url, eventTypes: ['projects.created'] }
      must(await tenant.api('POST', '/api/v1/webhooks', webhook))

      const calls = keepCalling(await keysOf(tenant), balancer.next)
      await calls.more(40)
      // Deliveries do not go through gateways, whose balancer knows nothing of dispatchers.
      await Promise.all([roll(gateways, balancer.takes), roll(dispatchers)])
      await roll(services)
      await calls.more(40)
      const answers = await calls.end()

      expect(answers.filter(({ status }) => status !== 200 && status !== 201)).toEqual([])
      const made = answers.flatMap(({ id }) => id ?? [])
      const delivered = () => new Set(receiver.calls.map(({ body }) => JSON.parse(body.toString()).resource.id))
      await eventually(() => made.every((id) => delivered().has(id)), 'every project to be delivered', 60_000)
      expect(must(await tenant.api('GET', '/api/v1/projects/count')).total).toBe(made.length)
    },
  )
})

type Member = { readonly program: Program; readonly env: Env; current: Running }

/** Whoever is the current one in the end is ended then. */
async function startPair(program: Program, env: Env, undo: AsyncDisposableStack): Promise<Member[]> {
  const pair = await Promise.all([start(program, env), start(program, env)])
  const members = pair.map((current) => ({ program, env: { ...env, PORT: new URL(current.url).port }, current }))
  for (const member of members) undo.defer(async () => void (await member.current.kill('SIGKILL')))
  return members
}

const urlsOf = (members: readonly Member[]): string[] => members.map(({ current }) => current.url)

/** One after the other: stopped as an orchestrator stops it, and the next only when its successor gets calls. */
async function roll(members: readonly Member[], taken = (_url: string) => Promise.resolve()): Promise<void> {
  for (const member of members) {
    expect(await member.current.kill('SIGTERM')).toMatchObject({ code: 0 })
    member.current = await start(member.program, member.env)
    await taken(member.current.url)
  }
}

const keysOf = async (tenant: Tenant): Promise<string[]> => {
  const keys = await Promise.all(
    Array.from({ length: keysCount }, () => tenant.key(['projects:read', 'projects:write'])),
  )
  return keys.map(({ secret }) => secret)
}

type Called = { readonly status: number | string; readonly id?: string }

/** Reads and writes in turn, each with the next key, at a steady pace. */
function keepCalling(secrets: readonly string[], next: () => string) {
  const answers: Called[] = []
  const running = new Set<Promise<void>>()
  let made = 0
  const timer = setInterval(() => {
    if (running.size >= openMax) return
    const secret = secrets[made % secrets.length] ?? ''
    const isWrite = Math.floor(made / secrets.length) % 2 === 0
    const called = call(next, secret, isWrite, made++)
      .catch((error: unknown): Called => ({ status: String((error as Error).cause ?? error) }))
      .then((answer) => void answers.push(answer))
      .finally(() => running.delete(called))
    running.add(called)
  }, callEveryMs)
  return {
    more: (count: number, from = answers.length) => eventually(() => answers.length >= from + count, 'more', 60_000),
    end: async () => {
      clearInterval(timer)
      await Promise.all(running)
      return answers
    },
  }
}

async function call(next: () => string, secret: string, isWrite: boolean, number: number): Promise<Called> {
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const write = { method: 'POST', body: JSON.stringify({ name: `Project ${number}` }) }
  const response = await fetch(`${next()}/api/v1/projects`, { headers, ...(isWrite && write) })
  const body = (await response.json()) as { id?: string; code?: string }
  if (response.ok) return { status: response.status, ...(isWrite && body.id !== undefined && { id: body.id }) }
  return { status: `${response.status} ${body.code}` }
}
