// What callers notice while each tier is replaced, and while one service of two hangs.
import type { Sizes } from '../../options.ts'
import { removeQueues } from '../../product/broker.ts'
import { emptyDatabase, serverFacts } from '../../product/database.ts'
import { newDeployment, type Deployment } from '../../product/settings.ts'
import { makeTenants } from '../../product/tenants.ts'
import { migrate, startGateway, startService } from '../../product/tiers.ts'
import type { Column } from '../../report/table.ts'
import type { Part, Scenario } from '../../scenario.ts'
import { disturbed, drainSeconds, kinds, perSecond, settledSeconds, type Setting } from './rows.ts'

const keysEach = 8

const columns: readonly Column[] = [
  { figure: 'calls', title: 'calls', digits: 0 },
  { figure: 'failed', title: 'failed', digits: 0 },
  { figure: 'failedLater', title: `failed of those begun ${settledSeconds} s after it or later`, digits: 0 },
  { figure: 'p50', title: 'p50 ms', digits: 1 },
  { figure: 'p99', title: 'p99 ms', digits: 1 },
]

export const restarts: Scenario = {
  name: 'restarts',
  about:
    'Two gateways behind a balancer that asks them for /ready five times a second, two services, two dispatchers. Each tier is replaced process by process (SIGTERM, and the next when the successor is ready), or one service is frozen (SIGSTOP), while calls come in at a fixed rate, reads and writes in turn.',
  prepare: async ({ seconds }: Sizes) => {
    await using undo = new AsyncDisposableStack()
    const [deployment, seeded] = [newDeployment(), undo.use(await emptyDatabase())]
    undo.defer(() => removeQueues(deployment))
    await migrate(seeded.url)
    const tokens = await seed(deployment, seeded.url)
    const facts = await serverFacts(seeded)
    const kept = undo.move()
    return {
      parts: [part({ deployment, seeded, tokens, seconds })],
      facts: { ...facts, DRAIN_SECONDS: String(drainSeconds) },
      [Symbol.asyncDispose]: () => kept.disposeAsync(),
    }
  },
}

const part = (setting: Setting): Part => ({
  title: `${perSecond} calls a second`,
  about:
    'A call has failed where it was answered with anything but 200 or 201, or not at all. A call that a frozen service has taken waits for its answer until the gateway knows better: reads go to the other service then, writes are not repeated.',
  columns,
  rows: kinds.map((kind) => disturbed(kind, setting)),
})

async function seed(deployment: Deployment, database: string): Promise<readonly string[]> {
  await using service = await startService(deployment, database)
  await using gateway = await startGateway(deployment, service.url)
  const wanted = { workspaces: 1, keysEach, projectsEach: 20, receivers: [] }
  const [tenant] = await makeTenants(gateway.url, deployment, wanted)
  return tenant?.tokens ?? []
}
