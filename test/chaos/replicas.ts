// Dispatchers come and go, and one is frozen for longer than others wait for it.
import { setTimeout as after } from 'node:timers/promises'
import { underLoad, type Row, type Scenario } from './scenario.ts'

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

export const churn: Scenario = {
  title: 'Replicas',
  about: 'Dispatchers come and go by SIGTERM; each must end with 0, and nothing may be sent twice.',
  rows: ({ rounds }) => [churned(rounds)],
}
export const freeze: Scenario = {
  title: 'Lease',
  about: 'SIGSTOP and SIGCONT.',
  rows: ({ seconds }) => [frozen(seconds)],
}
