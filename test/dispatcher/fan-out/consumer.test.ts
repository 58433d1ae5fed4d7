import { v7 as uuid } from 'uuid'
import { expect, test } from 'vitest'
import { consuming, heldMax } from '../../../dispatcher/fan-out/consumer.ts'
import { eventually } from '../../support/eventually.ts'
import { silent } from '../stage.ts'

function given(fanOut: (eventIds: readonly string[]) => Promise<void>) {
  const acked: number[] = []
  const refused: string[] = []
  const consumption = consuming(fanOut, silent)
  const hear = (body: string) => consumption.take({ body, ack: () => {}, reject: () => void refused.push(body) })
  const say = (count: number) => {
    for (let n = 0; n < count; n++)
      consumption.take({
        body: JSON.stringify([{ eventId: uuid(), workspaceId: uuid() }]),
        ack: () => void acked.push(n),
        reject: () => {},
      })
  }
  return { consumption, acked, refused, say, hear }
}

test('notices are fanned out fifty at a time at most, and acked afterwards', async () => {
  const sizes: number[] = []
  const { acked, say } = given(async (eventIds) => {
    expect(acked.length).toBe(sizes.reduce((sum, size) => sum + size, 0))
    sizes.push(eventIds.length)
  })
  say(120)
  await eventually(() => acked.length === 120, 'all acked')
  expect(sizes).toEqual([50, 50, 20])
})

test('while the database is away nothing is acked, and it is not asked without pause', async () => {
  let tries = 0
  const { acked, say } = given(async () => {
    if (++tries < 3) throw new Error('database away')
    expect(acked).toEqual([])
  })
  const before = performance.now()
  say(2)
  await eventually(() => acked.length === 2, 'both acked')
  expect(tries).toBe(3)
  expect(performance.now() - before).toBeGreaterThan(250)
})

test('what is closed while the database is away stays unacked', async () => {
  const { consumption, acked, say } = given(() => Promise.reject(new Error('database away')))
  say(60)
  await consumption.close()
  say(1)
  expect(acked).toEqual([])
})

test('no more is held than the bound', async () => {
  const open = Promise.withResolvers<void>()
  let seen = 0
  const { consumption, acked, say } = given(async (eventIds) => {
    await open.promise
    seen += eventIds.length
  })
  say(heldMax + 100)
  open.resolve()
  await eventually(() => acked.length === heldMax, 'as many as fit acked')
  expect(seen).toBe(heldMax)
  await consumption.close()
})

test('what holds no notices is refused, once, and nothing beside it', async () => {
  const { acked, refused, say, hear } = given(async () => {})
  const junk = ['', 'junk', '[]', '{"eventId":"x"}', JSON.stringify([{ eventId: uuid(), workspaceId: 'elsewhere' }])]
  say(1)
  junk.forEach(hear)
  say(1)
  await eventually(() => acked.length === 2, 'both notices acked')
  expect(refused).toEqual(junk)
})

test('junk is refused while the database is away', async () => {
  const { consumption, acked, refused, say, hear } = given(() => Promise.reject(new Error('database away')))
  say(1)
  hear('junk')
  await eventually(() => refused.length === 1, 'the junk refused')
  expect(acked).toEqual([])
  await consumption.close()
})
