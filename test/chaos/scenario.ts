// A scenario: what is done to a deployment under load.
import { setTimeout as after } from 'node:timers/promises'
import { startReceiver } from '../support/receiver.ts'
import type { Outcome } from './audit.ts'
import { openStage, type Stage } from './stage.ts'

export type Sizes = { readonly rounds: number; readonly seconds: number }
export type Row = { readonly name: string; readonly measure: () => Promise<Outcome> }
export type Scenario = {
  readonly title: string
  readonly about: string
  readonly rows: (sizes: Sizes) => readonly Row[]
}

/** One in twenty is refused, so that there are retries at every moment. */
export const startFickleReceiver = () => startReceiver((_call, number) => (number % 20 === 0 ? 500 : 200))

/** `act` resolves with how many kills there were. */
export async function underLoad(act: (stage: Stage) => Promise<number>): Promise<Outcome> {
  await using receiver = await startFickleReceiver()
  await using stage = await openStage({ receivers: [receiver, receiver] })
  await after(1_000)
  const kills = await act(stage)
  await stage.stopLoad()
  const drainSeconds = await stage.drained()
  const { figures, notes } = await stage.audit({ kills, of: [receiver] })
  return { figures: { ...figures, drainSeconds }, notes }
}
