// What is done to a deployment under load.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { eventually } from '../support/eventually.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { openStage, type Outcome, type Stage } from './stage.ts'

export type Sizes = { readonly rounds: number; readonly seconds: number }
type Row = { readonly name: string; readonly measure: () => Promise<Outcome> }
type Scenario = { readonly title: string; readonly about: string; readonly rows: (sizes: Sizes) => readonly Row[] }

/** One in twenty is refused, so that there are retries at every moment. */
const startFickleReceiver = () => startReceiver((_call, number) => (number % 20 === 0 ? 500 : 200))

async function underLoad(act: (stage: Stage) => Promise<number>): Promise<Outcome> {
  await using receiver = await startFickleReceiver()
  await using stage = await openStage([receiver, receiver])
  await after(1_000)
  const kills = await act(stage)
  await stage.stopLoad()
  const drainSeconds = await stage.drained()
  const { figures, notes } = await stage.audit(kills, [receiver])
  return { figures: { ...figures, drainSeconds }, notes }
}

const restartWithinMs = 60_000
const victims = ['dispatcher', 'service', 'broker', 'Postgres', 'all'] as const
type Victim = (typeof victims)[number]

/** Killed together, and started again in the order in which they need each other. */
async function killAndRestart(victim: Victim, { parts, postgres, rabbit, startService, startDispatcher }: Stage) {
  const falls = (one: Victim) => victim === one || victim === 'all'
  const [dispatcher] = parts.dispatchers
  await Promise.all([
    falls('Postgres') && postgres.stop('SIGKILL'),
    falls('broker') && rabbit.stop('SIGKILL'),
    falls('service') && parts.service.kill('SIGKILL'),
    falls('dispatcher') && dispatcher?.kill('SIGKILL'),
  ])
  if (falls('Postgres')) await restarted(postgres)
  if (falls('broker')) await rabbit.start()
  if (falls('service')) parts.service = await startService()
  if (falls('dispatcher')) parts.dispatchers[0] = await startDispatcher()
}

/** Its sessions outlive a killed Postgres for a moment, and no other one starts before they have ended. */
const restarted = (postgres: Stage['postgres']) =>
  eventually(
    () =>
      postgres.start().then(
        () => true,
        () => false,
      ),
    'Postgres to start again',
    restartWithinMs,
  )

const killed = (victim: Victim, rounds: number): Row => ({
  name: victim,
  measure: () =>
    underLoad(async (stage) => {
      for (let round = 0; round < rounds; round++) {
        await after(300 + Math.random() * 700)
        await killAndRestart(victim, stage)
      }
      return rounds
    }),
})

const brokerWiped = (seconds: number): Row => ({
  name: `broker gone for ${seconds} s, then its disk wiped`,
  measure: () =>
    underLoad(async ({ rabbit }) => {
      await rabbit.stop('SIGKILL')
      await after(seconds * 1_000)
      rabbit.wipe()
      await rabbit.start()
      await after(2_000)
      return 1
    }),
})

const churned = (rounds: number): Row => ({
  name: `${rounds} times 1 → 4 → 1 dispatchers`,
  measure: () =>
    underLoad(async ({ parts: { dispatchers }, startDispatcher }) => {
      for (let round = 0; round < rounds; round++) {
        for (let n = 0; n < 3; n++) dispatchers.push(await startDispatcher())
        for (const leaving of dispatchers.splice(0, 3)) {
          const { code } = await leaving.kill('SIGTERM')
          if (code !== 0) throw new Error(`A dispatcher ended with ${code}`)
        }
      }
      return 0
    }),
})

const frozen = (seconds: number): Row => ({
  name: `one dispatcher of two frozen for ${seconds} s`,
  measure: () =>
    underLoad(async ({ parts: { dispatchers }, startDispatcher }) => {
      dispatchers.push(await startDispatcher())
      await after(1_000)
      dispatchers[0]?.freeze()
      await after(seconds * 1_000)
      dispatchers[0]?.thaw()
      await after(2_000)
      return 1
    }),
})

const webhooks = 20

/** Latency of the healthy ones alone. The sick are left with what is scheduled. */
const poisoned = (share: number, seconds: number): Row => ({
  name: `${share} % of ${webhooks} webhooks sick`,
  measure: async () => {
    const sickCount = Math.round((webhooks * share) / 100)
    await using healthy = await startReceiver()
    await using sick = await startSickReceiver()
    const targets = Array.from({ length: webhooks }, (_, n) => (n < sickCount ? sick : healthy))
    await using stage = await openStage(targets, 5)
    await after(seconds * 1_000)
    await stage.stopLoad()
    const drainSeconds = await stage.drained(healthy.url)
    // What is still being sent is in the log when the dispatcher has ended.
    await stage.parts.dispatchers[0]?.kill('SIGTERM')
    const { figures, notes } = await stage.audit(0, [healthy, sick], [healthy])
    return { figures: { ...figures, drainSeconds }, notes }
  },
})

/** In turn: hangs, resets the connection, answers a byte a second, or sends headers without an end. */
async function startSickReceiver(): Promise<Receiver> {
  const calls: { at: number; headers: Receiver['calls'][number]['headers']; body: Buffer; status: null }[] = []
  const dripping = new Set<NodeJS.Timeout>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      calls.push({ at: Date.now(), headers: request.headers, body: Buffer.concat(chunks), status: null })
      const [kind, socket] = [calls.length % 4, response.socket]
      if (kind === 1) socket?.destroy()
      if (kind < 2) return
      const text = kind === 2 ? 'H' : `x-${'a'.repeat(4_096)}: b\r\n`
      if (kind === 3) socket?.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket?.write(text), 1_000)
      dripping.add(drip)
      socket?.once('close', () => clearInterval(drip))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    calls,
    count: async () => calls,
    [Symbol.asyncDispose]: async () => {
      dripping.forEach(clearInterval)
      server.closeAllConnections()
      server.close()
    },
  }
}

export const scenarios: Readonly<Record<string, Scenario>> = {
  kills: {
    title: 'Kills (SIGKILL)',
    about: 'Killed at random moments under load and started again; the rounds are shared out over the rows.',
    rows: ({ rounds }) => victims.map((victim) => killed(victim, Math.ceil(rounds / victims.length))),
  },
  broker: { title: 'Broker', about: 'Deliveries go on by polling.', rows: ({ seconds }) => [brokerWiped(seconds)] },
  churn: {
    title: 'Replicas',
    about: 'Dispatchers come and go by SIGTERM; each must end with 0, and nothing may be sent twice.',
    rows: ({ rounds }) => [churned(rounds)],
  },
  freeze: { title: 'Lease', about: 'SIGSTOP and SIGCONT.', rows: ({ seconds }) => [frozen(seconds)] },
  poison: {
    title: 'Sick receivers',
    about: 'They hang, reset, drip, or send headers without an end. Latency of the healthy ones.',
    rows: ({ seconds }) => [0, 5, 30, 60, 90].map((share) => poisoned(share, seconds)),
  },
}
