// A quiet workspace beside a noisy neighbour.
import type { ApiKey } from '#contract/api-key-schema.ts'
import { scopes } from '#contract/scopes.ts'
import type { Sizes } from '../../options.ts'
import { removeQueues } from '../../product/broker.ts'
import { made } from '../../product/calls.ts'
import { emptyDatabase, serverFacts } from '../../product/database.ts'
import { newDeployment, type Deployment } from '../../product/settings.ts'
import { makeTenants } from '../../product/tenants.ts'
import { migrate, startGateway, startService } from '../../product/tiers.ts'
import type { Goal } from '../../report/goals.ts'
import type { Column } from '../../report/table.ts'
import type { Part, Scenario } from '../../scenario.ts'
import { alone, beside, noisyNeighbours, readsPerSecond, writesPerSecond, type Setting } from './rows.ts'

const documents = 5
const documentBytes = 1_000_000
const timesMax = 2

const columns: readonly Column[] = [
  { figure: 'read50', title: 'read p50 ms', digits: 1 },
  { figure: 'read99', title: 'read p99 ms', digits: 1, compared: true },
  { figure: 'write50', title: 'write p50 ms', digits: 1 },
  { figure: 'write99', title: 'write p99 ms', digits: 1, compared: true },
  { figure: 'sent', title: 'calls of the other key', digits: 0 },
]

export const neighbours: Scenario = {
  name: 'neighbours',
  about:
    'Reads and writes of a quiet workspace through one gateway and one service, while a key of another workspace sends the largest batches, the longest arrays, bodies a byte at a time, or reads nothing of large answers. Everything is within the limits that callers are told.',
  prepare: async ({ seconds }: Sizes) => {
    await using undo = new AsyncDisposableStack()
    const [deployment, seeded] = [newDeployment(), undo.use(await emptyDatabase())]
    undo.defer(() => removeQueues(deployment))
    await migrate(seeded.url)
    const tenants = await seed(deployment, seeded.url)
    const facts = await serverFacts(seeded)
    const kept = undo.move()
    return {
      parts: [part({ deployment, seeded, seconds, ...tenants })],
      facts,
      [Symbol.asyncDispose]: () => kept.disposeAsync(),
    }
  },
}

const part = (setting: Setting): Part => ({
  title: 'A quiet workspace and a loud one',
  about: `${readsPerSecond} lists of 50 projects and ${writesPerSecond} new projects a second in the quiet workspace. Any answer but success ends the bench.`,
  ...{ columns, peer: alone, goals },
  rows: [beside(null, setting), ...noisyNeighbours.map((kind) => beside(kind, setting))],
})

const goals: Goal[] = noisyNeighbours.flatMap((kind) =>
  (['read99', 'write99'] as const).map((figure) => ({
    says: `${figure === 'read99' ? 'reads' : 'writes'} beside ${kind}, p99 over that of the same calls alone,`,
    own: { row: kind, figure },
    over: { row: alone, figure },
    atMost: timesMax,
  })),
)

async function seed(deployment: Deployment, database: string): Promise<Pick<Setting, 'quiet' | 'loud'>> {
  await using service = await startService(deployment, database)
  await using gateway = await startGateway(deployment, service.url)
  const wanted = { workspaces: 2, keysEach: 4, projectsEach: 60, receivers: [] }
  const [quiet, other] = await makeTenants(gateway.url, deployment, wanted)
  const key = await made<ApiKey & { secret: string }>(
    `${gateway.url}/settings/api/workspaces/${other?.workspaceId}/api-keys`,
    deployment.operatorToken,
    { name: 'Loud', scopes },
  )
  for (let n = 0; n < documents; n++) {
    const document = { title: `Document ${n}`, content: 'x'.repeat(documentBytes) }
    await made(`${gateway.url}/api/v1/documents`, key.secret, document)
  }
  return { quiet: quiet?.tokens ?? [], loud: key.secret }
}
