// Results of deliveries that the database has lost with the commit of their fan-out. What becomes of them in a whole
// dispatcher is in ../kill-points.test.ts.
import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { resultsWriter, type FanOutAgain } from '../../../dispatcher/results/write-results.ts'
import { leased, me, result } from '../leased.ts'
import { openStage } from '../stage.ts'

/** As if these many events had been found, and so many of them fanned out. */
function given(found: number, events: number) {
  const asked: (readonly string[])[] = []
  const fanOut: FanOutAgain = async (eventIds) => {
    asked.push(eventIds)
    return { found, events }
  }
  return { asked, fanOut }
}

const delivered = { id: uuid() }
const lostOf = <T extends object>(delivery: T, id: string = uuid()) => ({
  ...delivery,
  id,
  eventBody: JSON.stringify(delivered),
})

test('where all deliveries have rows nothing is fanned out, whether the results count or not', async () => {
  await using stage = await openStage()
  const { asked, fanOut } = given(0, 0)
  const write = resultsWriter(stage.db, me, fanOut)
  const delivery = await leased(stage)

  expect(await write([result(delivery, 'delivered')])).toMatchObject({ accepted: 1 })
  expect(await write([result(delivery, 'delivered')])).toMatchObject({ accepted: 0 })

  expect(asked).toEqual([])
})

test('of deliveries without rows the events are fanned out, each once, and the others are written all the same', async () => {
  await using stage = await openStage()
  const { asked, fanOut } = given(0, 0)
  const delivery = await leased(stage)
  const gone = [lostOf(delivery), lostOf(delivery)]

  const written = await resultsWriter(stage.db, me, fanOut)([delivery, ...gone].map((one) => result(one, 'delivered')))

  expect(asked).toEqual([[delivered.id]])
  expect(written).toMatchObject({ accepted: 1 })
})

test('while somebody else fans the events out, writing fails and is tried again: their rows are there soon', async () => {
  await using stage = await openStage()
  const { fanOut } = given(1, 0)
  const delivery = await leased(stage)
  const lost = lostOf(delivery)
  const write = () => resultsWriter(stage.db, me, fanOut)([result(lost, 'delivered')])

  await expect(write()).rejects.toThrow('Somebody else fans out the same events')

  const { id } = await stage.db.delivery.update({
    where: { workspaceId_id: { workspaceId: delivery.workspaceId, id: delivery.id } },
    data: { id: lost.id },
  })
  expect(await write()).toMatchObject({ accepted: 1 })
  expect(await stage.db.delivery.findFirst()).toMatchObject({ id, status: 'delivered' })
})
