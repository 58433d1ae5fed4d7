// Ten thousand callers that leave in one phase of their calls, a hundred at a time.
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { memoryOf } from '../../measure/memory.ts'
import type { Row } from '../../measure/rounds.ts'
import { until } from '../../measure/wait-until.ts'
import { makeKey, type Key } from '../../product/keys.ts'
import { newDeployment } from '../../product/settings.ts'
import { startGateway, type Tier } from '../../product/tiers.ts'
import { slowOrigin, type Behaviour, type SlowOrigin } from './origin.ts'

export const abortsEach = 10_000
export const atOnce = 100
/** So many that none meets its rate limit; calls to fill all slots are made with keys of their own. */
const keyCount = 1_024
export const slots = 112
const holders = 8
const batches = abortsEach / atOnce
/** The memory of a process that has just begun grows whatever it does. */
const warmBatches = batches / 5
const queuedForMs = 20
const lookEveryMs = 500
const looksAlike = 12
const settlesWithinMs = 30_000

type Phase = {
  readonly name: string
  readonly service: Behaviour
  /** What is sent, after the line with the key. */
  readonly request: (token: string) => string
  /** Waits until all of a batch are where they are to leave. */
  readonly reached: (origin: SlowOrigin, sockets: readonly Socket[]) => Promise<unknown>
  readonly isQueued?: true
}

const get = (token: string): string =>
  `GET /api/v1/projects HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${token}\r\n\r\n`
const arrived = (origin: SlowOrigin) =>
  until('the calls to arrive', settlesWithinMs, () => (origin.underWay() >= atOnce ? true : null))
const begun = (sockets: readonly Socket[]) => Promise.all(sockets.map((socket) => once(socket, 'readable')))

export const phases: readonly Phase[] = [
  { name: 'waiting for a slot', service: 'holds', request: get, reached: () => after(queuedForMs), isQueued: true },
  { name: 'before the answer', service: 'holds', request: get, reached: arrived },
  {
    name: 'in a long answer',
    service: 'answers at length',
    request: get,
    reached: (_origin, sockets) => begun(sockets),
  },
  {
    name: 'in a long body',
    service: 'holds',
    request: (token) =>
      `POST /api/v1/projects HTTP/1.1\r\nhost: gateway\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 600000\r\n\r\n{`,
    reached: arrived,
  },
]

export const leaving = (phase: Phase): Row => ({
  name: phase.name,
  measure: async () => {
    const keys = Array.from({ length: keyCount + holders * slots }, writingKey)
    await using origin = await slowOrigin(keys)
    await using gateway = await startGateway(newDeployment(), origin.url, {})
    const holdersOf = (turn: number) => keys.slice(keyCount).filter((_key, at) => at % holders === turn % holders)
    await serve(gateway, origin, keys.slice(0, 1))
    const socketsBefore = await settledSockets(gateway)
    let memoryBefore = memoryOf(gateway.pid)
    for (let batch = 0; batch < batches; batch++) {
      if (batch === warmBatches) memoryBefore = memoryOf(gateway.pid)
      const turn = (at: number) => keys[(batch * atOnce + at) % keyCount]!
      await leaveOnce(phase, gateway, origin, { turn, holding: holdersOf(batch) })
    }
    const socketsAfter = await settledSockets(gateway)
    const memoryAfter = memoryOf(gateway.pid)
    return {
      aborts: abortsEach,
      socketsLeft: socketsAfter - socketsBefore,
      memoryMib: memoryBefore && memoryAfter ? memoryAfter.own - memoryBefore.own : null,
      slotsFree: await serve(gateway, origin, holdersOf(0)),
    }
  },
})

function writingKey(): Key {
  const key = makeKey()
  return { ...key, record: { ...key.record, scopes: ['projects:write'] } }
}

type Callers = { readonly turn: (at: number) => Key; readonly holding: readonly Key[] }

async function leaveOnce(phase: Phase, gateway: Tier, origin: SlowOrigin, { turn, holding }: Callers): Promise<void> {
  origin.behaviour = phase.service
  const filling = phase.isQueued
    ? await callAll(
        gateway,
        holding.map(({ token }) => get(token)),
      )
    : []
  if (phase.isQueued)
    await until('all slots to be taken', settlesWithinMs, () => (origin.underWay() === slots ? true : null))
  const requests = Array.from({ length: atOnce }, (_, at) => phase.request(turn(at).token))
  const sockets = await callAll(gateway, requests)
  await phase.reached(origin, sockets)
  sockets.forEach((socket, at) => void (at % 2 === 0 ? socket.destroy() : socket.resetAndDestroy()))
  origin.behaviour = 'answers'
  if (phase.isQueued) origin.release()
  await until('all calls to be over', settlesWithinMs, () => (origin.underWay() === 0 ? true : null))
  for (const socket of filling) socket.destroy()
}

const callAll = (gateway: Tier, requests: readonly string[]): Promise<Socket[]> =>
  Promise.all(
    requests.map(async (request) => {
      const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1').on('error', () => {})
      await once(socket, 'connect')
      socket.write(request)
      return socket
    }),
  )

/** How many calls, one of each key, are under way at once, and then answered. */
async function serve(gateway: Tier, origin: SlowOrigin, keys: readonly Key[]): Promise<number> {
  origin.behaviour = 'holds'
  const answers = keys.map(({ token }) =>
    fetch(`${gateway.url}/api/v1/projects`, { headers: { authorization: `Bearer ${token}` } }),
  )
  await until('all slots to be free', settlesWithinMs, () => (origin.underWay() === keys.length ? true : null))
  origin.release()
  const answered = await Promise.all(answers)
  await Promise.all(answered.map((answer) => answer.text()))
  return answered.filter(({ status }) => status === 200).length
}

/** Of the gateway, once their number has not changed for longer than connections to the service are kept. */
async function settledSockets({ pid }: Tier): Promise<number> {
  const seen: number[] = []
  return until('the sockets to settle', settlesWithinMs, async () => {
    await after(lookEveryMs)
    seen.push(socketsOf(pid))
    const last = seen.slice(-looksAlike)
    return last.length === looksAlike && new Set(last).size === 1 ? (last[0] ?? null) : null
  })
}

function socketsOf(pid: number): number {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).filter((fd) => {
    try {
      return readlinkSync(`${folder}/${fd}`).startsWith('socket:')
    } catch {
      return false
    }
  }).length
}
