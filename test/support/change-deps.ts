// What changes need that the service makes by itself, for tests that call them: nobody is notified.
import type { Database } from '#prisma/client.ts'
import type { ChangeDeps } from '../../service/execution/change.ts'
import { openDatabaseSlots } from '../../service/execution/database-slots.ts'
import { recorders } from '../../service/handlers.ts'
import { connectionsOfTests } from './database.ts'

export const changeParts = (db: Database, given: Partial<ChangeDeps> = {}): ChangeDeps => ({
  db,
  slots: openDatabaseSlots(connectionsOfTests),
  ...recorders,
  notifyEvents: () => {},
  notifyKeyChange: () => {},
  ...given,
})
