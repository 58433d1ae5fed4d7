// How long a revoked key is still let through, whichever connections to Redis are lost.
import { removeQueues } from '../../product/broker.ts'
import { emptyDatabase, serverFacts } from '../../product/database.ts'
import { newDeployment } from '../../product/settings.ts'
import { migrate } from '../../product/tiers.ts'
import type { Goal } from '../../report/goals.ts'
import type { Column } from '../../report/table.ts'
import type { Part, Scenario } from '../../scenario.ts'
import { combinations, revoking, type Setting } from './rows.ts'
import { underLoad } from './under-load.ts'

const columns: readonly Column[] = [
  { figure: 'lastAccepted', title: 'last accepted call after the revocation, s', digits: 2 },
  { figure: 'calls', title: 'calls', digits: 0 },
]

export const revocation: Scenario = {
  name: 'revocation',
  about:
    'A key is used ten times a second through one gateway before two services. Connections to Redis are cut, and at once the key is revoked at the first service.',
  prepare: async () => {
    await using undo = new AsyncDisposableStack()
    const [deployment, seeded] = [newDeployment(), undo.use(await emptyDatabase())]
    undo.defer(() => removeQueues(deployment))
    await migrate(seeded.url)
    const facts = await serverFacts(seeded)
    const kept = undo.move()
    const setting = { deployment, seeded }
    return { parts: [partUnderLoad(setting), part(setting)], facts, [Symbol.asyncDispose]: () => kept.disposeAsync() }
  },
}

const loadColumns: readonly Column[] = [
  { figure: 'p50', title: 'last accepted call after the confirmation, ms, p50', digits: 1 },
  { figure: 'p99', title: 'p99', digits: 1 },
  { figure: 'worst', title: 'worst', digits: 1 },
  { figure: 'accepted', title: 'calls accepted after it, of all callers', digits: 0 },
]

const partUnderLoad = (setting: Setting): Part => ({
  title: 'Under load at three gateways',
  about:
    'Forty keys, one after another, each used by four callers at each of three gateways without a pause, and revoked meanwhile. Counted from the answer to the revocation to the beginning of the last call of each caller that was let through.',
  columns: loadColumns,
  rows: [underLoad(setting)],
  goals: [
    {
      says: 'three gateways: p99 of the last accepted call over 50 ms,',
      own: { row: 'three gateways', figure: 'p99' },
      over: { row: 'three gateways', figure: 'bound' },
      atMost: 1,
    },
  ],
})

const part = (setting: Setting): Part => ({
  title: 'Every combination of lost connections',
  about:
    'Who is cut off from Redis. *Last accepted* counts from the answer to the revocation to the beginning of the last call that was let through; 0 where none was.',
  columns,
  rows: combinations.map((cut) => revoking(cut, setting)),
  goals: combinations.map((cut): Goal => ({
    says: `${cut.name}: seconds until the last accepted call, over 5,`,
    own: { row: cut.name, figure: 'lastAccepted' },
    over: { row: cut.name, figure: 'bound' },
    atMost: 1,
  })),
})
