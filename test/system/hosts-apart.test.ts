// The tiers on hosts of their own, with links that fail: the short form of `npm run chaos -- network`.
import { expect, test } from 'vitest'
import { canMakeHosts } from '../chaos/hosts.ts'
import { cut, harmed } from '../chaos/network.ts'
import { modes } from '../support/system.ts'

const seconds = 3

test.skipIf(!modes.includes('distributed') || !canMakeHosts())(
  'while no answer of Postgres reaches the service and none of the receiver the dispatcher, calls are refused; nothing is lost, and nothing that was answered is forgotten',
  { timeout: 180_000 },
  async () => {
    const row = harmed('two links cut', seconds, (links, hosts) => {
      cut('service – Postgres', 'received')(links, hosts)
      cut('dispatcher – receiver')(links, hosts)
    })

    const { figures, notes } = await row.measure()

    expect(notes).toEqual([])
    expect(figures).toMatchObject({ lost: 0, problems: 0, unanswered: 0, unrecorded: 0 })
    expect(figures['expected']).toBeGreaterThan(0)
    expect(figures['refused']).toBeGreaterThan(0)
  },
)
