// A receiver that was down comes back while a herd of deliveries waits for it.
import { setTimeout as after } from 'node:timers/promises'
import { openSecondsMax } from '../../dispatcher/queue/circuit-rows.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/servers/server.ts'
import { startReceiver } from '../support/receiver.ts'
import { openStage, type Row, type Scenario } from './stage.ts'

const perRound = 250
const load = { perSecond: 10, perCall: 100 }
const answersAfterMs = 5
const writtenWithinMs = 600_000
/** After the rest of its circuit. */
const drainWithinMs = 300_000

const herd = (pending: number, seconds: number): Row => ({
  name: `${pending} pending and more, down for ${seconds} s`,
  measure: async () => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}/hook`
    await using stage = await openStage({ receivers: [{ url }], perSecond: 0 })
    const downUntil = Date.now() + seconds * 1_000
    const { written } = await stage.load({ receivers: [{ url }], ...load })
    await eventually(() => written.length >= pending, 'the herd', writtenWithinMs)
    await stage.stopLoad()
    await after(Math.max(0, downUntil - Date.now()))

    const open = { now: 0, most: 0 }
    await using receiver = await startReceiver(
      async () => {
        open.most = Math.max(open.most, ++open.now)
        await after(answersAfterMs)
        open.now--
        return 200
      },
      { listenAt: port },
    )
    const drainSeconds = await stage.drained(url, openSecondsMax * 1_000 + drainWithinMs)
    const { figures, notes } = await stage.audit({ kills: 0, of: [receiver] })
    return {
      figures: { ...figures, drainSeconds, openAtOnce: open.most, perSecond: mostPerSecond(receiver.calls) },
      notes,
    }
  },
})

function mostPerSecond(calls: readonly { readonly at: number }[]): number {
  const counts = new Map<number, number>()
  for (const { at } of calls) {
    const second = Math.floor(at / 1_000)
    counts.set(second, (counts.get(second) ?? 0) + 1)
  }
  return Math.max(0, ...counts.values())
}

export const herdWaits: Scenario = {
  title: 'A herd',
  about: `Nothing listens at the receiver's address, then it answers everything after ${answersAfterMs} ms. Latency holds the time that it was down.`,
  rows: ({ rounds, seconds }) => [herd(rounds * perRound, seconds)],
}
