// Sandboxes: workspaces to try things in, filled with sample data that can be put back.
import { event } from './event.ts'
import { operation } from './operation.ts'
import { IdentityName, closed } from './shared-fields.ts'
import { Workspace } from './workspaces.ts'

/** How many objects it may hold unless the operator sets another quota: a reset stays a matter of seconds. */
export const sandboxObjectsMax = 10_000

export const workspaceReset = event(
  'workspaces.reset',
  Workspace,
  'A sandbox was reset: all of its objects and custom fields are gone, without events of their own. The events that follow tell of the sample data that took their place.',
)

export const createSandbox = operation({
  name: 'workspaces.create-sandbox',
  http: 'POST /workspaces/current/sandboxes',
  summary: 'Create a sandbox',
  description:
    'A workspace with sample data, in which nothing can do harm. The person who calls becomes its owner; time zone, currency and country are those of the workspace. A workspace may have five sandboxes, unless the operator sets another quota. Answers `invalid_transition` in a sandbox.',
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
  summary: 'Reset the sandbox of the call',
  description:
    'Removes all projects, tasks, CRM entities, documents, comments and custom fields of the sandbox, deleted ones included, and fills it with the sample data again. API keys, webhooks, members, files, events and deliveries stay. Answers `invalid_transition` in a workspace that is no sandbox.',
  audiences: ['api', 'settings'],
  scope: 'workspaces:write',
  input: closed({}),
  output: Workspace,
  success: 200,
  errors: ['invalid_transition', 'legal_hold', 'quota_reached'],
  emits: [workspaceReset],
  audited: true,
})
