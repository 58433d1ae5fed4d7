// Every operation bound to its function: a missing or a wrong one does not compile.
import { list as listAuditEntries } from './audit/list.ts'
import { verify as verifyAuditEntries } from './audit/verify.ts'
import { create as createApiKey } from './api-keys/create.ts'
import { get as getApiKey } from './api-keys/get.ts'
import { list as listApiKeys } from './api-keys/list.ts'
import { revoke as revokeApiKey } from './api-keys/revoke.ts'
import { rotate as rotateApiKey } from './api-keys/rotate.ts'
import { update as updateApiKey } from './api-keys/update.ts'
import { archive as archiveCustomField } from './custom-fields/archive.ts'
import { create as createCustomField } from './custom-fields/create.ts'
import { get as getCustomField } from './custom-fields/get.ts'
import { list as listCustomFields } from './custom-fields/list.ts'
import { unarchive as unarchiveCustomField } from './custom-fields/unarchive.ts'
import { update as updateCustomField } from './custom-fields/update.ts'
import { collectionHandlers } from './collection/handlers.ts'
import { crmEntities } from './crm-entities/collection.ts'
import { merge as mergeCrmEntities } from './crm-entities/merge.ts'
import { commentHandlers } from './comments/handlers.ts'
import { ofCrmEntities, ofProjects, ofTasks } from './comments/subject.ts'
import { attempts as listAttempts } from './deliveries/attempts.ts'
import { get as getDelivery } from './deliveries/get.ts'
import { list as listDeliveries } from './deliveries/list.ts'
import { cancelJob as cancelReplayJob } from './deliveries/cancel-replay-job.ts'
import { getJob as getReplayJob } from './deliveries/get-replay-job.ts'
import { replayMany as replayDeliveries } from './deliveries/replay-many.ts'
import { replay as replayDelivery } from './deliveries/replay.ts'
import { documents } from './documents/collection.ts'
import { list as listDocuments } from './documents/list.ts'
import { get as getEvent } from './events/get.ts'
import { listTypes as listEventTypes } from './events/list-types.ts'
import { list as listEvents } from './events/list.ts'
import type { Waiting } from './events/long-poll.ts'
import type { Handlers } from './execution/handler.ts'
import { get as getMe } from './me/get.ts'
import { rotate as rotateMe } from './me/rotate.ts'
import { add as addMember } from './members/add.ts'
import { get as getMember } from './members/get.ts'
import { list as listMembers } from './members/list.ts'
import { remove as removeMember } from './members/remove.ts'
import { update as updateMember } from './members/update.ts'
import type { Pager } from './lists/pagination.ts'
import { archive as archiveProject } from './projects/archive.ts'
import { projects } from './projects/collection.ts'
import { listTasks as listProjectTasks } from './projects/list-tasks.ts'
import { unarchive as unarchiveProject } from './projects/unarchive.ts'
import { tasks } from './tasks/collection.ts'
import { query as search } from './search/query.ts'
import { list as listResources } from './resources/list.ts'
import { read as readResource } from './resources/read.ts'
import type { AllowedTargets } from './webhooks/receiver-url.ts'
import { create as createWebhook } from './webhooks/create.ts'
import { remove as deleteWebhook } from './webhooks/delete.ts'
import { enable as enableWebhook } from './webhooks/enable.ts'
import { get as getWebhook } from './webhooks/get.ts'
import { getStats as getWebhookStats } from './webhooks/get-stats.ts'
import { list as listWebhooks } from './webhooks/list.ts'
import { pause as pauseWebhook } from './webhooks/pause.ts'
import { revokeGrants as revokeWebhookGrants } from './webhooks/revoke-grants.ts'
import { rotateSecret } from './webhooks/rotate-secret.ts'
import { test as testWebhook } from './webhooks/test.ts'
import { update as updateWebhook } from './webhooks/update.ts'
import type { Vault } from './webhooks/signing-secrets.ts'
import { create as createWorkspace } from './workspaces/create.ts'
import { getCurrent as getCurrentWorkspace } from './workspaces/get-current.ts'
import { get as getWorkspace } from './workspaces/get.ts'
import { list as listWorkspaces } from './workspaces/list.ts'
import { updateCurrent as updateCurrentWorkspace } from './workspaces/update-current.ts'
import { update as updateWorkspace } from './workspaces/update.ts'

type Parts = {
  readonly pager: Pager
  readonly vault: Vault
  readonly allowed: AllowedTargets
  readonly waiting: Pick<Waiting, 'more'>
}

export const handlersWith = ({ pager, vault, allowed, waiting }: Parts): Handlers => ({
  'workspaces.create': createWorkspace,
  'workspaces.list': listWorkspaces(pager),
  'workspaces.update': updateWorkspace,
  'workspaces.get': getWorkspace,
  'workspaces.get-current': getCurrentWorkspace,
  'workspaces.update-current': updateCurrentWorkspace,
  'api-keys.create': createApiKey,
  'api-keys.list': listApiKeys(pager),
  'api-keys.get': getApiKey,
  'api-keys.update': updateApiKey,
  'api-keys.rotate': rotateApiKey,
  'api-keys.revoke': revokeApiKey,
  'audit-entries.list': listAuditEntries(pager),
  'audit-entries.verify': verifyAuditEntries,
  'me.get': getMe,
  'me.rotate': rotateMe,
  'members.list': listMembers(pager),
  'members.get': getMember,
  'members.add': addMember,
  'members.update': updateMember,
  'members.remove': removeMember,
  'resources.list': listResources(pager),
  'resources.read': readResource,
  'custom-fields.list': listCustomFields(pager),
  'custom-fields.get': getCustomField,
  'custom-fields.create': createCustomField,
  'custom-fields.update': updateCustomField,
  'custom-fields.archive': archiveCustomField,
  'custom-fields.unarchive': unarchiveCustomField,
  ...collectionHandlers(projects, pager),
  ...collectionHandlers(tasks, pager),
  ...collectionHandlers(crmEntities, pager),
  'crm-entities.merge': mergeCrmEntities,
  ...collectionHandlers(documents, pager),
  'documents.list': listDocuments(pager),
  'search.query': search,
  ...commentHandlers(ofTasks, pager),
  ...commentHandlers(ofProjects, pager),
  ...commentHandlers(ofCrmEntities, pager),
  'projects.list-tasks': listProjectTasks(pager),
  'projects.archive': archiveProject,
  'projects.unarchive': unarchiveProject,
  'webhooks.list': listWebhooks(pager),
  'webhooks.get': getWebhook,
  'webhooks.stats': getWebhookStats,
  'webhooks.create': createWebhook(vault, allowed),
  'webhooks.update': updateWebhook(vault, allowed),
  'webhooks.delete': deleteWebhook,
  'webhooks.rotate-secret': rotateSecret(vault),
  'webhooks.revoke-grants': revokeWebhookGrants,
  'webhooks.pause': pauseWebhook,
  'webhooks.enable': enableWebhook,
  'webhooks.test': testWebhook,
  'deliveries.list': listDeliveries(pager),
  'deliveries.get': getDelivery,
  'deliveries.attempts': listAttempts(pager),
  'deliveries.replay': replayDelivery,
  'deliveries.replay-many': replayDeliveries,
  'deliveries.get-replay-job': getReplayJob,
  'deliveries.cancel-replay-job': cancelReplayJob,
  'event-types.list': listEventTypes,
  'events.list': listEvents(waiting),
  'events.get': getEvent,
})
