// What a process holds that stands still in the middle of a transaction.
import { expect, test } from 'vitest'
import { openDatabase } from '#prisma/client.ts'
import { freshDatabase } from '../support/database.ts'
import { services } from '../support/services.ts'
import { workspaceRow } from './rows.ts'

test.skipIf(services().postgres === null)(
  'one that says nothing in a transaction for too long loses it, and others have its rows',
  async () => {
    await using fresh = await freshDatabase('postgres')
    const workspace = await fresh.db.workspace.create({ data: workspaceRow() })
    const standing = await openDatabase({ url: fresh.url ?? '', connections: 1, idleInTransactionMs: 200 })
    const locked = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const held = standing.db.$transaction(async (tx) => {
      await tx.workspace.update({ where: { id: workspace.id }, data: { name: 'Never' } })
      locked.resolve()
      await goOn.promise
      await tx.workspace.findMany()
    })
    const lost = expect(held).rejects.toThrow()
    await locked.promise

    await fresh.db.workspace.update({ where: { id: workspace.id }, data: { name: 'Ours' } })

    goOn.resolve()
    await lost
    expect(await fresh.db.workspace.findFirst()).toMatchObject({ name: 'Ours' })
    await standing.close()
  },
)
