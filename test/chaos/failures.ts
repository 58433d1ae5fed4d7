// Parts are killed at random moments and started again; the broker also loses its disk, Postgres freezes; dispatchers
// come and go, and one is frozen for longer than others wait for it.
import { setTimeout as after } from 'node:timers/promises'
import { eventually } from '../support/eventually.ts'
import { underLoad, type Row, type Scenario, type Stage } from './stage.ts'

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
async function restarted({ start }: Stage['postgres']): Promise<void> {
  const begun = async () => (await Promise.allSettled([start()]))[0].status === 'fulfilled'
  await eventually(begun, 'Postgres to start again', restartWithinMs)
}

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

type Act = (stage: Stage) => unknown

const awayFor = (name: string, seconds: number, takeAway: Act, bringBack: Act): Row => ({
  name,
  measure: () =>
    underLoad(async (stage) => {
      await takeAway(stage)
      await after(seconds * 1_000)
      await bringBack(stage)
      await after(2_000)
      return 1
    }),
})

const brokerWiped = (seconds: number): Row =>
  awayFor(
    `broker gone for ${seconds} s, then its disk wiped`,
    seconds,
    ({ rabbit }) => rabbit.stop('SIGKILL'),
    ({ rabbit }) => {
      rabbit.wipe()
      return rabbit.start()
    },
  )

const databaseFrozen = (seconds: number): Row =>
  awayFor(
    `Postgres frozen for ${seconds} s`,
    seconds,
    ({ postgres }) => postgres.freeze(),
    ({ postgres }) => postgres.thaw(),
  )

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

async function freezeOneOfTwo({ parts: { dispatchers }, startDispatcher }: Stage): Promise<void> {
  dispatchers.push(await startDispatcher())
  await after(1_000)
  dispatchers[0]?.freeze()
}
const frozen = (seconds: number): Row =>
  awayFor(`one dispatcher of two frozen for ${seconds} s`, seconds, freezeOneOfTwo, ({ parts }) =>
    parts.dispatchers[0]?.thaw(),
  )

export const kills: Scenario = {
  title: 'Kills (SIGKILL)',
  about: 'Killed at random moments under load and started again; the rounds are shared out over the rows.',
  rows: ({ rounds }) => victims.map((victim) => killed(victim, Math.ceil(rounds / victims.length))),
}
export const broker: Scenario = {
  title: 'Broker',
  about: 'Deliveries go on by polling.',
  rows: ({ seconds }) => [brokerWiped(seconds)],
}
export const database: Scenario = {
  title: 'Postgres',
  about: 'All of its processes are stopped by SIGSTOP and go on by SIGCONT; writes are refused meanwhile.',
  rows: ({ seconds }) => [databaseFrozen(seconds)],
}
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
