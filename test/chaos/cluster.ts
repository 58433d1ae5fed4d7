// Of three nodes of RabbitMQ the one that leads the queue is killed, and comes back. Processes know all three
// addresses.
import { setTimeout as after } from 'node:timers/promises'
import { namesFor } from '#runtime/broker-names.ts'
import { leaderOf, startRabbitCluster } from '../support/servers/rabbit.ts'
import { brandOfStage, underLoad, type Row, type Scenario } from './stage.ts'

const awayMs = 3_000

const leaderKilled = (rounds: number): Row => ({
  name: `the leader of three killed ${rounds} times`,
  measure: async () => {
    await using cluster = await startRabbitCluster()
    const { queue } = namesFor(brandOfStage)
    const killLeaders = async () => {
      for (let round = 0; round < rounds; round++) {
        const leader = await leaderOf(cluster.nodes, queue)
        await leader.stop('SIGKILL')
        await after(awayMs)
        await leader.start()
      }
      await leaderOf(cluster.nodes, queue)
      return rounds
    }
    // The stage closes one node; the others are closed with the cluster.
    return await underLoad(killLeaders, async () => ({ ...cluster.nodes[0]!, url: cluster.url }))
  },
})

export const cluster: Scenario = {
  title: 'A cluster of RabbitMQ',
  about: `Killed by SIGKILL, away for ${awayMs / 1_000} s, and back before the next; deliveries go on over the other two.`,
  rows: ({ rounds }) => [leaderKilled(rounds)],
}
