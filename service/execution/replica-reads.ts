// Which reads a replica of the database may serve, and on which slots: those of keys and of people, in a workspace. The
// operator asks what the database says now.
import { tagOf, type Operation } from '#contract/operation.ts'
import { LeftToPrimary, type Replica, type ReplicaRead } from '#prisma/replica.ts'
import type { Db } from './call.ts'
import type { DatabaseSlots, SlotCaller, WithoutSlot } from './database-slots.ts'

export type ReplicaDeps = {
  readonly replica: Pick<Replica, 'read' | 'state'>
  /** Of the connections to the replica. */
  readonly slots: Pick<DatabaseSlots, 'read'>
}

/**
 * Of each resource that is read in a workspace: whether what it shows is written under the workspace lock and in no
 * other way. Reads of others, such as those of deliveries, which dispatchers write, are served where the replica lacks
 * nothing at all.
 */
export const underLock: Readonly<Record<string, boolean>> = {
  projects: true,
  tasks: true,
  'crm-entities': true,
  documents: true,
  comments: true,
  'custom-fields': true,
  search: true,
  events: true,
  requests: false,
  alarms: false,
  'api-keys': false,
  'audit-entries': false,
  deliveries: false,
  'email-changes': false,
  files: false,
  jobs: false,
  members: false,
  resources: false,
  usage: false,
  webhooks: false,
  workspaces: false,
}

/** Null where the primary must serve the read. */
export async function readOnReplica(
  deps: ReplicaDeps | null,
  operation: Operation,
  caller: SlotCaller,
  limits: Pick<ReplicaRead, 'signal' | 'statementMs'>,
  run: (db: Db, withoutSlot: WithoutSlot) => Promise<unknown>,
): Promise<{ readonly value: unknown } | null> {
  const { kind, workspaceId } = caller
  if (deps === null || kind === 'operator' || workspaceId === null || operation.tenancy === 'none') return null
  const { replica, slots } = deps
  // No slot is waited for in vain.
  if (replica.state() !== 'usable') return null
  const asked = { ...limits, workspaceId, isUnderLock: underLock[tagOf(operation.name)] === true }
  return slots.read(caller, limits.signal, () => replica.read(asked, (db) => run(db, onPrimaryOnly)))
}

/** What waits for something new waits for the primary. */
const onPrimaryOnly: WithoutSlot = () => {
  throw new LeftToPrimary('waits')
}
