// For how long the answer to a request with an Idempotency-Key is kept, and that the clean-up leaves it that long.
import { expect, test } from 'vitest'
import { scopes } from '#contract/scopes.ts'
import { deleteOutdatedAnswers } from '../../../service/execution/idempotency.ts'
import { quietService } from '../quiet-service.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

test('a request that is repeated within a day gets the first answer, and one that comes later is a new one', async () => {
  await using service = await quietService('pglite')
  const { db } = service
  const create = () => service.call('POST', '/projects', { name: 'x' }, scopes, { 'idempotency-key': 'once' })
  const becomes = (ageMs: number) =>
    db.idempotencyRecord.updateMany({ data: { createdAt: new Date(Date.now() - ageMs) } })
  const first = await create()

  await becomes(dayMs - minuteMs)
  expect(await deleteOutdatedAnswers(db, new Date())).toBe(0)
  expect(await create()).toEqual(first)

  await becomes(dayMs + minuteMs)
  const later = await create()
  expect([later.status, later.body.id === first.body.id]).toEqual([201, false])

  await becomes(dayMs + minuteMs)
  expect(await deleteOutdatedAnswers(db, new Date())).toBe(1)
})
