// The webhook receivers of the starter files, each as a process of its own, sent what the dispatcher signs.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { format } from '@wasm-fmt/gofmt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signedHeaders, signingKeys } from '#contract/internal/webhook-request.ts'
import { eventually } from '../support/eventually.ts'
import { run } from '../support/run-program.ts'
import { python, starterFolder, startWebhookReceiver } from '../support/webhook-receivers.ts'
import { webhookReceivers, type RunningReceiver } from '../support/webhook-receivers.ts'

const makeSecret = () => `whsec_${randomBytes(32).toString('base64')}`
/** The receivers know two, as while they are replaced. */
const [known, alsoKnown, unknown] = [makeSecret(), makeSecret(), makeSecret()] as const
const bodyBytesMax = 5 * 1024 * 1024
const unixNow = () => Math.floor(Date.now() / 1_000)

type Headers = Record<string, string>
type Delivery = {
  id?: string
  version?: number
  secrets?: string[]
  ageSeconds?: number
  bodyBytes?: number
  /** Headers that are changed on the way, and what becomes of the body. */
  headers?: Headers
  changed?: (body: Buffer) => Buffer
}

const taken: Readonly<Record<string, Delivery>> = {
  'just signed': {},
  'signed with a new secret and with the known one': { secrets: [unknown, known] },
  'signed with the other secret that is known': { secrets: [alsoKnown] },
  'signed four minutes ago': { ageSeconds: 240 },
  'of the greatest size': { bodyBytes: bodyBytesMax },
}

const refused: Readonly<Record<string, Delivery>> = {
  'one byte of the body is changed': {
    changed: (body) => Buffer.from(body.toString().replace('sequence":1', 'sequence":2')),
  },
  'another id': { headers: { 'webhook-id': randomUUID() } },
  'another timestamp': { headers: { 'webhook-timestamp': String(unixNow() - 1) } },
  'a timestamp that is no number': { headers: { 'webhook-timestamp': 'soon' } },
  'no timestamp': { headers: { 'webhook-timestamp': '' } },
  'no signature': { headers: { 'webhook-signature': '' } },
  'a signature that is cut short': { headers: { 'webhook-signature': 'v1,c2hvcnQ=' } },
  'signed with an unknown secret': { secrets: [unknown] },
  'signed more than five minutes ago': { ageSeconds: 310 },
  'signed in the future': { ageSeconds: -310 },
}

function bodyOf(object: string, version = 1): string {
  const resource = { type: 'projects', id: object, kind: null, version }
  return JSON.stringify({ type: 'projects.updated', sequence: version, resource })
}

async function send(url: string, object: string, delivery: Delivery = {}): Promise<number> {
  const { id: deliveryId = randomUUID(), secrets = [known], changed = (body: Buffer) => body } = delivery
  const body = Buffer.from(bodyOf(object, delivery.version).padEnd(delivery.bodyBytes ?? 0))
  const unixSeconds = unixNow() - (delivery.ageSeconds ?? 0)
  const about = { deliveryId, eventType: 'projects.updated', body, unixSeconds }
  const signed = signedHeaders('service', about, secrets.map(signingKeys))
  const headers = { ...signed, ...delivery.headers, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: new Uint8Array(changed(body)) })
  await response.arrayBuffer()
  return response.status
}

/** Fastify answers and closes without reading on: a sender who still writes may miss the answer, and sends again. */
const sendTooMuch = (url: string, object: string): Promise<number> =>
  eventually(() => send(url, object, { bodyBytes: bodyBytesMax + 1 }).catch(nullWhereCutOff), 'an answer')

function nullWhereCutOff(error: unknown): null {
  const { code } = ((error as Error).cause ?? {}) as { code?: string }
  if (code !== undefined && ['EPIPE', 'ECONNRESET', 'UND_ERR_SOCKET'].includes(code)) return null
  throw error
}

/** The versions of the object, as they were worked off. That is done in order: when a last one is printed, all are. */
async function workedOff({ url, output }: RunningReceiver, object: string): Promise<number[]> {
  const last = randomUUID()
  await send(url, last)
  await eventually(() => output().includes(last), 'the last delivery is worked off')
  const lines = output().matchAll(new RegExp(`^projects.updated ${object} \\(number (\\d+)\\)$`, 'gm'))
  return Array.from(lines, ([, version]) => Number(version))
}

const running = new Map<string, RunningReceiver>()
const folder = mkdtempSync(join(tmpdir(), 'deliveries-'))

beforeAll(async () => {
  const started = await Promise.allSettled(
    webhookReceivers.map(async (receiver) => {
      running.set(receiver.name, await startWebhookReceiver(starterFolder, receiver, () => `${known},${alsoKnown}`))
    }),
  )
  for (const outcome of started) if (outcome.status === 'rejected') throw outcome.reason
})
afterAll(async () => {
  for (const receiver of running.values()) await receiver[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const given = (name: string) => ({ receiver: running.get(name) as RunningReceiver, object: randomUUID() })
const same = randomUUID()
const repeated = { first: { id: same }, again: { id: same } }
const disordered = { third: { version: 3 }, second: { version: 2 }, fourth: { version: 4 } }

describe.each(webhookReceivers)('$name', ({ name }) => {
  test.each<[string, Readonly<Record<string, Delivery>>, number, number[]]>([
    ['takes what one of its secrets signed', taken, 204, Object.keys(taken).map(() => 1)],
    ['refuses what is changed, stale or signed by others, and works off none of it', refused, 400, []],
    ['answers a repeated delivery like the first, and works it off once', repeated, 204, [1]],
    ['takes an older change after a newer one, and does not apply it', disordered, 204, [3, 4]],
  ])('%s', async (_what, deliveries, status, applied) => {
    const { receiver, object } = given(name)
    const statuses: Record<string, number> = {}

    for (const [how, delivery] of Object.entries(deliveries)) statuses[how] = await send(receiver.url, object, delivery)

    expect(statuses).toEqual(Object.fromEntries(Object.keys(deliveries).map((how) => [how, status])))
    expect(await workedOff(receiver, object)).toEqual(applied)
  })

  test('refuses a body that is too large, whoever signed it', async () => {
    const { receiver, object } = given(name)

    expect(await sendTooMuch(receiver.url, object)).toBe(413)
    expect(await workedOff(receiver, object)).toEqual([])
  })
})

test('curl/send-delivery.sh signs what a receiver takes', async () => {
  const { receiver, object } = given('Node')
  const event = join(folder, 'event.json')
  writeFileSync(event, bodyOf(object))
  const script = (secrets: string, ...file: readonly string[]) =>
    run(starterFolder, 'bash', ['curl/send-delivery.sh', receiver.url, ...file], { WEBHOOK_SECRET: secrets })

  const forged = await script(unknown, event)
  const genuine = await script(`${known},${unknown}`, event)
  const sample = await script(known)

  expect([forged, genuine, sample].map(({ output }) => output)).toEqual(['400\n', '204\n', '204\n'])
  expect(await workedOff(receiver, object)).toEqual([1])
  expect(receiver.output()).toContain('projects.updated sample (number 1)')
})

// With an empty key anybody could sign. The secrets are read by the inbox, of which each language has one.
test('none starts where one of its secrets is empty', async () => {
  const languages = webhookReceivers.filter(({ name }) => ['Node', 'Python', 'Go'].includes(name))

  const outcomes = await Promise.allSettled(
    languages.map((receiver) => startWebhookReceiver(starterFolder, receiver, () => `${known},`)),
  )

  const refusal = expect.objectContaining({ message: expect.stringContaining('Set WEBHOOK_SECRET, see .env.example') })
  expect(outcomes).toEqual(languages.map(() => ({ status: 'rejected', reason: refusal })))
})

// Where Go or FastAPI is not installed, this is what is looked at.
test('the receiver in Go is what gofmt makes of it', () => {
  const sources = readdirSync(join(starterFolder, 'go')).filter((name) => name.endsWith('.go'))

  expect(sources).toContain('receiver.go')
  for (const name of sources) {
    const source = readFileSync(join(starterFolder, 'go', name), 'utf8')
    expect(format(source)).toBe(source)
  }
})

/** In memory: nothing is left in the folder. */
const compileAll =
  'import glob\nfor f in glob.glob("python/*.py"): print(compile(open(f).read(), f, "exec").co_filename)'

test('the receivers in Python compile', async () => {
  const { code, output } = await run(starterFolder, python ?? 'python3', ['-c', compileAll], {})

  expect([code, output]).toEqual([0, expect.stringContaining('python/fastapi_receiver.py')])
})
