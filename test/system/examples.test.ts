// That each example succeeds, and what it is answered, is recorded (recorded-examples.test.ts).
import { expect, test } from 'vitest'
import { operationNamed } from '#contract/api.ts'
import { exampleBody } from '#contract/openapi/examples.ts'

test('the examples do no harm: what is rotated keeps its old secret for a while, and a replay of many is a dry run', () => {
  const replay = exampleBody(operationNamed('deliveries.replay-many'))

  expect(replay).toMatchObject({ dryRun: true, filter: { status: ['dead_letter'] } })
  for (const name of ['me.rotate', 'api-keys.rotate', 'webhooks.rotate-secret'])
    expect(exampleBody(operationNamed(name)), name).toMatchObject({ overlapHours: expect.any(Number) })
})
