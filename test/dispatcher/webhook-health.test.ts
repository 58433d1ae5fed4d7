import { expect, test } from 'vitest'
import { healthOf } from '../../dispatcher/webhook-health.ts'

const judged = (webhookId: string, ...kinds: ('delivered' | 'dead')[]) =>
  kinds.map((kind) => ({ task: { workspaceId: 'w', webhookId }, outcome: { kind } }))

test('failures add up, and a success starts them anew', () => {
  expect(
    healthOf([
      ...judged('a', 'dead', 'dead'),
      ...judged('b', 'dead', 'delivered'),
      ...judged('c', 'dead', 'delivered', 'dead'),
    ]),
  ).toEqual([
    { workspace_id: 'w', webhook_id: 'a', failures: 2, anew: false },
    { workspace_id: 'w', webhook_id: 'b', failures: 0, anew: true },
    { workspace_id: 'w', webhook_id: 'c', failures: 1, anew: true },
  ])
})
