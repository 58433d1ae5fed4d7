// A receiver's way with the raw bytes of a delivery: verify, drop what was taken before, answer, and work
// afterwards. The receivers beside this file are the way from a framework to here.
import { createHmac, timingSafeEqual } from 'node:crypto'

export type Event = {
  type: string
  sequence: number
  resource: { type: string; id: string; version: number | null }
}
type Header = (name: string) => string | string[] | null | undefined

/** Answer 413 to a body with more bytes. */
export const bodyBytesMax = 5 * 1024 * 1024
const toleranceSeconds = 300
const keyBytesMin = 24
const waitingMax = 1_000
const rememberedMax = 10_000

// Memory is lost with the process. In earnest these are tables of your database, and `receive` inserts into the first
// two in one transaction before it answers: the id is unique, so a second insert says that the delivery was taken.
const taken = new Map<string, true>()
const waiting: { id: string; event: Event }[] = []
const newestVersions = new Map<string, number>()

/**
 * Several, separated by commas, while the secret is replaced. Standard Webhooks keys with the bytes behind `whsec_`.
 */
const keys = (process.env['WEBHOOK_SECRET'] ?? '')
  .split(',')
  .map((secret) => Buffer.from(secret.trim().replace(/^whsec_/, ''), 'base64'))
// Anybody could sign with an empty key.
if (keys.some((key) => key.length < keyBytesMin)) throw new Error('Set WEBHOOK_SECRET, see .env.example')

/**
 * Returns the status to answer with, at once. `body` is what was sent, byte for byte: some frameworks give none for an
 * empty one.
 */
export function receive(header: Header, body: Uint8Array = new Uint8Array()): number {
  const [id = '', timestamp = '', signatures = ''] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
    (name) => String(header(name) ?? ''),
  )
  if (!isFresh(timestamp) || !isGenuine(`${id}.${timestamp}.`, body, signatures.split(' '))) return 400
  if (taken.has(id)) return 204
  // It is sent again later.
  if (waiting.length >= waitingMax) return 503
  const event = JSON.parse(Buffer.from(body).toString()) as Event
  remember(taken, id, true)
  if (waiting.push({ id, event }) === 1) setImmediate(() => void workOff())
  return 204
}

const isFresh = (timestamp: string): boolean => Math.abs(Date.now() / 1_000 - Number(timestamp)) <= toleranceSeconds

/**
 * HMAC-SHA-256 over `<id>.<timestamp>.<body>`, with any of our keys. There are two signatures while a secret is
 * replaced.
 */
function isGenuine(head: string, body: Uint8Array, signatures: readonly string[]): boolean {
  const given = signatures.map((signature) => Buffer.from(signature.replace(/^v1,/, ''), 'base64'))
  const expected = keys.map((key) => createHmac('sha256', key).update(head).update(body).digest())
  return expected.some((mac) => given.some((each) => each.length === mac.length && timingSafeEqual(each, mac)))
}

async function workOff(): Promise<void> {
  for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
    try {
      if (isNews(next.event)) await work(next.event)
    } catch (error) {
      // So that a replay of this delivery is taken.
      taken.delete(next.id)
      console.error(error)
    }
    waiting.shift()
  }
}

/** False where a later change of the same object was worked off already. */
function isNews({ resource: { type, id, version } }: Event): boolean {
  if (version === null) return true
  if (version < (newestVersions.get(`${type}/${id}`) ?? 0)) return false
  remember(newestVersions, `${type}/${id}`, version)
  return true
}

/** Yours. An event with `test: true` is an example, of an object that does not exist. */
async function work({ type, sequence, resource }: Event): Promise<void> {
  console.log(`${type} ${resource.id} (number ${sequence})`)
}

/** The entry that was kept longest gives way. */
function remember<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > rememberedMax && oldest !== undefined) map.delete(oldest)
}
