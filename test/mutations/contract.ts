// Mistakes of what all tiers share: the contract, the parts of a process, and the way to the database.
import type { Mutation } from './mutation.ts'

export const contractMutations: readonly Mutation[] = [
  {
    id: 'C01',
    tier: 'contract',
    fear: 'A key that may write objects may delete them.',
    find: /return access === 'read' && \(/,
    replace: "return access !== 'rotate-self' && (",
    tests: ['contract/scopes', 'auth/policies'],
  },
  {
    id: 'C02',
    tier: 'contract',
    fear: 'A webhook for `tasks.*` gets the events of each segment whose name begins with `tasks`.',
    find: /eventType\.startsWith\(pattern\.slice\(0, -1\)\)/,
    replace: 'eventType.startsWith(pattern.slice(0, -2))',
    tests: ['contract/events', 'match-webhooks'],
  },
  {
    id: 'C03',
    tier: 'runtime',
    fear: 'A slot that is given back twice, early and at the end of its call, lets one call too many run.',
    find: /if \(released\) return\b/,
    replace: 'if (released && tenants.length > 9) return',
    tests: ['concurrency-limit', 'concurrent-calls-limit'],
  },
  {
    id: 'C04',
    tier: 'runtime',
    fear: 'Webhooks reach the host agent of a cloud, whose address looks public.',
    find: /address\.range\(\) === 'unicast' && !contains\(notPublic, address\)/,
    replace: "address.range() === 'unicast'",
    tests: ['ip-address', 'ssrf'],
  },
  {
    id: 'C05',
    tier: 'prisma',
    fear: 'A change is committed although its caller has gone, and was told so.',
    find: /if \(signal\?\.aborted === true\) throw new Cancelled\(\)/,
    replace: 'if (signal?.aborted === true && signal.reason === null) throw new Cancelled()',
    tests: ['prisma/transaction', 'cancelled'],
  },
]
