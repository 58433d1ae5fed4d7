// Events that are held since the installation was restored.
import { expect, test } from 'vitest'
import { heldUntil } from '#prisma/restore.ts'
import { sharedStages } from '../stage.ts'

const { delivering } = sharedStages()

test('a notification that the broker still has of an event that is held makes no delivery of it', async () => {
  const { stage, webhook, receiver, notify, happen } = await delivering({ answers: [200] })
  const held = await stage.event()
  await stage.db.outbox.updateMany({ data: { createdAt: heldUntil } })

  notify(held)
  const next = await happen()
  await stage.becomes('delivered', next, webhook)

  expect([await stage.delivery(held, webhook), receiver.calls.length]).toEqual([null, 1])
  expect(await stage.db.outbox.count()).toBe(1)
})
