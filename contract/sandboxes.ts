// Sandboxes: workspaces to try things in, filled with sample data that can be put back.
import { Type } from 'typebox'
import { event } from './event.ts'
import { operation } from './operation.ts'
import { Id, IdentityName, closed } from './shared-fields.ts'
import { Workspace } from './workspaces.ts'

/** How many objects it may hold unless the operator sets another quota: a reset stays a matter of seconds. */
export const sandboxObjectsMax = 10_000

export const workspaceReset = event(
  'workspaces.reset',
  Workspace,
  'A sandbox was reset: all of its objects and custom fields are gone, without events of their own. The events that follow are about the sample data that replaced them.',
)

export const createSandbox = operation({
  name: 'workspaces.create-sandbox',
  http: 'POST /workspaces/current/sandboxes',
  summary: 'Create a sandbox',
  description:
    'A workspace with sample data, for tests. The person who creates it becomes its owner; time zone, currency and country are those of the workspace. A workspace may have five sandboxes, unless the operator sets another quota. Returns `invalid_transition` in a sandbox.',
  audiences: ['settings'],
  scope: 'workspaces:write',
  input: closed({ name: IdentityName }),
  output: Workspace,
  success: 201,
  errors: ['invalid_transition', 'quota_reached'],
  audited: true,
  ownTransactions: true,
})

export const resetWorkspace = operation({
  name: 'workspaces.reset',
  http: 'POST /workspaces/current/reset',
  summary: 'Reset the current sandbox',
  description:
    'Removes all projects, tasks, CRM entities, documents, comments and custom fields of the sandbox, deleted ones included, and fills it with the sample data again. API keys, webhooks, members, files, events and deliveries stay. Returns `invalid_transition` in a workspace that is not a sandbox.',
  audiences: ['api', 'settings'],
  scope: 'workspaces:write',
  input: closed({}),
  output: Workspace,
  success: 200,
  errors: ['invalid_transition', 'legal_hold', 'quota_reached'],
  emits: [workspaceReset],
  audited: true,
})

const EventKind = Type.String({ format: 'event-type', maxLength: 100 })

export const triggerEvent = operation({
  name: 'event-types.trigger',
  http: 'POST /event-types/{eventType}/trigger',
  summary: 'Trigger an event in a sandbox',
  description:
    'Records an event of this type although nothing has happened, with `origin: "trigger"`. It appears in the feed and is sent to the webhooks that subscribe to it. It is about an object of the sandbox, the newest unless `objectId` names one, or about an example if there is none. The object does not change. The key must be able to read the event type. Returns `sandbox_only` in a workspace that is not a sandbox.',
  audiences: ['api', 'settings'],
  scope: 'webhooks:write',
  input: closed({
    eventType: EventKind,
    objectId: Type.Optional(
      Type.String({
        ...Id,
        description:
          'The object that the event is about. Not for events about comments, dead letters and the workspace, which are made from an example.',
      }),
    ),
    webhookId: Type.Optional(
      Type.String({ ...Id, description: 'Sends it to this webhook only, which must subscribe to the event type.' }),
    ),
  }),
  output: closed({ eventId: Id, eventType: EventKind }),
  success: 202,
  errors: ['insufficient_scope', 'sandbox_only', 'reference_not_found'],
})
