// A tenant that writes a hundred times as much as its neighbour, whose latency counts.
import { setTimeout as after } from 'node:timers/promises'
import { startReceiver } from '../support/receiver.ts'
import type { Row, Scenario } from './scenario.ts'
import { openStage } from './stage.ts'

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

export const noisyTenant: Scenario = {
  title: 'A noisy tenant',
  about: `A tenant that writes ${quietPerSecond} projects a second, and its latency, alone and beside one that writes a hundred times as many.`,
  rows: ({ seconds }) => [false, true].map((isNoisy) => beside(isNoisy, seconds)),
}
