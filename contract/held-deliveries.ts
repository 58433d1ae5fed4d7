// What a restore from a backup holds: deliveries that were waiting, and events that had none so far. They may have been
// sent after the backup was made.
import { Type } from 'typebox'
import { Id, Timestamp, closed, nullable } from './shared-fields.ts'
import { operation, tag } from './operation.ts'

export const heldDeliveriesTag = tag(
  'held-deliveries',
  'What is held since the installation was restored from a backup.',
)

const counts = {
  deliveries: Type.Integer({ minimum: 0, description: 'Deliveries that wait.' }),
  eventsWithoutDeliveries: Type.Integer({
    minimum: 0,
    description: 'Events for which no deliveries have been created yet.',
  }),
}

export const workspacesListedMax = 100

export const getHeldDeliveries = operation({
  name: 'held-deliveries.get',
  http: 'GET /held-deliveries',
  summary: 'Get what is held',
  description:
    'The number of deliveries, and of events without deliveries, that have been held since the installation was restored from a backup. They may have been sent after the backup was made.',
  audiences: ['settings'],
  tenancy: 'none',
  scope: null,
  input: closed({}),
  output: closed({
    object: Type.Literal('held_deliveries'),
    heldSince: nullable(Type.String({ ...Timestamp, description: 'When they were held; null if nothing is.' })),
    ...counts,
    workspaces: Type.Array(closed({ workspaceId: Id, ...counts }), {
      maxItems: workspacesListedMax,
      description: `Of which workspaces: those with the most, ${workspacesListedMax} at most.`,
    }),
  }),
  success: 200,
})

export const releaseHeldDeliveries = operation({
  name: 'held-deliveries.release',
  http: 'POST /held-deliveries/release',
  summary: 'Release what is held',
  description:
    'Sends what is held, or gives it up, in all workspaces or in one. A delivery keeps its id, so an endpoint that ignores duplicates handles it once. Works for up to 15 seconds: repeat the request while `left` is not 0.',
  audiences: ['settings'],
  tenancy: 'none',
  scope: null,
  input: closed({
    action: Type.Enum(['send', 'dead_letter'], {
      description:
        '`send`: as if they had just become due. `dead_letter`: deliveries are dead-lettered, so that they can be resent, and events are only in the feed.',
    }),
    onlyWorkspaceId: Type.Optional(Type.String({ ...Id, description: 'Only what this workspace has.' })),
  }),
  output: closed({
    object: Type.Literal('released_deliveries'),
    ...counts,
    left: Type.Integer({ minimum: 0, description: 'What is still held of what was requested.' }),
  }),
  success: 200,
  ownTransactions: true,
})
