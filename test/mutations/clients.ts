// Mistakes of what people and programs use: the command line, the clients and the console.
import type { Mutation } from './mutation.ts'

export const clientMutations: readonly Mutation[] = [
  {
    id: 'K01',
    tier: 'cli',
    fear: 'Each further call of `audit verify` checks an entry again: it says that it has checked more than there are.',
    find: /from = result\.lastNumber \+ 1/,
    replace: 'from = result.lastNumber',
    tests: ['cli/'],
  },
  {
    id: 'K02',
    tier: 'clients',
    fear: 'A follower whose connection breaks off after a message without an id begins at the end: it misses what came between.',
    find: /lastEventId = id \?\? lastEventId/,
    replace: 'lastEventId = id',
    tests: ['clients/requests', 'system/live-streams'],
  },
  {
    id: 'K03',
    tier: 'clients',
    fear: 'The receiver of the starter takes a delivery of last year that somebody has recorded and sends again.',
    find: /Math\.abs\(Date\.now\(\) \/ 1_000 - Number\(timestamp\)\)/,
    replace: 'Number(timestamp) - Date.now() / 1_000',
    tests: ['webhook-receivers', 'starter-files'],
  },
  {
    id: 'K04',
    tier: 'console',
    fear: 'A key whose rotation is due is shown without any risk.',
    find: /status === 'active' \|\| status === 'rotation_due'/,
    replace: "status === 'active'",
    tests: ['console/pages/keys', 'keys/usage'],
  },
]
