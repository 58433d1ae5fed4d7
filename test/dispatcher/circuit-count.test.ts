// When a circuit opens whose failures come one by one, each written by itself.
import { expect, test } from 'vitest'
import { opensAt } from '../../dispatcher/queue/circuit.ts'
import { writeResultRows } from '../../dispatcher/results/rows.ts'
import { leased, leasedAgain, me, result } from './leased.ts'
import { openStage } from './stage.ts'

test('failures that are written one by one count once each: the circuit opens with the fifth', async () => {
  await using stage = await openStage()
  const open: (readonly string[])[] = []

  for (let failures = 0; failures < opensAt; failures++) {
    const delivery = failures === 0 ? await leased(stage) : await leasedAgain(stage)
    open.push((await writeResultRows(stage.db, me, [result(delivery, 'retry')])).open)
  }

  const { webhookId } = await stage.db.webhookHealth.findFirstOrThrow()
  expect(open).toEqual([[], [], [], [], [webhookId]])
})
