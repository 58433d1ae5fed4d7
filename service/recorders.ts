// What every change records, in its own transaction: events with their outbox rows, audit entries, and changes of keys.
import { recordKeyChanges } from './keys/api-keys/rows.ts'
import { recordAudit } from './audit/record-changes.ts'
import type { Recorders } from './execution/record-change.ts'
import { recordEvents } from './outbox/record-events.ts'

export const recorders: Recorders = { recordEvents, recordAudit, recordKeyChanges }
