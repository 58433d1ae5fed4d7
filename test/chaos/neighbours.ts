// Who suffers from others: healthy receivers beside those that hang, reset, drip, or send headers without an end; and a
// tenant beside one that writes a hundred times as much.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as after } from 'node:timers/promises'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { openStage, type Row, type Scenario } from './stage.ts'

const webhooks = 20

/** Latency of the healthy ones alone. The sick are left with what is scheduled. */
const poisoned = (share: number, seconds: number): Row => ({
  name: `${share} % of ${webhooks} webhooks sick`,
  measure: async () => {
    const sickCount = Math.round((webhooks * share) / 100)
    await using healthy = await startReceiver()
    await using sick = await startSickReceiver()
    const targets = Array.from({ length: webhooks }, (_, n) => (n < sickCount ? sick : healthy))
    await using stage = await openStage({ receivers: targets, perSecond: 5 })
    await after(seconds * 1_000)
    await stage.stopLoad()
    const drainSeconds = await stage.drained(healthy.url)
    // What is still being sent is in the log when the dispatcher has ended.
    await stage.parts.dispatchers[0]?.kill('SIGTERM')
    const { figures, notes } = await stage.audit({ kills: 0, of: [healthy, sick], timed: [healthy] })
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

const quietPerSecond = 2
const noisy = { perSecond: 8, perCall: 25 }

const beside = (isNoisy: boolean, seconds: number): Row => ({
  name: isNoisy ? `beside a tenant that writes ${noisy.perSecond * noisy.perCall} a second` : 'alone',
  measure: async () => {
    await using quiet = await startReceiver()
    await using loud = await startReceiver()
    await using stage = await openStage({ receivers: [quiet], perSecond: quietPerSecond })
    if (isNoisy) await stage.load({ receivers: [loud], ...noisy })
    await after(seconds * 1_000)
    await stage.stopLoad()
    const drainSeconds = await stage.drained()
    const { figures, notes } = await stage.audit({ kills: 0, of: [quiet, loud], timed: [quiet] })
    return { figures: { ...figures, drainSeconds }, notes }
  },
})

export const poison: Scenario = {
  title: 'Sick receivers',
  about: 'They hang, reset, drip, or send headers without an end. Latency of the healthy ones.',
  rows: ({ seconds }) => [0, 5, 30, 60, 90].map((share) => poisoned(share, seconds)),
}
export const noisyTenant: Scenario = {
  title: 'A noisy tenant',
  about: `A tenant that writes ${quietPerSecond} projects a second, and its latency, alone and beside one that writes a hundred times as many.`,
  rows: ({ seconds }) => [false, true].map((isNoisy) => beside(isNoisy, seconds)),
}
