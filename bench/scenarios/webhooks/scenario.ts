// Events on their way out: how soon they arrive, how many one dispatcher can send, and for how long.
import { serverFacts } from '../../product/database.ts'
import { openStage } from '../../product/webhook-system.ts'
import type { Scenario } from '../../scenario.ts'
import { latency, latencyAtHalf } from './latency.ts'
import { saturation } from './saturation.ts'
import { webhooksEach, webhooksEachWide, workspaces, type Setting } from './setting.ts'
import { sustainedSaturation } from './sustained-saturation.ts'
import { sustained } from './sustained.ts'

export const webhooks: Scenario = {
  name: 'webhooks',
  about:
    'Webhooks from the service through RabbitMQ and the dispatcher to a receiver on loopback, beside a bare loop of signed POSTs. Each round has its own copy of one seeded database. What measures in rounds takes at most 10 s each time.',
  prepare: async ({ seconds }) => {
    await using undo = new AsyncDisposableStack()
    const stage = undo.use(await openStage())
    const narrow = await stage.seed(workspaces, paths(webhooksEach))
    const wide = await stage.seed(workspaces, paths(webhooksEachWide))
    const { body: eventBody } = await narrow.database.look<{ body: string }>(
      `SELECT body FROM event WHERE type = 'projects.created' LIMIT 1`,
    )
    const setting: Setting = { narrow, wide, eventBody, seconds, highest: [] }
    const facts = await serverFacts(narrow.database)
    const parts = [latency, saturation, sustainedSaturation, latencyAtHalf, sustained].map((part) => part(setting))
    const kept = undo.move()
    return { parts, facts, [Symbol.asyncDispose]: () => kept.disposeAsync() }
  },
}

const paths = (count: number): string[] => Array.from({ length: count }, (_, n) => `/${n}`)
