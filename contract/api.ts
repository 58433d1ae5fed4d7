// The table of contents: every operation, event and tag, found by being exported from their resource's file.
import type { TSchema } from 'typebox'
import * as account from './account.ts'
import * as accounts from './accounts.ts'
import * as apiKeys from './api-keys.ts'
import * as usage from './usage.ts'
import * as alarms from './alarms.ts'
import * as apiCalls from './api-calls.ts'
import * as auditEntries from './audit-entries.ts'
import * as comments from './comments.ts'
import * as crmEntities from './crm-entities.ts'
import * as customFields from './custom-fields.ts'
import * as deliveries from './deliveries.ts'
import * as documents from './documents.ts'
import * as emailChanges from './email-changes.ts'
import type { Event } from './event.ts'
import * as events from './events.ts'
import * as files from './files.ts'
import * as jobs from './jobs.ts'
import * as legalHolds from './legal-holds.ts'
import * as heldDeliveries from './held-deliveries.ts'
import * as invitations from './invitations.ts'
import * as me from './me.ts'
import * as members from './members.ts'
import type { Operation, Tag } from './operation.ts'
import * as passkeys from './passkeys.ts'
import * as projects from './projects.ts'
import * as refusals from './refusals.ts'
import * as imports from './imports.ts'
import * as inspector from './inspector.ts'
import * as references from './references.ts'
import * as resources from './resources.ts'
import * as sandboxes from './sandboxes.ts'
import * as secondFactors from './second-factors.ts'
import * as search from './search.ts'
import * as sessions from './sessions.ts'
import * as setup from './setup.ts'
import * as tasks from './tasks.ts'
import type { Stream } from './stream.ts'
import type { Transfer } from './transfer.ts'
import * as replayJobs from './replay-jobs.ts'
import * as webhooks from './webhooks.ts'
import * as webhookSchema from './webhook-schema.ts'
import * as workspaces from './workspaces.ts'
import * as workspaceDeletions from './workspace-deletions.ts'

// Tags are described in this order.
const declared = {
  ...me,
  ...projects,
  ...tasks,
  ...crmEntities,
  ...documents,
  ...files,
  ...comments,
  ...search,
  ...resources,
  ...members,
  ...workspaces,
  ...sandboxes,
  ...workspaceDeletions,
  ...legalHolds,
  ...customFields,
  ...webhooks,
  ...inspector,
  ...deliveries,
  ...replayJobs,
  ...heldDeliveries,
  ...jobs,
  ...events,
  ...auditEntries,
  ...apiCalls,
  ...refusals,
  ...apiKeys,
  ...usage,
  ...alarms,
  ...invitations,
  ...setup,
  ...sessions,
  ...account,
  ...secondFactors,
  ...passkeys,
  ...accounts,
  ...emailChanges,
}

type Declared = (typeof declared)[keyof typeof declared]
type DeclaredOperation = Extract<Declared, Operation>

export type OperationName = DeclaredOperation['name']
type DeclaredStream = Extract<Declared, Stream>
export type StreamName = DeclaredStream['asked']['name']
export type StreamNamed<N extends StreamName> = Extract<DeclaredStream, { readonly asked: { readonly name: N } }>
export type OperationNamed<N extends OperationName> = Extract<DeclaredOperation, { readonly name: N }>

const values: readonly unknown[] = Object.values(declared)
export const operations = values.filter(isOperation).toSorted((a, b) => (a.name < b.name ? -1 : 1))
/** All under the settings API. */
export const streams = values.filter(isStream)
/** All under the API, in one order whatever loads the modules. */
export const transfers: readonly Transfer[] = values
  .filter(isTransfer)
  .toSorted((a, b) => (a.asked.name < b.asked.name ? -1 : 1))
export const tags = values.filter(isTag)
export const eventCatalogue = values.filter(isEvent).toSorted((a, b) => (a.type < b.type ? -1 : 1))

/** What is exported with a name, by this name: the description calls it so. */
export const schemas: Readonly<Record<string, TSchema>> = Object.fromEntries(
  Object.entries<unknown>({ ...declared, ...references, ...imports, ...webhookSchema }).flatMap(([name, value]) =>
    isShape(value) ? [[name, value]] : [],
  ),
)

export function operationNamed(name: string): Operation {
  const found = operations.find((operation) => operation.name === name)
  if (found === undefined) throw new Error(`The contract has no operation ${name}`)
  return found
}

function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'http' in value && 'success' in value
}

function isStream(value: unknown): value is DeclaredStream {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'stream'
}

function isTransfer(value: unknown): value is Transfer {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'transfer'
}

function isTag(value: unknown): value is Tag {
  return typeof value === 'object' && value !== null && 'tag' in value && 'about' in value
}

/** Anything more than text or a number. */
function isShape(value: unknown): value is TSchema {
  return typeof value === 'object' && value !== null && ['properties', 'anyOf', 'enum'].some((key) => key in value)
}

function isEvent(value: unknown): value is Event {
  return typeof value === 'object' && value !== null && 'type' in value && 'data' in value && 'summary' in value
}
