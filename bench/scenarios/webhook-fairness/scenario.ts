// Whether some webhooks are delivered at the cost of others: receivers that hang, long backlogs, memory, more
// dispatchers.
import { serverFacts } from '../../product/database.ts'
import type { Scenario } from '../../scenario.ts'
import { pendingMemory } from './memory.ts'
import { hangingNeighbours, stuckNeighbour } from './neighbours.ts'
import { prepareSetting } from './setting.ts'
import { twoDispatchers } from './two-dispatchers.ts'

export const webhookFairness: Scenario = {
  name: 'webhook-fairness',
  about:
    'What webhooks cost each other: receivers that hang beside receivers that are well, a long backlog, the memory of what waits, and a second dispatcher. On Postgres and RabbitMQ, with the processes as they are shipped; each measurement has its own copy of a seeded database.',
  prepare: async ({ seconds }) => {
    const setting = await prepareSetting(Math.min(seconds, secondsMax))
    const facts = await serverFacts(setting.well.database)
    const parts = [hangingNeighbours, stuckNeighbour, pendingMemory, twoDispatchers].map((part) => part(setting))
    return { parts, facts, [Symbol.asyncDispose]: () => setting[Symbol.asyncDispose]() }
  },
}

const secondsMax = 20
