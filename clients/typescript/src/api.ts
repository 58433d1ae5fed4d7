// Written by `npm run clients` from the contract. Change the contract, and not this file.
import type { BatchOptions, BatchResults } from './batch.ts'
import type { EventFeed, FollowOptions, EventPattern } from './feed.ts'
import type { List, Page } from './pages.ts'
import type { CallOptions, UploadBody } from './send.ts'
import type { BatchResult, Shown, Tombstone } from './shown.ts'
import type {
  Actor,
  ApiKeyWithSecret,
  Attempt,
  AuditEntry,
  Author,
  ChangedWebhook,
  Comment,
  CrmEntity,
  CustomField,
  Delivery,
  DeliveryStatus,
  Document,
  DocumentStatus,
  DownloadAddress,
  EventRecord,
  File,
  FileStatus,
  InspectedRequest,
  InspectedRequestWithBody,
  Job,
  LoggedRequest,
  Me,
  Member,
  Problem,
  Project,
  ReplayJob,
  Resource,
  Task,
  UploadAddress,
  Webhook,
  WebhookStats,
  WebhookWithSecret,
  Workspace,
  WorkspaceWithUsage,
  CommentExpanded,
  CommentExpansion,
  CommentField,
  CommentBatchItem,
  CrmEntityExpanded,
  CrmEntityExpansion,
  CrmEntityField,
  CrmEntityBatchItem,
  DocumentExpanded,
  DocumentExpansion,
  DocumentField,
  DocumentBatchItem,
  ProjectExpanded,
  ProjectExpansion,
  ProjectField,
  ProjectBatchItem,
  TaskExpanded,
  TaskExpansion,
  TaskField,
  TaskBatchItem,
  AuditEntriesListInput,
  CommentsBatchInput,
  CommentsCountInput,
  CommentsCreateInput,
  CommentsDeleteInput,
  CommentsDeleteByExternalIdInput,
  CommentsGetInput,
  CommentsGetByExternalIdInput,
  CommentsListInput,
  CommentsPurgeInput,
  CommentsRemoveExternalIdInput,
  CommentsRestoreInput,
  CommentsSetExternalIdInput,
  CommentsUpdateInput,
  CommentsUpsertInput,
  CrmEntitiesBatchInput,
  CrmEntitiesCountInput,
  CrmEntitiesCreateInput,
  CrmEntitiesCreateCommentInput,
  CrmEntitiesDeleteInput,
  CrmEntitiesDeleteByExternalIdInput,
  CrmEntitiesDeleteCommentInput,
  CrmEntitiesGetInput,
  CrmEntitiesGetByExternalIdInput,
  CrmEntitiesGetCommentInput,
  CrmEntitiesHistoryInput,
  CrmEntitiesListInput,
  CrmEntitiesListCommentsInput,
  CrmEntitiesMergeInput,
  CrmEntitiesPurgeInput,
  CrmEntitiesRemoveExternalIdInput,
  CrmEntitiesRestoreInput,
  CrmEntitiesSetExternalIdInput,
  CrmEntitiesUpdateInput,
  CrmEntitiesUpdateCommentInput,
  CrmEntitiesUpsertInput,
  CustomFieldsArchiveInput,
  CustomFieldsCreateInput,
  CustomFieldsGetInput,
  CustomFieldsListInput,
  CustomFieldsUnarchiveInput,
  CustomFieldsUpdateInput,
  DeliveriesAttemptsInput,
  DeliveriesCancelReplayJobInput,
  DeliveriesGetInput,
  DeliveriesGetReplayJobInput,
  DeliveriesListInput,
  DeliveriesReplayInput,
  DeliveriesReplayManyInput,
  DocumentsBatchInput,
  DocumentsCountInput,
  DocumentsCreateInput,
  DocumentsDeleteInput,
  DocumentsDeleteByExternalIdInput,
  DocumentsEditInput,
  DocumentsGetInput,
  DocumentsGetByExternalIdInput,
  DocumentsHistoryInput,
  DocumentsListInput,
  DocumentsPurgeInput,
  DocumentsReadContentInput,
  DocumentsRemoveExternalIdInput,
  DocumentsRestoreInput,
  DocumentsSetExternalIdInput,
  DocumentsUpdateInput,
  DocumentsUpsertInput,
  EventTypesTriggerInput,
  EventsGetInput,
  EventsListInput,
  FilesCreateInput,
  FilesCreateDownloadAddressInput,
  FilesDeleteInput,
  FilesDownloadInput,
  FilesGetInput,
  FilesListInput,
  FilesPurgeInput,
  FilesQuarantineInput,
  FilesReleaseInput,
  FilesRestoreInput,
  FilesUploadInput,
  JobsCancelInput,
  JobsCreateInput,
  JobsGetInput,
  JobsListInput,
  JobsRefusalsInput,
  JobsResultInput,
  MeRotateInput,
  MembersGetInput,
  MembersListInput,
  ProjectsArchiveInput,
  ProjectsBatchInput,
  ProjectsCountInput,
  ProjectsCreateInput,
  ProjectsCreateCommentInput,
  ProjectsDeleteInput,
  ProjectsDeleteByExternalIdInput,
  ProjectsDeleteCommentInput,
  ProjectsGetInput,
  ProjectsGetByExternalIdInput,
  ProjectsGetCommentInput,
  ProjectsHistoryInput,
  ProjectsListInput,
  ProjectsListCommentsInput,
  ProjectsListTasksInput,
  ProjectsPurgeInput,
  ProjectsRemoveExternalIdInput,
  ProjectsRestoreInput,
  ProjectsSetExternalIdInput,
  ProjectsUnarchiveInput,
  ProjectsUpdateInput,
  ProjectsUpdateCommentInput,
  ProjectsUpsertInput,
  RequestsGetInput,
  RequestsListInput,
  ResourcesListInput,
  ResourcesReadInput,
  SearchQueryInput,
  TasksBatchInput,
  TasksCountInput,
  TasksCreateInput,
  TasksCreateCommentInput,
  TasksDeleteInput,
  TasksDeleteByExternalIdInput,
  TasksDeleteCommentInput,
  TasksGetInput,
  TasksGetByExternalIdInput,
  TasksGetCommentInput,
  TasksHistoryInput,
  TasksListInput,
  TasksListCommentsInput,
  TasksPurgeInput,
  TasksRemoveExternalIdInput,
  TasksRestoreInput,
  TasksSetExternalIdInput,
  TasksUpdateInput,
  TasksUpdateCommentInput,
  TasksUpsertInput,
  WebhooksCreateInput,
  WebhooksDeleteInput,
  WebhooksEnableInput,
  WebhooksGetInput,
  WebhooksGetInspectedRequestInput,
  WebhooksListInput,
  WebhooksListInspectedRequestsInput,
  WebhooksPauseInput,
  WebhooksRecoverInput,
  WebhooksResumeInput,
  WebhooksRevokeGrantsInput,
  WebhooksRotateSecretInput,
  WebhooksStatsInput,
  WebhooksTestInput,
  WebhooksUpdateInput,
  WorkspacesUpdateCurrentInput,
} from './schema.ts'

export interface AuditEntriesCalls {
  /**
   * List audit entries. Newest first. Entries are kept for a year. Where filters are combined, or a text is searched,
   * one page looks through at most 50,000 entries, so a page can have fewer items than its limit, or none, although
   * there are more (`hasMore`).
   */
  list(input?: AuditEntriesListInput, options?: CallOptions): List<AuditEntry>
}

export interface CommentsCalls {
  /**
   * Change many comments at once. Up to 100 items, each with its own outcome; with `atomic`, all or none. `data` is the
   * body of the request of that name. An update, a deletion and a restore name the object by `id`, or by your own id in
   * `externalSource` and `externalId`. Wherever an item takes the id of an object of this collection, `#3` is the
   * object of item 3, which comes before it. Each item counts as one request.
   */
  batch<const F extends CommentField = never, const E extends CommentExpansion = never>(
    input: CommentsBatchInput<F, E>,
    options?: CallOptions,
  ): Promise<{ results: BatchResult<Shown<CommentExpanded, CommentExpansion, F, E>, Problem>[] }>
  /**
   * Items of any number, sent a hundred at a time at the pace of the rate limit. The results are in the order of the
   * items.
   */
  batchAll<const F extends CommentField = never, const E extends CommentExpansion = never>(
    items: Iterable<CommentBatchItem> | AsyncIterable<CommentBatchItem>,
    options?: BatchOptions<F, E>,
  ): BatchResults<Shown<CommentExpanded, CommentExpansion, F, E>>

  /**
   * Count comments. The number of matches and the sum of a field, in total and by the values of one or two fields.
   * Takes the filters of the list. An object with several values, such as labels, counts in the group of each, and once
   * in `total`.
   */
  count(
    input?: CommentsCountInput,
    options?: CallOptions,
  ): Promise<{
    total: number
    sums?: { currency: string | null; sum: string }[]
    groups: {
      value: string | null
      values?: (string | null)[]
      count: number
      sums?: { currency: string | null; sum: string }[]
    }[]
    moreGroups: number
  }>

  /** Create a comment. Omitted fields get their defaults. Null empties a list; empty text means null. */
  create<const F extends CommentField = never, const E extends CommentExpansion = never>(
    input: CommentsCreateInput<F, E>,
    options?: CallOptions,
  ): Promise<Shown<CommentExpanded, CommentExpansion, F, E>>

  /**
   * Delete a comment. It can be restored for 30 days, and keeps its own id and its other unique values so long. What
   * belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again changes nothing.
   */
  delete(input: CommentsDeleteInput, options?: CallOptions): Promise<null>

  /**
   * Delete a comment by your own id. It can be restored for 30 days, and keeps its own id and its other unique values
   * so long. What belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again changes
   * nothing.
   */
  deleteByExternalId(input: CommentsDeleteByExternalIdInput, options?: CallOptions): Promise<null>

  /** Get a comment. One comment by its id. */
  get<const E extends CommentExpansion = never>(
    input: CommentsGetInput<E>,
    options?: CallOptions,
  ): Promise<Shown<CommentExpanded, CommentExpansion, never, E>>

  /** Get a comment by your own id. One comment by the id that it has in the system it came from. */
  getByExternalId<const E extends CommentExpansion = never>(
    input: CommentsGetByExternalIdInput<E>,
    options?: CallOptions,
  ): Promise<Shown<CommentExpanded, CommentExpansion, never, E>>

  /**
   * List comments. Newest first unless sorted otherwise. `updatedAt` increases with every change in the workspace: sort
   * by it and send the last value seen as `updatedAfter`, and no change is missed.
   */
  list<const F extends CommentField = never, const E extends CommentExpansion = never, const D extends boolean = false>(
    input?: CommentsListInput<F, E, D>,
    options?: CallOptions,
  ): List<Shown<CommentExpanded, CommentExpansion, F, E> | (true extends D ? Tombstone<'comment'> : never)>

  /**
   * Purge a deleted comment. Purges the object before its 30 days end: its content is deleted for good, its unique
   * values can be used again, and it cannot be restored. Copies need no notice, since the object was deleted before.
   * Its events are kept for their 30 days. Purging it again changes nothing.
   */
  purge(input: CommentsPurgeInput, options?: CallOptions): Promise<null>

  /**
   * Remove the own id of a comment in one system. Returns the object. The ids in other systems stay. Removing it again
   * changes nothing.
   */
  removeExternalId(input: CommentsRemoveExternalIdInput, options?: CallOptions): Promise<Comment>

  /** Restore a deleted comment. Restores it in its earlier state, within 30 days of its deletion. */
  restore<const F extends CommentField = never, const E extends CommentExpansion = never>(
    input: CommentsRestoreInput<F, E>,
    options?: CallOptions,
  ): Promise<Shown<CommentExpanded, CommentExpansion, F, E>>

  /**
   * Set the own id of a comment in one system. The ids in other systems stay; a former id in this one is replaced. At
   * most 10. Setting it again changes nothing.
   */
  setExternalId(input: CommentsSetExternalIdInput, options?: CallOptions): Promise<Comment>

  /**
   * Change a comment. A JSON Merge Patch: omitted fields stay, null clears (a list becomes empty), arrays replace;
   * `{"add": […], "remove": […]}` in place of an array changes a part of the list. Empty text means null.
   */
  update<const F extends CommentField = never, const E extends CommentExpansion = never>(
    input: CommentsUpdateInput<F, E>,
    options?: CallOptions,
  ): Promise<Shown<CommentExpanded, CommentExpansion, F, E>>

  /**
   * Create or change a comment by your own id. Returns 201 if the object was created. If it exists, the given fields
   * are set and the others stay, unless `onMatch` is set. `outcome` says what was done. `If-None-Match: *` returns 412
   * if it exists, and `If-Match: *` if it does not.
   */
  upsert<const F extends CommentField = never, const E extends CommentExpansion = never>(
    input: CommentsUpsertInput<F, E>,
    options?: CallOptions,
  ): Promise<
    Shown<CommentExpanded, CommentExpansion, F, E> & {
      outcome: 'created' | 'updated' | 'unchanged' | 'skipped' | 'restored'
      matchedBy: string | null
    }
  >
}

export interface CrmEntitiesCalls {
  /**
   * Change many CRM entities at once. Up to 100 items, each with its own outcome; with `atomic`, all or none. `data` is
   * the body of the request of that name. An update, a deletion and a restore name the object by `id`, or by your own
   * id in `externalSource` and `externalId`. Wherever an item takes the id of an object of this collection, `#3` is the
   * object of item 3, which comes before it. Each item counts as one request.
   */
  batch<const F extends CrmEntityField = never, const E extends CrmEntityExpansion = never>(
    input: CrmEntitiesBatchInput<F, E>,
    options?: CallOptions,
  ): Promise<{ results: BatchResult<Shown<CrmEntityExpanded, CrmEntityExpansion, F, E>, Problem>[] }>
  /**
   * Items of any number, sent a hundred at a time at the pace of the rate limit. The results are in the order of the
   * items.
   */
  batchAll<const F extends CrmEntityField = never, const E extends CrmEntityExpansion = never>(
    items: Iterable<CrmEntityBatchItem> | AsyncIterable<CrmEntityBatchItem>,
    options?: BatchOptions<F, E>,
  ): BatchResults<Shown<CrmEntityExpanded, CrmEntityExpansion, F, E>>

  /**
   * Count CRM entities. The number of matches and the sum of a field, in total and by the values of one or two fields.
   * Takes the filters of the list. An object with several values, such as labels, counts in the group of each, and once
   * in `total`.
   */
  count(
    input?: CrmEntitiesCountInput,
    options?: CallOptions,
  ): Promise<{
    total: number
    sums?: { currency: string | null; sum: string }[]
    groups: {
      value: string | null
      values?: (string | null)[]
      count: number
      sums?: { currency: string | null; sum: string }[]
    }[]
    moreGroups: number
  }>

  /** Create a CRM entity. Omitted fields get their defaults. Null empties a list; empty text means null. */
  create<const F extends CrmEntityField = never, const E extends CrmEntityExpansion = never>(
    input: CrmEntitiesCreateInput<F, E>,
    options?: CallOptions,
  ): Promise<Shown<CrmEntityExpanded, CrmEntityExpansion, F, E>>

  /** Comment on a CRM entity. The author is the key of the request. */
  createComment(input: CrmEntitiesCreateCommentInput, options?: CallOptions): Promise<Comment>

  /**
   * Delete a CRM entity. It can be restored for 30 days, and keeps its own id and its other unique values so long. What
   * belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again changes nothing.
   */
  delete(input: CrmEntitiesDeleteInput, options?: CallOptions): Promise<null>

  /**
   * Delete a CRM entity by your own id. It can be restored for 30 days, and keeps its own id and its other unique
   * values so long. What belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again
   * changes nothing.
   */
  deleteByExternalId(input: CrmEntitiesDeleteByExternalIdInput, options?: CallOptions): Promise<null>

  /**
   * Delete a comment on a CRM entity. A key with the write scope may delete any comment. Deleting it again changes
   * nothing.
   */
  deleteComment(input: CrmEntitiesDeleteCommentInput, options?: CallOptions): Promise<null>

  /** Get a CRM entity. One CRM entity by its id. */
  get<const E extends CrmEntityExpansion = never>(
    input: CrmEntitiesGetInput<E>,
    options?: CallOptions,
  ): Promise<Shown<CrmEntityExpanded, CrmEntityExpansion, never, E>>

  /** Get a CRM entity by your own id. One CRM entity by the id that it has in the system it came from. */
  getByExternalId<const E extends CrmEntityExpansion = never>(
    input: CrmEntitiesGetByExternalIdInput<E>,
    options?: CallOptions,
  ): Promise<Shown<CrmEntityExpanded, CrmEntityExpansion, never, E>>

  /** Get a comment on a CRM entity. One comment by its id and that of the CRM entity. */
  getComment(input: CrmEntitiesGetCommentInput, options?: CallOptions): Promise<Comment>

  /**
   * List the changes of a CRM entity. Each change of each field, newest first; changes of one request are in the order
   * of its event. The history covers as long as events are kept, 30 days: since `completeSince`, nothing is missing.
   * Creating, deleting and restoring change no field; the feed has them.
   */
  history(
    input: CrmEntitiesHistoryInput,
    options?: CallOptions,
  ): List<
    {
      field: string
      from: unknown
      to: unknown
      changedAt: string
      actor: Actor
      version: number | null
      eventId: string
      sequence: number
    },
    Page<{
      field: string
      from: unknown
      to: unknown
      changedAt: string
      actor: Actor
      version: number | null
      eventId: string
      sequence: number
    }> & { completeSince: string }
  >

  /**
   * List CRM entities. Newest first unless sorted otherwise. `updatedAt` increases with every change in the workspace:
   * sort by it and send the last value seen as `updatedAfter`, and no change is missed.
   */
  list<
    const F extends CrmEntityField = never,
    const E extends CrmEntityExpansion = never,
    const D extends boolean = false,
  >(
    input?: CrmEntitiesListInput<F, E, D>,
    options?: CallOptions,
  ): List<Shown<CrmEntityExpanded, CrmEntityExpansion, F, E> | (true extends D ? Tombstone<'crm_entity'> : never)>

  /** List the comments on a CRM entity. Oldest first, unless sorted by `-createdAt`. */
  listComments(input: CrmEntitiesListCommentsInput, options?: CallOptions): List<Comment>

  /**
   * Merge another CRM entity into this one. Both must be of the same kind. This entity takes missing values from the
   * source, and objects that refer to the source refer to it instead, each with a new version and an event. With more
   * than 1,000 such objects, most change within seconds to minutes after the response, and until then the id of the
   * source redirects here. The source cannot be restored, and its id redirects here as long as deleted objects are
   * kept. Needs `crm-entities:delete` as well. Merging it again changes nothing.
   */
  merge(input: CrmEntitiesMergeInput, options?: CallOptions): Promise<CrmEntity>

  /**
   * Purge a deleted CRM entity. Purges the object before its 30 days end: its content is deleted for good, its unique
   * values can be used again, and it cannot be restored. Copies need no notice, since the object was deleted before.
   * Its events are kept for their 30 days. Purging it again changes nothing.
   */
  purge(input: CrmEntitiesPurgeInput, options?: CallOptions): Promise<null>

  /**
   * Remove the own id of a CRM entity in one system. Returns the object. The ids in other systems stay. Removing it
   * again changes nothing.
   */
  removeExternalId(input: CrmEntitiesRemoveExternalIdInput, options?: CallOptions): Promise<CrmEntity>

  /** Restore a deleted CRM entity. Restores it in its earlier state, within 30 days of its deletion. */
  restore<const F extends CrmEntityField = never, const E extends CrmEntityExpansion = never>(
    input: CrmEntitiesRestoreInput<F, E>,
    options?: CallOptions,
  ): Promise<Shown<CrmEntityExpanded, CrmEntityExpansion, F, E>>

  /**
   * Set the own id of a CRM entity in one system. The ids in other systems stay; a former id in this one is replaced.
   * At most 10. Setting it again changes nothing.
   */
  setExternalId(input: CrmEntitiesSetExternalIdInput, options?: CallOptions): Promise<CrmEntity>

  /**
   * Change a CRM entity. A JSON Merge Patch: omitted fields stay, null clears (a list becomes empty), arrays replace;
   * `{"add": […], "remove": […]}` in place of an array changes a part of the list. Empty text means null.
   */
  update<const F extends CrmEntityField = never, const E extends CrmEntityExpansion = never>(
    input: CrmEntitiesUpdateInput<F, E>,
    options?: CallOptions,
  ): Promise<Shown<CrmEntityExpanded, CrmEntityExpansion, F, E>>

  /**
   * Change a comment on a CRM entity. A key with the write scope may change any comment; `createdBy` and `updatedBy`
   * show the author and the last editor.
   */
  updateComment(input: CrmEntitiesUpdateCommentInput, options?: CallOptions): Promise<Comment>

  /**
   * Create or change a CRM entity by your own id. Returns 201 if the object was created. If it exists, the given fields
   * are set and the others stay, unless `onMatch` is set. `outcome` says what was done. `If-None-Match: *` returns 412
   * if it exists, and `If-Match: *` if it does not.
   */
  upsert<const F extends CrmEntityField = never, const E extends CrmEntityExpansion = never>(
    input: CrmEntitiesUpsertInput<F, E>,
    options?: CallOptions,
  ): Promise<
    Shown<CrmEntityExpanded, CrmEntityExpansion, F, E> & {
      outcome: 'created' | 'updated' | 'unchanged' | 'skipped' | 'restored'
      matchedBy: string | null
    }
  >
}

export interface CustomFieldsCalls {
  /**
   * Archive a custom field. Existing values stay and can be read; new values are rejected. Archiving it again changes
   * nothing.
   */
  archive(input: CustomFieldsArchiveInput, options?: CallOptions): Promise<null>

  /**
   * Create a custom field. Key, target and type cannot be changed later. An object type (`target`) can have at most 100
   * custom fields that are not archived.
   */
  create(input: CustomFieldsCreateInput, options?: CallOptions): Promise<CustomField>

  /** Get a custom field. One custom field by its id, archived or not. */
  get(input: CustomFieldsGetInput, options?: CallOptions): Promise<CustomField>

  /** List custom fields. Oldest first. Archived ones are listed only on request. */
  list(input?: CustomFieldsListInput, options?: CallOptions): List<CustomField>

  /** Unarchive a custom field. The custom field takes values again. If it is not archived, nothing changes. */
  unarchive(input: CustomFieldsUnarchiveInput, options?: CallOptions): Promise<CustomField>

  /**
   * Change a custom field. A JSON Merge Patch. A removed option stays on objects where it was chosen, and can no longer
   * be chosen.
   */
  update(input: CustomFieldsUpdateInput, options?: CallOptions): Promise<CustomField>
}

export interface DeliveriesCalls {
  /**
   * List the attempts of a delivery. Oldest first, with request and response. Signatures and values of custom headers
   * are masked. The key must be able to read this event type.
   */
  attempts(input: DeliveriesAttemptsInput, options?: CallOptions): List<Attempt>

  /**
   * Cancel a replay job. Deliveries that it has already restarted stay restarted. Cancelling a job that has ended
   * changes nothing. The key must hold the scopes that the job works with.
   */
  cancelReplayJob(input: DeliveriesCancelReplayJobInput, options?: CallOptions): Promise<null>

  /**
   * Get a delivery. One delivery by its id, which is also sent to the endpoint. The key must be able to read its event
   * type.
   */
  get(input: DeliveriesGetInput, options?: CallOptions): Promise<Delivery>

  /**
   * Get a replay job. The progress of the job. Jobs are kept for 30 days after they end. The key must hold the scopes
   * that the job works with.
   */
  getReplayJob(input: DeliveriesGetReplayJobInput, options?: CallOptions): Promise<ReplayJob>

  /** List deliveries. Newest first. A key sees only deliveries of events that it may read. */
  list(input?: DeliveriesListInput, options?: CallOptions): List<Delivery>

  /**
   * Resend a delivery. Sends a delivery of an active webhook again under the same id, at once and to the current URL of
   * the webhook, with its full number of attempts. It may have any status: one that waits for its next attempt is sent
   * now. While the circuit is open, it is the probe. One that is being sent at this moment stays as it is, and an
   * ordered one that waits keeps its position. The key must be able to read every event type of the webhook, and the
   * webhook must still be granted this one.
   */
  replay(input: DeliveriesReplayInput, options?: CallOptions): Promise<Delivery>

  /**
   * Resend many deliveries. Starts a job that sends deliveries of active webhooks again, oldest first, each once and
   * under its own id. Those that wait for their next attempt are sent at once. One job runs at a time. With `dryRun`
   * they are only counted. `leftOut` counts deliveries that the filter matches but that are not resent, for example
   * because their webhook is paused. Deliveries that the key may not read, and deliveries of webhooks that carry events
   * it may not read, are left out; a request that names such a webhook or event type fails.
   */
  replayMany(
    input: DeliveriesReplayManyInput,
    options?: CallOptions,
  ): Promise<
    | ReplayJob
    | {
        object: 'replay_estimate'
        workspaceId: string
        filter: {
          webhookId?: string
          eventTypes?: string[]
          status?: DeliveryStatus[]
          createdAfter?: string
          createdBefore?: string
          ids?: string[]
        }
        perMinute: number | null
        total: number
        leftOut: { paused: number; disabled: number; deleted: number; ungranted: number }
      }
  >
}

export interface DocumentsCalls {
  /**
   * Change many documents at once. Up to 100 items, each with its own outcome; with `atomic`, all or none. `data` is
   * the body of the request of that name. An update, a deletion and a restore name the object by `id`, or by your own
   * id in `externalSource` and `externalId`. Wherever an item takes the id of an object of this collection, `#3` is the
   * object of item 3, which comes before it. Each item counts as one request.
   */
  batch<const F extends DocumentField = never, const E extends DocumentExpansion = never>(
    input: DocumentsBatchInput<F, E>,
    options?: CallOptions,
  ): Promise<{ results: BatchResult<Shown<DocumentExpanded, DocumentExpansion, F, E, 'content'>, Problem>[] }>
  /**
   * Items of any number, sent a hundred at a time at the pace of the rate limit. The results are in the order of the
   * items.
   */
  batchAll<const F extends DocumentField = never, const E extends DocumentExpansion = never>(
    items: Iterable<DocumentBatchItem> | AsyncIterable<DocumentBatchItem>,
    options?: BatchOptions<F, E>,
  ): BatchResults<Shown<DocumentExpanded, DocumentExpansion, F, E, 'content'>>

  /**
   * Count documents. The number of matches and the sum of a field, in total and by the values of one or two fields.
   * Takes the filters of the list. An object with several values, such as labels, counts in the group of each, and once
   * in `total`.
   */
  count(
    input?: DocumentsCountInput,
    options?: CallOptions,
  ): Promise<{
    total: number
    sums?: { currency: string | null; sum: string }[]
    groups: {
      value: string | null
      values?: (string | null)[]
      count: number
      sums?: { currency: string | null; sum: string }[]
    }[]
    moreGroups: number
  }>

  /** Create a document. Omitted fields get their defaults. Null empties a list; empty text means null. */
  create<const F extends DocumentField = never, const E extends DocumentExpansion = never>(
    input: DocumentsCreateInput<F, E>,
    options?: CallOptions,
  ): Promise<Shown<DocumentExpanded, DocumentExpansion, F, E>>

  /**
   * Delete a document. It can be restored for 30 days, and keeps its own id and its other unique values so long. What
   * belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again changes nothing.
   */
  delete(input: DocumentsDeleteInput, options?: CallOptions): Promise<null>

  /**
   * Delete a document by your own id. It can be restored for 30 days, and keeps its own id and its other unique values
   * so long. What belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again changes
   * nothing.
   */
  deleteByExternalId(input: DocumentsDeleteByExternalIdInput, options?: CallOptions): Promise<null>

  /**
   * Edit the content of a document. Finds text in the content and replaces it. The edits apply in order, each to the
   * result of the one before, and all of them or none. If all lines of the document have the same line ending, line
   * breaks in the edits are converted to it.
   */
  edit(
    input: DocumentsEditInput,
    options?: CallOptions,
  ): Promise<{
    id: string
    object: 'document'
    workspaceId: string
    version: number
    createdAt: string
    updatedAt: string
    createdBy: Author
    updatedBy: Actor
    deletedAt: string | null
    imported: {
      importedAt: string
      importedBy: Actor
      updatedAt: string | null
      createdBy: { name: string; email: string | null } | null
    } | null
    title: string
    summary: string | null
    folder: string | null
    tags: string[]
    status: DocumentStatus
    crmEntityId: string | null
    projectId: string | null
    fileIds: string[]
    externalSource: string | null
    externalId: string | null
    externalIds: { source: string; id: string }[]
    wordCount: number
    checksum: string
    replacements: number[]
  }>

  /** Get a document. One document by its id. */
  get<const E extends DocumentExpansion = never>(
    input: DocumentsGetInput<E>,
    options?: CallOptions,
  ): Promise<Shown<DocumentExpanded, DocumentExpansion, never, E>>

  /** Get a document by your own id. One document by the id that it has in the system it came from. */
  getByExternalId<const E extends DocumentExpansion = never>(
    input: DocumentsGetByExternalIdInput<E>,
    options?: CallOptions,
  ): Promise<Shown<DocumentExpanded, DocumentExpansion, never, E>>

  /**
   * List the changes of a document. Each change of each field, newest first; changes of one request are in the order of
   * its event. The history covers as long as events are kept, 30 days: since `completeSince`, nothing is missing.
   * Creating, deleting and restoring change no field; the feed has them.
   */
  history(
    input: DocumentsHistoryInput,
    options?: CallOptions,
  ): List<
    {
      field: string
      from: unknown
      to: unknown
      changedAt: string
      actor: Actor
      version: number | null
      eventId: string
      sequence: number
    },
    Page<{
      field: string
      from: unknown
      to: unknown
      changedAt: string
      actor: Actor
      version: number | null
      eventId: string
      sequence: number
    }> & { completeSince: string }
  >

  /**
   * List documents. Newest first unless sorted otherwise. `updatedAt` increases with every change in the workspace:
   * sort by it and send the last value seen as `updatedAfter`, and no change is missed.
   */
  list<
    const F extends DocumentField = never,
    const E extends DocumentExpansion = never,
    const D extends boolean = false,
  >(
    input?: DocumentsListInput<F, E, D>,
    options?: CallOptions,
  ): List<
    Shown<DocumentExpanded, DocumentExpansion, F, E, 'content'> | (true extends D ? Tombstone<'document'> : never)
  >

  /**
   * Purge a deleted document. Purges the object before its 30 days end: its content is deleted for good, its unique
   * values can be used again, and it cannot be restored. Copies need no notice, since the object was deleted before.
   * Its events are kept for their 30 days. Purging it again changes nothing.
   */
  purge(input: DocumentsPurgeInput, options?: CallOptions): Promise<null>

  /**
   * Read a part of a document. A section, a range of lines, or the whole content, with the outline. Headings in code
   * blocks, lists and quotations do not count.
   */
  readContent(
    input: DocumentsReadContentInput,
    options?: CallOptions,
  ): Promise<{
    id: string
    object: 'document_content'
    version: number
    title: string
    text: string
    fromLine: number
    toLine: number
    nextLine: number | null
    totalLines: number
    totalBytes: number
    outline: { section: string; level: number; title: string; fromLine: number; toLine: number }[]
    headingCount: number
  }>

  /**
   * Remove the own id of a document in one system. Returns the object. The ids in other systems stay. Removing it again
   * changes nothing.
   */
  removeExternalId(input: DocumentsRemoveExternalIdInput, options?: CallOptions): Promise<Document>

  /** Restore a deleted document. Restores it in its earlier state, within 30 days of its deletion. */
  restore<const F extends DocumentField = never, const E extends DocumentExpansion = never>(
    input: DocumentsRestoreInput<F, E>,
    options?: CallOptions,
  ): Promise<Shown<DocumentExpanded, DocumentExpansion, F, E>>

  /**
   * Set the own id of a document in one system. The ids in other systems stay; a former id in this one is replaced. At
   * most 10. Setting it again changes nothing.
   */
  setExternalId(input: DocumentsSetExternalIdInput, options?: CallOptions): Promise<Document>

  /**
   * Change a document. A JSON Merge Patch: omitted fields stay, null clears (a list becomes empty), arrays replace;
   * `{"add": […], "remove": […]}` in place of an array changes a part of the list. Empty text means null.
   */
  update<const F extends DocumentField = never, const E extends DocumentExpansion = never>(
    input: DocumentsUpdateInput<F, E>,
    options?: CallOptions,
  ): Promise<Shown<DocumentExpanded, DocumentExpansion, F, E>>

  /**
   * Create or change a document by your own id. Returns 201 if the object was created. If it exists, the given fields
   * are set and the others stay, unless `onMatch` is set. `outcome` says what was done. `If-None-Match: *` returns 412
   * if it exists, and `If-Match: *` if it does not.
   */
  upsert<const F extends DocumentField = never, const E extends DocumentExpansion = never>(
    input: DocumentsUpsertInput<F, E>,
    options?: CallOptions,
  ): Promise<
    Shown<DocumentExpanded, DocumentExpansion, F, E> & {
      outcome: 'created' | 'updated' | 'unchanged' | 'skipped' | 'restored'
      matchedBy: string | null
    }
  >
}

export interface EventTypesCalls {
  /** List event types. The catalog of all event types, whether or not the key may read them. */
  list(
    input?: Record<string, never>,
    options?: CallOptions,
  ): Promise<{ data: { type: string; summary: string; scope: string; schema: Record<string, unknown> }[] }>

  /**
   * Trigger an event in a sandbox. Records an event of this type although nothing has happened, with `origin:
   * "trigger"`. It appears in the feed and is sent to the webhooks that subscribe to it. It is about an object of the
   * sandbox, the newest unless `objectId` names one, or about an example if there is none. The object does not change.
   * The key must be able to read the event type. Returns `sandbox_only` in a workspace that is not a sandbox.
   */
  trigger(input: EventTypesTriggerInput, options?: CallOptions): Promise<{ eventId: string; eventType: string }>
}

export interface EventsCalls {
  /** Get an event. One event by its id. */
  get(input: EventsGetInput, options?: CallOptions): Promise<EventRecord>

  /**
   * Read the feed. Events after a sequence number, in order and without gaps. No event is ever inserted before one that
   * was read. Repeat the request with `lastSequence` as `after`: at once while `hasMore` is true, even if `data` is
   * empty, otherwise with `wait`. Only events of resources that the key may read are returned.
   */
  list(
    input?: EventsListInput,
    options?: CallOptions,
  ): Promise<{ data: EventRecord[]; lastSequence: number; hasMore: boolean }>
  /**
   * Follows the feed: each event once, in order, from a position on. It waits for what comes, and goes on after
   * failures.
   */
  follow<const P extends EventPattern = '*'>(options?: FollowOptions<P>): EventFeed<P>
}

export interface FilesCalls {
  /**
   * Create a file. Returns the URL for its bytes, `upload`, which is valid for 15 minutes and one upload. A file whose
   * bytes are not uploaded within 24 hours is removed. Its size counts for the quota `fileBytes` at once.
   */
  create(
    input: FilesCreateInput,
    options?: CallOptions,
  ): Promise<{
    id: string
    object: 'file'
    workspaceId: string
    version: number
    createdAt: string
    updatedAt: string
    createdBy: Actor
    updatedBy: Actor
    deletedAt: string | null
    name: string
    bytes: number
    type: string
    detectedType: string | null
    sha256: string | null
    status: FileStatus
    uploadedAt: string | null
    quarantineReason: string | null
    upload: UploadAddress
  }>

  /**
   * Create a signed address for the bytes of a file. For a browser, or another program that has no key. Each URL stops
   * working after its time, and when the key that requested it is revoked or its secret is replaced.
   */
  createDownloadAddress(input: FilesCreateDownloadAddressInput, options?: CallOptions): Promise<DownloadAddress>

  /**
   * Delete a file. It can be restored for 30 days; then its bytes are removed. Objects that name it keep its id.
   * Deleting it again changes nothing.
   */
  delete(input: FilesDeleteInput, options?: CallOptions): Promise<null>

  /**
   * Download the bytes of a file. Always an attachment: no browser shows it as a page. Takes `Range` and `If-Range` for
   * a part of it. The ETag is its SHA-256. Active content, such as HTML and SVG, is returned as
   * `application/octet-stream`.
   */
  download(input: FilesDownloadInput, options?: CallOptions): Promise<Response>

  /** Get a file. One file by its id, without its bytes. */
  get(input: FilesGetInput, options?: CallOptions): Promise<File>

  /** List files. Newest first, unless sorted by `createdAt`. */
  list(input?: FilesListInput, options?: CallOptions): List<File>

  /**
   * Purge a deleted file. Removes its name and its bytes before its 30 days end: the bytes within minutes. Purging it
   * again changes nothing.
   */
  purge(input: FilesPurgeInput, options?: CallOptions): Promise<null>

  /**
   * Quarantine a file. For a virus scanner: the bytes can be read by keys with `files:release` only. Quarantining it
   * again changes nothing.
   */
  quarantine(input: FilesQuarantineInput, options?: CallOptions): Promise<File>

  /**
   * Release a file. For a virus scanner: a file that is held or quarantined can be read from then on. Releasing it
   * again changes nothing.
   */
  release(input: FilesReleaseInput, options?: CallOptions): Promise<File>

  /** Restore a deleted file. Within 30 days of its deletion. */
  restore(input: FilesRestoreInput, options?: CallOptions): Promise<File>

  /**
   * Upload the bytes of a file. The body is the bytes, as they are. They must have the size, the SHA-256 and the type
   * that the file was created with; anything else is rejected and nothing is kept. Only one upload succeeds; a failed
   * one can be repeated at the same URL. It must send at least 32 KiB a second.
   */
  upload(input: FilesUploadInput, body: UploadBody, options?: CallOptions): Promise<null>
}

export interface JobsCalls {
  /** Cancel a job. Changes that it has made stay. Cancelling a job that has ended changes nothing. */
  cancel(input: JobsCancelInput, options?: CallOptions): Promise<Job>

  /**
   * Start a job. An `export` writes objects to a file, one JSON object a line, packed with gzip. The first line is
   * `{"object":"export","sequence":…}`: read the feed from that `sequence` on, and the copy follows. The last line is
   * `{"object":"export_end","counts":{…}}`. Objects are as in the API; deleted ones, and those of deleted projects, are
   * left out. An `import` creates an object from each row, or updates the one with its `externalSource` and
   * `externalId`. A rejected row does not stop the others. An `update` or a `delete` changes each object that `filter`
   * matches once, oldest first. With `dryRun` they are counted; more than `confirmedTotal` are never changed. Each
   * object is changed as by a request of its own. The job acts with the key of the request, which needs the scopes of
   * what it does, and ends when the key is revoked. At most 10 jobs of a workspace wait or run; one runs at a time.
   */
  create(
    input: JobsCreateInput,
    options?: CallOptions,
  ): Promise<
    | Job
    | {
        object: 'job_estimate'
        workspaceId: string
        kind: 'export' | 'import' | 'update' | 'delete'
        request: Record<string, unknown>
        total: number
      }
  >

  /** Get a job. Its progress and, at its end, the size of its result. Jobs are kept for 7 days after they end. */
  get(input: JobsGetInput, options?: CallOptions): Promise<Job>

  /** List jobs. Newest first. Jobs whose scopes the key does not hold are left out. */
  list(input?: JobsListInput, options?: CallOptions): List<Job>

  /**
   * Download the rejected rows or objects of a job. A gzip file of JSON lines, one for each object that could not be
   * changed: its `id`, and `code`, `detail` and `errors` as in a failed request. It is available when the job has
   * ended, for whatever reason.
   */
  refusals(input: JobsRefusalsInput, options?: CallOptions): Promise<Response>

  /**
   * Download the result of a job. A gzip file of JSON lines. Takes `Range`, to continue an interrupted download.
   * Returns 404 before the job has completed.
   */
  result(input: JobsResultInput, options?: CallOptions): Promise<Response>
}

export interface MeCalls {
  /**
   * Who am I. The key, its owner (`me`), scopes and surfaces, its workspaces and how to choose one, and what remains of
   * its rate limit. Works with any valid key.
   */
  get(input?: Record<string, never>, options?: CallOptions): Promise<Me>

  /**
   * Rotate the secret of the current key. The secret is shown only in this response; the same Idempotency-Key returns
   * it again. The old secret keeps working for `overlapHours`; zero ends it at once, after which the request cannot be
   * repeated. Rotate before `rotateBy`: an overdue key is denied here as everywhere, and gets its new secret in the
   * workspace settings. Send this in the workspace that the key was created in.
   */
  rotate(input?: MeRotateInput, options?: CallOptions): Promise<ApiKeyWithSecret>
}

export interface MembersCalls {
  /** Get a member. A removed member is not found. */
  get(input: MembersGetInput, options?: CallOptions): Promise<Member>

  /**
   * List members. Newest first unless sorted otherwise. Removed members come only with `includeDeleted`, as their id,
   * version and time of removal.
   */
  list(
    input?: MembersListInput,
    options?: CallOptions,
  ): List<Member | { id: string; object: 'member'; version: number; deletedAt: string }>
}

export interface ProjectsCalls {
  /** Archive a project. Hides it from lists that do not include archived ones. Archiving it again changes nothing. */
  archive(input: ProjectsArchiveInput, options?: CallOptions): Promise<Project>

  /**
   * Change many projects at once. Up to 100 items, each with its own outcome; with `atomic`, all or none. `data` is the
   * body of the request of that name. An update, a deletion and a restore name the object by `id`, or by your own id in
   * `externalSource` and `externalId`. Wherever an item takes the id of an object of this collection, `#3` is the
   * object of item 3, which comes before it. Each item counts as one request.
   */
  batch<const F extends ProjectField = never, const E extends ProjectExpansion = never>(
    input: ProjectsBatchInput<F, E>,
    options?: CallOptions,
  ): Promise<{ results: BatchResult<Shown<ProjectExpanded, ProjectExpansion, F, E>, Problem>[] }>
  /**
   * Items of any number, sent a hundred at a time at the pace of the rate limit. The results are in the order of the
   * items.
   */
  batchAll<const F extends ProjectField = never, const E extends ProjectExpansion = never>(
    items: Iterable<ProjectBatchItem> | AsyncIterable<ProjectBatchItem>,
    options?: BatchOptions<F, E>,
  ): BatchResults<Shown<ProjectExpanded, ProjectExpansion, F, E>>

  /**
   * Count projects. The number of matches and the sum of a field, in total and by the values of one or two fields.
   * Takes the filters of the list. An object with several values, such as labels, counts in the group of each, and once
   * in `total`.
   */
  count(
    input?: ProjectsCountInput,
    options?: CallOptions,
  ): Promise<{
    total: number
    sums?: { currency: string | null; sum: string }[]
    groups: {
      value: string | null
      values?: (string | null)[]
      count: number
      sums?: { currency: string | null; sum: string }[]
    }[]
    moreGroups: number
  }>

  /** Create a project. Omitted fields get their defaults. Null empties a list; empty text means null. */
  create<const F extends ProjectField = never, const E extends ProjectExpansion = never>(
    input: ProjectsCreateInput<F, E>,
    options?: CallOptions,
  ): Promise<Shown<ProjectExpanded, ProjectExpansion, F, E>>

  /** Comment on a project. The author is the key of the request. */
  createComment(input: ProjectsCreateCommentInput, options?: CallOptions): Promise<Comment>

  /**
   * Delete a project. It can be restored for 30 days, and keeps its own id and its other unique values so long. What
   * belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again changes nothing.
   */
  delete(input: ProjectsDeleteInput, options?: CallOptions): Promise<null>

  /**
   * Delete a project by your own id. It can be restored for 30 days, and keeps its own id and its other unique values
   * so long. What belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again changes
   * nothing.
   */
  deleteByExternalId(input: ProjectsDeleteByExternalIdInput, options?: CallOptions): Promise<null>

  /**
   * Delete a comment on a project. A key with the write scope may delete any comment. Deleting it again changes
   * nothing.
   */
  deleteComment(input: ProjectsDeleteCommentInput, options?: CallOptions): Promise<null>

  /** Get a project. One project by its id. */
  get<const E extends ProjectExpansion = never>(
    input: ProjectsGetInput<E>,
    options?: CallOptions,
  ): Promise<Shown<ProjectExpanded, ProjectExpansion, never, E>>

  /** Get a project by your own id. One project by the id that it has in the system it came from. */
  getByExternalId<const E extends ProjectExpansion = never>(
    input: ProjectsGetByExternalIdInput<E>,
    options?: CallOptions,
  ): Promise<Shown<ProjectExpanded, ProjectExpansion, never, E>>

  /** Get a comment on a project. One comment by its id and that of the project. */
  getComment(input: ProjectsGetCommentInput, options?: CallOptions): Promise<Comment>

  /**
   * List the changes of a project. Each change of each field, newest first; changes of one request are in the order of
   * its event. The history covers as long as events are kept, 30 days: since `completeSince`, nothing is missing.
   * Creating, deleting and restoring change no field; the feed has them.
   */
  history(
    input: ProjectsHistoryInput,
    options?: CallOptions,
  ): List<
    {
      field: string
      from: unknown
      to: unknown
      changedAt: string
      actor: Actor
      version: number | null
      eventId: string
      sequence: number
    },
    Page<{
      field: string
      from: unknown
      to: unknown
      changedAt: string
      actor: Actor
      version: number | null
      eventId: string
      sequence: number
    }> & { completeSince: string }
  >

  /**
   * List projects. Newest first unless sorted otherwise. `updatedAt` increases with every change in the workspace: sort
   * by it and send the last value seen as `updatedAfter`, and no change is missed.
   */
  list<const F extends ProjectField = never, const E extends ProjectExpansion = never, const D extends boolean = false>(
    input?: ProjectsListInput<F, E, D>,
    options?: CallOptions,
  ): List<Shown<ProjectExpanded, ProjectExpansion, F, E> | (true extends D ? Tombstone<'project'> : never)>

  /** List the comments on a project. Oldest first, unless sorted by `-createdAt`. */
  listComments(input: ProjectsListCommentsInput, options?: CallOptions): List<Comment>

  /** List the tasks of a project. The same as the list of tasks with this project as its filter. */
  listTasks<const F extends TaskField = never, const E extends TaskExpansion = never, const D extends boolean = false>(
    input: ProjectsListTasksInput<F, E, D>,
    options?: CallOptions,
  ): List<Shown<TaskExpanded, TaskExpansion, F, E> | (true extends D ? Tombstone<'task'> : never)>

  /**
   * Purge a deleted project. Purges the object before its 30 days end: its content is deleted for good, its unique
   * values can be used again, and it cannot be restored. Copies need no notice, since the object was deleted before.
   * Its events are kept for their 30 days. Purging it again changes nothing.
   */
  purge(input: ProjectsPurgeInput, options?: CallOptions): Promise<null>

  /**
   * Remove the own id of a project in one system. Returns the object. The ids in other systems stay. Removing it again
   * changes nothing.
   */
  removeExternalId(input: ProjectsRemoveExternalIdInput, options?: CallOptions): Promise<Project>

  /** Restore a deleted project. Restores it in its earlier state, within 30 days of its deletion. */
  restore<const F extends ProjectField = never, const E extends ProjectExpansion = never>(
    input: ProjectsRestoreInput<F, E>,
    options?: CallOptions,
  ): Promise<Shown<ProjectExpanded, ProjectExpansion, F, E>>

  /**
   * Set the own id of a project in one system. The ids in other systems stay; a former id in this one is replaced. At
   * most 10. Setting it again changes nothing.
   */
  setExternalId(input: ProjectsSetExternalIdInput, options?: CallOptions): Promise<Project>

  /** Unarchive a project. Shows it in lists again. If the project is not archived, nothing changes. */
  unarchive(input: ProjectsUnarchiveInput, options?: CallOptions): Promise<Project>

  /**
   * Change a project. A JSON Merge Patch: omitted fields stay, null clears (a list becomes empty), arrays replace;
   * `{"add": […], "remove": […]}` in place of an array changes a part of the list. Empty text means null.
   */
  update<const F extends ProjectField = never, const E extends ProjectExpansion = never>(
    input: ProjectsUpdateInput<F, E>,
    options?: CallOptions,
  ): Promise<Shown<ProjectExpanded, ProjectExpansion, F, E>>

  /**
   * Change a comment on a project. A key with the write scope may change any comment; `createdBy` and `updatedBy` show
   * the author and the last editor.
   */
  updateComment(input: ProjectsUpdateCommentInput, options?: CallOptions): Promise<Comment>

  /**
   * Create or change a project by your own id. Returns 201 if the object was created. If it exists, the given fields
   * are set and the others stay, unless `onMatch` is set. `outcome` says what was done. `If-None-Match: *` returns 412
   * if it exists, and `If-Match: *` if it does not.
   */
  upsert<const F extends ProjectField = never, const E extends ProjectExpansion = never>(
    input: ProjectsUpsertInput<F, E>,
    options?: CallOptions,
  ): Promise<
    Shown<ProjectExpanded, ProjectExpansion, F, E> & {
      outcome: 'created' | 'updated' | 'unchanged' | 'skipped' | 'restored'
      matchedBy: string | null
    }
  >
}

export interface RequestsCalls {
  /** Get a request. One request of the API log, with why it was rejected. */
  get(input: RequestsGetInput, options?: CallOptions): Promise<LoggedRequest>

  /**
   * List requests. The API log, newest first in the order of recording. A request is recorded within seconds of its
   * end. Successful reads are kept for 3 days, changes and rejected requests for 30; if there are too many, some are
   * left out and counted (`leftOut`). Requests that read the log are not in it. One page looks through at most 50,000
   * requests, so a page can have fewer items than its limit, or none, although there are more (`hasMore`).
   */
  list(input?: RequestsListInput, options?: CallOptions): List<LoggedRequest>
}

export interface ResourcesCalls {
  /**
   * List workspace resources. The texts about the workspace, by URI. Texts that need a scope which the key lacks are
   * left out.
   */
  list(input?: ResourcesListInput, options?: CallOptions): List<Resource>

  /**
   * Read a workspace resource. Members need the scope `members:read`, custom fields `workspaces:read`. Overview and
   * labels omit what the key may not read.
   */
  read(
    input: ResourcesReadInput,
    options?: CallOptions,
  ): Promise<{
    object: 'resource'
    uri: string
    name: string
    title: string
    description: string
    mimeType: 'text/markdown' | 'application/json'
    kind: 'overview' | 'members' | 'labels' | 'custom_fields' | 'view' | 'glossary'
    size: number
    updatedAt: string | null
    text: string
  }>
}

export interface SearchCalls {
  /**
   * Search. Projects, tasks, CRM entities and documents that the key may read, best first. Every word must begin a word
   * of title or text, or stand anywhere in the title; Chinese, Japanese, Korean and Thai are found anywhere in both.
   * Case and accents do not matter. `"annual report"` finds these words one after the other. A title is also found when
   * it is misspelt, a project or task by its key or identifier, and a contact by a telephone number. New and changed
   * objects are found at once.
   */
  query(
    input: SearchQueryInput,
    options?: CallOptions,
  ): Promise<{
    data: {
      type: 'projects' | 'tasks' | 'crm-entities' | 'documents'
      id: string
      title: string
      identifier: string | null
      kind: string | null
      status: string | null
      score: number
      snippet: string | null
      updatedAt: string
    }[]
    hasMore: boolean
  }>
}

export interface TasksCalls {
  /**
   * Change many tasks at once. Up to 100 items, each with its own outcome; with `atomic`, all or none. `data` is the
   * body of the request of that name. An update, a deletion and a restore name the object by `id`, or by your own id in
   * `externalSource` and `externalId`. Wherever an item takes the id of an object of this collection, `#3` is the
   * object of item 3, which comes before it. Each item counts as one request.
   */
  batch<const F extends TaskField = never, const E extends TaskExpansion = never>(
    input: TasksBatchInput<F, E>,
    options?: CallOptions,
  ): Promise<{ results: BatchResult<Shown<TaskExpanded, TaskExpansion, F, E>, Problem>[] }>
  /**
   * Items of any number, sent a hundred at a time at the pace of the rate limit. The results are in the order of the
   * items.
   */
  batchAll<const F extends TaskField = never, const E extends TaskExpansion = never>(
    items: Iterable<TaskBatchItem> | AsyncIterable<TaskBatchItem>,
    options?: BatchOptions<F, E>,
  ): BatchResults<Shown<TaskExpanded, TaskExpansion, F, E>>

  /**
   * Count tasks. The number of matches and the sum of a field, in total and by the values of one or two fields. Takes
   * the filters of the list. An object with several values, such as labels, counts in the group of each, and once in
   * `total`.
   */
  count(
    input?: TasksCountInput,
    options?: CallOptions,
  ): Promise<{
    total: number
    sums?: { currency: string | null; sum: string }[]
    groups: {
      value: string | null
      values?: (string | null)[]
      count: number
      sums?: { currency: string | null; sum: string }[]
    }[]
    moreGroups: number
  }>

  /** Create a task. Omitted fields get their defaults. Null empties a list; empty text means null. */
  create<const F extends TaskField = never, const E extends TaskExpansion = never>(
    input: TasksCreateInput<F, E>,
    options?: CallOptions,
  ): Promise<Shown<TaskExpanded, TaskExpansion, F, E>>

  /** Comment on a task. The author is the key of the request. */
  createComment(input: TasksCreateCommentInput, options?: CallOptions): Promise<Comment>

  /**
   * Delete a task. It can be restored for 30 days, and keeps its own id and its other unique values so long. What
   * belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again changes nothing.
   */
  delete(input: TasksDeleteInput, options?: CallOptions): Promise<null>

  /**
   * Delete a task by your own id. It can be restored for 30 days, and keeps its own id and its other unique values so
   * long. What belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again changes
   * nothing.
   */
  deleteByExternalId(input: TasksDeleteByExternalIdInput, options?: CallOptions): Promise<null>

  /**
   * Delete a comment on a task. A key with the write scope may delete any comment. Deleting it again changes nothing.
   */
  deleteComment(input: TasksDeleteCommentInput, options?: CallOptions): Promise<null>

  /** Get a task. One task by its id. */
  get<const E extends TaskExpansion = never>(
    input: TasksGetInput<E>,
    options?: CallOptions,
  ): Promise<Shown<TaskExpanded, TaskExpansion, never, E>>

  /** Get a task by your own id. One task by the id that it has in the system it came from. */
  getByExternalId<const E extends TaskExpansion = never>(
    input: TasksGetByExternalIdInput<E>,
    options?: CallOptions,
  ): Promise<Shown<TaskExpanded, TaskExpansion, never, E>>

  /** Get a comment on a task. One comment by its id and that of the task. */
  getComment(input: TasksGetCommentInput, options?: CallOptions): Promise<Comment>

  /**
   * List the changes of a task. Each change of each field, newest first; changes of one request are in the order of its
   * event. The history covers as long as events are kept, 30 days: since `completeSince`, nothing is missing. Creating,
   * deleting and restoring change no field; the feed has them.
   */
  history(
    input: TasksHistoryInput,
    options?: CallOptions,
  ): List<
    {
      field: string
      from: unknown
      to: unknown
      changedAt: string
      actor: Actor
      version: number | null
      eventId: string
      sequence: number
    },
    Page<{
      field: string
      from: unknown
      to: unknown
      changedAt: string
      actor: Actor
      version: number | null
      eventId: string
      sequence: number
    }> & { completeSince: string }
  >

  /**
   * List tasks. Newest first unless sorted otherwise. `updatedAt` increases with every change in the workspace: sort by
   * it and send the last value seen as `updatedAfter`, and no change is missed.
   */
  list<const F extends TaskField = never, const E extends TaskExpansion = never, const D extends boolean = false>(
    input?: TasksListInput<F, E, D>,
    options?: CallOptions,
  ): List<Shown<TaskExpanded, TaskExpansion, F, E> | (true extends D ? Tombstone<'task'> : never)>

  /** List the comments on a task. Oldest first, unless sorted by `-createdAt`. */
  listComments(input: TasksListCommentsInput, options?: CallOptions): List<Comment>

  /**
   * Purge a deleted task. Purges the object before its 30 days end: its content is deleted for good, its unique values
   * can be used again, and it cannot be restored. Copies need no notice, since the object was deleted before. Its
   * events are kept for their 30 days. Purging it again changes nothing.
   */
  purge(input: TasksPurgeInput, options?: CallOptions): Promise<null>

  /**
   * Remove the own id of a task in one system. Returns the object. The ids in other systems stay. Removing it again
   * changes nothing.
   */
  removeExternalId(input: TasksRemoveExternalIdInput, options?: CallOptions): Promise<Task>

  /** Restore a deleted task. Restores it in its earlier state, within 30 days of its deletion. */
  restore<const F extends TaskField = never, const E extends TaskExpansion = never>(
    input: TasksRestoreInput<F, E>,
    options?: CallOptions,
  ): Promise<Shown<TaskExpanded, TaskExpansion, F, E>>

  /**
   * Set the own id of a task in one system. The ids in other systems stay; a former id in this one is replaced. At most
   * 10. Setting it again changes nothing.
   */
  setExternalId(input: TasksSetExternalIdInput, options?: CallOptions): Promise<Task>

  /**
   * Change a task. A JSON Merge Patch: omitted fields stay, null clears (a list becomes empty), arrays replace;
   * `{"add": […], "remove": […]}` in place of an array changes a part of the list. Empty text means null.
   */
  update<const F extends TaskField = never, const E extends TaskExpansion = never>(
    input: TasksUpdateInput<F, E>,
    options?: CallOptions,
  ): Promise<Shown<TaskExpanded, TaskExpansion, F, E>>

  /**
   * Change a comment on a task. A key with the write scope may change any comment; `createdBy` and `updatedBy` show the
   * author and the last editor.
   */
  updateComment(input: TasksUpdateCommentInput, options?: CallOptions): Promise<Comment>

  /**
   * Create or change a task by your own id. Returns 201 if the object was created. If it exists, the given fields are
   * set and the others stay, unless `onMatch` is set. `outcome` says what was done. `If-None-Match: *` returns 412 if
   * it exists, and `If-Match: *` if it does not.
   */
  upsert<const F extends TaskField = never, const E extends TaskExpansion = never>(
    input: TasksUpsertInput<F, E>,
    options?: CallOptions,
  ): Promise<
    Shown<TaskExpanded, TaskExpansion, F, E> & {
      outcome: 'created' | 'updated' | 'unchanged' | 'skipped' | 'restored'
      matchedBy: string | null
    }
  >
}

export interface WebhooksCalls {
  /**
   * Create a webhook. The signing secret is shown only in this response. A key can subscribe only to events that it may
   * read.
   */
  create(input: WebhooksCreateInput, options?: CallOptions): Promise<WebhookWithSecret>

  /**
   * Delete a webhook. Pending deliveries are cancelled. Deleting it again changes nothing. The key must be able to read
   * every event type of the webhook.
   */
  delete(input: WebhooksDeleteInput, options?: CallOptions): Promise<null>

  /**
   * Enable a paused or disabled webhook. Pending deliveries are sent. The count of failures is reset. The key must be
   * able to read every event type of the webhook.
   */
  enable(input: WebhooksEnableInput, options?: CallOptions): Promise<Webhook>

  /** Get a webhook. One webhook by its id. The key must be able to read every event type of the webhook. */
  get(input: WebhooksGetInput, options?: CallOptions): Promise<Webhook>

  /**
   * Get a request that the inspector received. One request with its body. The key must be able to read every event type
   * of the webhook.
   */
  getInspectedRequest(input: WebhooksGetInspectedRequestInput, options?: CallOptions): Promise<InspectedRequestWithBody>

  /** List webhooks. Newest first. A key sees only webhooks of which it may read every event type. */
  list(input?: WebhooksListInput, options?: CallOptions): List<Webhook>

  /**
   * List what the inspector received. The requests of a webhook that is sent to the inspector
   * (`https://inspector.invalid/`, in sandboxes), newest first and without their bodies. The last 100 requests of each
   * webhook are kept for 30 days, or fewer if their bodies take more than 16 MiB. The key must be able to read every
   * event type of the webhook.
   */
  listInspectedRequests(
    input: WebhooksListInspectedRequestsInput,
    options?: CallOptions,
  ): Promise<{ data: InspectedRequest[] }>

  /**
   * Pause a webhook. Deliveries wait until it is enabled again, for at most 72 hours. The key must be able to read
   * every event type of the webhook.
   */
  pause(input: WebhooksPauseInput, options?: CallOptions): Promise<Webhook>

  /**
   * Recover a webhook since a time. Starts a job that sends again what was created since that time and has not been
   * delivered: dead letters, and deliveries that wait for their next attempt. It is a replay job, with a filter by this
   * webhook; a dry run of `deliveries.replay-many` counts them before.
   */
  recover(input: WebhooksRecoverInput, options?: CallOptions): Promise<ReplayJob>

  /**
   * Resume a failing webhook at once. For an endpoint that works again: closes the circuit, and sends the deliveries
   * that wait for their next attempt, at most the next 10,000, within about a second. No delivery loses or gains
   * attempts. A `healthy` webhook does not change. `webhooks.enable` is for one that is paused or disabled. The key
   * must be able to read every event type of the webhook.
   */
  resume(input: WebhooksResumeInput, options?: CallOptions): Promise<Webhook>

  /**
   * Revoke scopes of a webhook. Events that need a revoked scope are no longer delivered, and their pending deliveries
   * are cancelled. Without `scopes`, all scopes are revoked. Revoking a scope that is not granted changes nothing.
   * Sending the `eventTypes` of the webhook again grants the scopes that they need. The key must be able to read every
   * event type of the webhook.
   */
  revokeGrants(input: WebhooksRevokeGrantsInput, options?: CallOptions): Promise<Webhook>

  /**
   * Rotate the signing secret of a webhook. For `overlapHours` every delivery is signed with the old secret as well.
   * The key must be able to read every event type of the webhook.
   */
  rotateSecret(input: WebhooksRotateSecretInput, options?: CallOptions): Promise<WebhookWithSecret>

  /**
   * Get the last 24 hours of a webhook. Deliveries by the hour in which they were created, oldest first, the current
   * hour last. Percentiles are of the time that the endpoint took to accept a delivery; in hours with very many
   * deliveries, of the newest ones. The key must be able to read every event type of the webhook.
   */
  stats(input: WebhooksStatsInput, options?: CallOptions): Promise<WebhookStats>

  /**
   * Send a test delivery. Signed and sent like a real delivery, to this webhook only. With `eventType` it is an example
   * of that type, whether or not the webhook subscribes to it, and has `test`; without it, a `webhooks.test`. In the
   * feed it is a `webhooks.test` in both cases. The key must be able to read every event type of the webhook.
   */
  test(input: WebhooksTestInput, options?: CallOptions): Promise<{ eventId: string; deliveryId: string }>

  /**
   * Change a webhook. A JSON Merge Patch. `headers`, if given, replaces all of them. If scheme, host or port of `url`
   * change, headers that are not sent again are dropped, and all secrets are replaced by the one in the response.
   * Sending `eventTypes` grants the scopes that they need. The key must be able to read every event type of the
   * webhook.
   */
  update(input: WebhooksUpdateInput, options?: CallOptions): Promise<ChangedWebhook>
}

export interface WorkspacesCalls {
  /**
   * Get the current workspace. The workspace of the request, with its limits and quotas, and how much of each quota is
   * used.
   */
  getCurrent(input?: Record<string, never>, options?: CallOptions): Promise<WorkspaceWithUsage>

  /**
   * Reset the current sandbox. Removes all projects, tasks, CRM entities, documents, comments and custom fields of the
   * sandbox, deleted ones included, and fills it with the sample data again. API keys, webhooks, members, files, events
   * and deliveries stay. Returns `invalid_transition` in a workspace that is not a sandbox.
   */
  reset(input?: Record<string, never>, options?: CallOptions): Promise<Workspace>

  /**
   * Change the current workspace. Name, time zone, currency and country. After a change of the country, the telephone
   * numbers of CRM entities are read anew in the background, some thousands in a few seconds. Slug, key policy, rate
   * limit and suspension are changed in the workspace settings only.
   */
  updateCurrent(input?: WorkspacesUpdateCurrentInput, options?: CallOptions): Promise<Workspace>
}

/** Every call, by its collection. */
export interface Calls {
  readonly auditEntries: AuditEntriesCalls
  readonly comments: CommentsCalls
  readonly crmEntities: CrmEntitiesCalls
  readonly customFields: CustomFieldsCalls
  readonly deliveries: DeliveriesCalls
  readonly documents: DocumentsCalls
  readonly eventTypes: EventTypesCalls
  readonly events: EventsCalls
  readonly files: FilesCalls
  readonly jobs: JobsCalls
  readonly me: MeCalls
  readonly members: MembersCalls
  readonly projects: ProjectsCalls
  readonly requests: RequestsCalls
  readonly resources: ResourcesCalls
  readonly search: SearchCalls
  readonly tasks: TasksCalls
  readonly webhooks: WebhooksCalls
  readonly workspaces: WorkspacesCalls
}

/** Input and answer of every call, by its name. */
export interface Operations {
  'audit-entries.list': { input: AuditEntriesListInput; answer: Page<AuditEntry> }
  'comments.batch': {
    input: CommentsBatchInput
    answer: { results: BatchResult<Shown<CommentExpanded, CommentExpansion, never, CommentExpansion>, Problem>[] }
  }
  'comments.count': {
    input: CommentsCountInput
    answer: {
      total: number
      sums?: { currency: string | null; sum: string }[]
      groups: {
        value: string | null
        values?: (string | null)[]
        count: number
        sums?: { currency: string | null; sum: string }[]
      }[]
      moreGroups: number
    }
  }
  'comments.create': {
    input: CommentsCreateInput
    answer: Shown<CommentExpanded, CommentExpansion, never, CommentExpansion>
  }
  'comments.delete': { input: CommentsDeleteInput; answer: null }
  'comments.delete-by-external-id': { input: CommentsDeleteByExternalIdInput; answer: null }
  'comments.get': { input: CommentsGetInput; answer: Shown<CommentExpanded, CommentExpansion, never, CommentExpansion> }
  'comments.get-by-external-id': {
    input: CommentsGetByExternalIdInput
    answer: Shown<CommentExpanded, CommentExpansion, never, CommentExpansion>
  }
  'comments.list': {
    input: CommentsListInput
    answer: Page<Shown<CommentExpanded, CommentExpansion, never, CommentExpansion>>
  }
  'comments.purge': { input: CommentsPurgeInput; answer: null }
  'comments.remove-external-id': { input: CommentsRemoveExternalIdInput; answer: Comment }
  'comments.restore': {
    input: CommentsRestoreInput
    answer: Shown<CommentExpanded, CommentExpansion, never, CommentExpansion>
  }
  'comments.set-external-id': { input: CommentsSetExternalIdInput; answer: Comment }
  'comments.update': {
    input: CommentsUpdateInput
    answer: Shown<CommentExpanded, CommentExpansion, never, CommentExpansion>
  }
  'comments.upsert': {
    input: CommentsUpsertInput
    answer: Shown<CommentExpanded, CommentExpansion, never, CommentExpansion> & {
      outcome: 'created' | 'updated' | 'unchanged' | 'skipped' | 'restored'
      matchedBy: string | null
    }
  }
  'crm-entities.batch': {
    input: CrmEntitiesBatchInput
    answer: { results: BatchResult<Shown<CrmEntityExpanded, CrmEntityExpansion, never, CrmEntityExpansion>, Problem>[] }
  }
  'crm-entities.count': {
    input: CrmEntitiesCountInput
    answer: {
      total: number
      sums?: { currency: string | null; sum: string }[]
      groups: {
        value: string | null
        values?: (string | null)[]
        count: number
        sums?: { currency: string | null; sum: string }[]
      }[]
      moreGroups: number
    }
  }
  'crm-entities.create': {
    input: CrmEntitiesCreateInput
    answer: Shown<CrmEntityExpanded, CrmEntityExpansion, never, CrmEntityExpansion>
  }
  'crm-entities.create-comment': { input: CrmEntitiesCreateCommentInput; answer: Comment }
  'crm-entities.delete': { input: CrmEntitiesDeleteInput; answer: null }
  'crm-entities.delete-by-external-id': { input: CrmEntitiesDeleteByExternalIdInput; answer: null }
  'crm-entities.delete-comment': { input: CrmEntitiesDeleteCommentInput; answer: null }
  'crm-entities.get': {
    input: CrmEntitiesGetInput
    answer: Shown<CrmEntityExpanded, CrmEntityExpansion, never, CrmEntityExpansion>
  }
  'crm-entities.get-by-external-id': {
    input: CrmEntitiesGetByExternalIdInput
    answer: Shown<CrmEntityExpanded, CrmEntityExpansion, never, CrmEntityExpansion>
  }
  'crm-entities.get-comment': { input: CrmEntitiesGetCommentInput; answer: Comment }
  'crm-entities.history': {
    input: CrmEntitiesHistoryInput
    answer: Page<{
      field: string
      from: unknown
      to: unknown
      changedAt: string
      actor: Actor
      version: number | null
      eventId: string
      sequence: number
    }>
  }
  'crm-entities.list': {
    input: CrmEntitiesListInput
    answer: Page<Shown<CrmEntityExpanded, CrmEntityExpansion, never, CrmEntityExpansion>>
  }
  'crm-entities.list-comments': { input: CrmEntitiesListCommentsInput; answer: Page<Comment> }
  'crm-entities.merge': { input: CrmEntitiesMergeInput; answer: CrmEntity }
  'crm-entities.purge': { input: CrmEntitiesPurgeInput; answer: null }
  'crm-entities.remove-external-id': { input: CrmEntitiesRemoveExternalIdInput; answer: CrmEntity }
  'crm-entities.restore': {
    input: CrmEntitiesRestoreInput
    answer: Shown<CrmEntityExpanded, CrmEntityExpansion, never, CrmEntityExpansion>
  }
  'crm-entities.set-external-id': { input: CrmEntitiesSetExternalIdInput; answer: CrmEntity }
  'crm-entities.update': {
    input: CrmEntitiesUpdateInput
    answer: Shown<CrmEntityExpanded, CrmEntityExpansion, never, CrmEntityExpansion>
  }
  'crm-entities.update-comment': { input: CrmEntitiesUpdateCommentInput; answer: Comment }
  'crm-entities.upsert': {
    input: CrmEntitiesUpsertInput
    answer: Shown<CrmEntityExpanded, CrmEntityExpansion, never, CrmEntityExpansion> & {
      outcome: 'created' | 'updated' | 'unchanged' | 'skipped' | 'restored'
      matchedBy: string | null
    }
  }
  'custom-fields.archive': { input: CustomFieldsArchiveInput; answer: null }
  'custom-fields.create': { input: CustomFieldsCreateInput; answer: CustomField }
  'custom-fields.get': { input: CustomFieldsGetInput; answer: CustomField }
  'custom-fields.list': { input: CustomFieldsListInput; answer: Page<CustomField> }
  'custom-fields.unarchive': { input: CustomFieldsUnarchiveInput; answer: CustomField }
  'custom-fields.update': { input: CustomFieldsUpdateInput; answer: CustomField }
  'deliveries.attempts': { input: DeliveriesAttemptsInput; answer: Page<Attempt> }
  'deliveries.cancel-replay-job': { input: DeliveriesCancelReplayJobInput; answer: null }
  'deliveries.get': { input: DeliveriesGetInput; answer: Delivery }
  'deliveries.get-replay-job': { input: DeliveriesGetReplayJobInput; answer: ReplayJob }
  'deliveries.list': { input: DeliveriesListInput; answer: Page<Delivery> }
  'deliveries.replay': { input: DeliveriesReplayInput; answer: Delivery }
  'deliveries.replay-many': {
    input: DeliveriesReplayManyInput
    answer:
      | ReplayJob
      | {
          object: 'replay_estimate'
          workspaceId: string
          filter: {
            webhookId?: string
            eventTypes?: string[]
            status?: DeliveryStatus[]
            createdAfter?: string
            createdBefore?: string
            ids?: string[]
          }
          perMinute: number | null
          total: number
          leftOut: { paused: number; disabled: number; deleted: number; ungranted: number }
        }
  }
  'documents.batch': {
    input: DocumentsBatchInput
    answer: { results: BatchResult<Shown<DocumentExpanded, DocumentExpansion, never, DocumentExpansion>, Problem>[] }
  }
  'documents.count': {
    input: DocumentsCountInput
    answer: {
      total: number
      sums?: { currency: string | null; sum: string }[]
      groups: {
        value: string | null
        values?: (string | null)[]
        count: number
        sums?: { currency: string | null; sum: string }[]
      }[]
      moreGroups: number
    }
  }
  'documents.create': {
    input: DocumentsCreateInput
    answer: Shown<DocumentExpanded, DocumentExpansion, never, DocumentExpansion>
  }
  'documents.delete': { input: DocumentsDeleteInput; answer: null }
  'documents.delete-by-external-id': { input: DocumentsDeleteByExternalIdInput; answer: null }
  'documents.edit': {
    input: DocumentsEditInput
    answer: {
      id: string
      object: 'document'
      workspaceId: string
      version: number
      createdAt: string
      updatedAt: string
      createdBy: Author
      updatedBy: Actor
      deletedAt: string | null
      imported: {
        importedAt: string
        importedBy: Actor
        updatedAt: string | null
        createdBy: { name: string; email: string | null } | null
      } | null
      title: string
      summary: string | null
      folder: string | null
      tags: string[]
      status: DocumentStatus
      crmEntityId: string | null
      projectId: string | null
      fileIds: string[]
      externalSource: string | null
      externalId: string | null
      externalIds: { source: string; id: string }[]
      wordCount: number
      checksum: string
      replacements: number[]
    }
  }
  'documents.get': {
    input: DocumentsGetInput
    answer: Shown<DocumentExpanded, DocumentExpansion, never, DocumentExpansion>
  }
  'documents.get-by-external-id': {
    input: DocumentsGetByExternalIdInput
    answer: Shown<DocumentExpanded, DocumentExpansion, never, DocumentExpansion>
  }
  'documents.history': {
    input: DocumentsHistoryInput
    answer: Page<{
      field: string
      from: unknown
      to: unknown
      changedAt: string
      actor: Actor
      version: number | null
      eventId: string
      sequence: number
    }>
  }
  'documents.list': {
    input: DocumentsListInput
    answer: Page<Shown<DocumentExpanded, DocumentExpansion, never, DocumentExpansion>>
  }
  'documents.purge': { input: DocumentsPurgeInput; answer: null }
  'documents.read-content': {
    input: DocumentsReadContentInput
    answer: {
      id: string
      object: 'document_content'
      version: number
      title: string
      text: string
      fromLine: number
      toLine: number
      nextLine: number | null
      totalLines: number
      totalBytes: number
      outline: { section: string; level: number; title: string; fromLine: number; toLine: number }[]
      headingCount: number
    }
  }
  'documents.remove-external-id': { input: DocumentsRemoveExternalIdInput; answer: Document }
  'documents.restore': {
    input: DocumentsRestoreInput
    answer: Shown<DocumentExpanded, DocumentExpansion, never, DocumentExpansion>
  }
  'documents.set-external-id': { input: DocumentsSetExternalIdInput; answer: Document }
  'documents.update': {
    input: DocumentsUpdateInput
    answer: Shown<DocumentExpanded, DocumentExpansion, never, DocumentExpansion>
  }
  'documents.upsert': {
    input: DocumentsUpsertInput
    answer: Shown<DocumentExpanded, DocumentExpansion, never, DocumentExpansion> & {
      outcome: 'created' | 'updated' | 'unchanged' | 'skipped' | 'restored'
      matchedBy: string | null
    }
  }
  'event-types.list': {
    input: Record<string, never>
    answer: { data: { type: string; summary: string; scope: string; schema: Record<string, unknown> }[] }
  }
  'event-types.trigger': { input: EventTypesTriggerInput; answer: { eventId: string; eventType: string } }
  'events.get': { input: EventsGetInput; answer: EventRecord }
  'events.list': { input: EventsListInput; answer: { data: EventRecord[]; lastSequence: number; hasMore: boolean } }
  'files.create': {
    input: FilesCreateInput
    answer: {
      id: string
      object: 'file'
      workspaceId: string
      version: number
      createdAt: string
      updatedAt: string
      createdBy: Actor
      updatedBy: Actor
      deletedAt: string | null
      name: string
      bytes: number
      type: string
      detectedType: string | null
      sha256: string | null
      status: FileStatus
      uploadedAt: string | null
      quarantineReason: string | null
      upload: UploadAddress
    }
  }
  'files.create-download-address': { input: FilesCreateDownloadAddressInput; answer: DownloadAddress }
  'files.delete': { input: FilesDeleteInput; answer: null }
  'files.download': { input: FilesDownloadInput; answer: Response }
  'files.get': { input: FilesGetInput; answer: File }
  'files.list': { input: FilesListInput; answer: Page<File> }
  'files.purge': { input: FilesPurgeInput; answer: null }
  'files.quarantine': { input: FilesQuarantineInput; answer: File }
  'files.release': { input: FilesReleaseInput; answer: File }
  'files.restore': { input: FilesRestoreInput; answer: File }
  'files.upload': { input: FilesUploadInput; answer: null }
  'jobs.cancel': { input: JobsCancelInput; answer: Job }
  'jobs.create': {
    input: JobsCreateInput
    answer:
      | Job
      | {
          object: 'job_estimate'
          workspaceId: string
          kind: 'export' | 'import' | 'update' | 'delete'
          request: Record<string, unknown>
          total: number
        }
  }
  'jobs.get': { input: JobsGetInput; answer: Job }
  'jobs.list': { input: JobsListInput; answer: Page<Job> }
  'jobs.refusals': { input: JobsRefusalsInput; answer: Response }
  'jobs.result': { input: JobsResultInput; answer: Response }
  'me.get': { input: Record<string, never>; answer: Me }
  'me.rotate': { input: MeRotateInput; answer: ApiKeyWithSecret }
  'members.get': { input: MembersGetInput; answer: Member }
  'members.list': {
    input: MembersListInput
    answer: Page<Member | { id: string; object: 'member'; version: number; deletedAt: string }>
  }
  'projects.archive': { input: ProjectsArchiveInput; answer: Project }
  'projects.batch': {
    input: ProjectsBatchInput
    answer: { results: BatchResult<Shown<ProjectExpanded, ProjectExpansion, never, ProjectExpansion>, Problem>[] }
  }
  'projects.count': {
    input: ProjectsCountInput
    answer: {
      total: number
      sums?: { currency: string | null; sum: string }[]
      groups: {
        value: string | null
        values?: (string | null)[]
        count: number
        sums?: { currency: string | null; sum: string }[]
      }[]
      moreGroups: number
    }
  }
  'projects.create': {
    input: ProjectsCreateInput
    answer: Shown<ProjectExpanded, ProjectExpansion, never, ProjectExpansion>
  }
  'projects.create-comment': { input: ProjectsCreateCommentInput; answer: Comment }
  'projects.delete': { input: ProjectsDeleteInput; answer: null }
  'projects.delete-by-external-id': { input: ProjectsDeleteByExternalIdInput; answer: null }
  'projects.delete-comment': { input: ProjectsDeleteCommentInput; answer: null }
  'projects.get': { input: ProjectsGetInput; answer: Shown<ProjectExpanded, ProjectExpansion, never, ProjectExpansion> }
  'projects.get-by-external-id': {
    input: ProjectsGetByExternalIdInput
    answer: Shown<ProjectExpanded, ProjectExpansion, never, ProjectExpansion>
  }
  'projects.get-comment': { input: ProjectsGetCommentInput; answer: Comment }
  'projects.history': {
    input: ProjectsHistoryInput
    answer: Page<{
      field: string
      from: unknown
      to: unknown
      changedAt: string
      actor: Actor
      version: number | null
      eventId: string
      sequence: number
    }>
  }
  'projects.list': {
    input: ProjectsListInput
    answer: Page<Shown<ProjectExpanded, ProjectExpansion, never, ProjectExpansion>>
  }
  'projects.list-comments': { input: ProjectsListCommentsInput; answer: Page<Comment> }
  'projects.list-tasks': {
    input: ProjectsListTasksInput
    answer: Page<Shown<TaskExpanded, TaskExpansion, never, TaskExpansion>>
  }
  'projects.purge': { input: ProjectsPurgeInput; answer: null }
  'projects.remove-external-id': { input: ProjectsRemoveExternalIdInput; answer: Project }
  'projects.restore': {
    input: ProjectsRestoreInput
    answer: Shown<ProjectExpanded, ProjectExpansion, never, ProjectExpansion>
  }
  'projects.set-external-id': { input: ProjectsSetExternalIdInput; answer: Project }
  'projects.unarchive': { input: ProjectsUnarchiveInput; answer: Project }
  'projects.update': {
    input: ProjectsUpdateInput
    answer: Shown<ProjectExpanded, ProjectExpansion, never, ProjectExpansion>
  }
  'projects.update-comment': { input: ProjectsUpdateCommentInput; answer: Comment }
  'projects.upsert': {
    input: ProjectsUpsertInput
    answer: Shown<ProjectExpanded, ProjectExpansion, never, ProjectExpansion> & {
      outcome: 'created' | 'updated' | 'unchanged' | 'skipped' | 'restored'
      matchedBy: string | null
    }
  }
  'requests.get': { input: RequestsGetInput; answer: LoggedRequest }
  'requests.list': { input: RequestsListInput; answer: Page<LoggedRequest> }
  'resources.list': { input: ResourcesListInput; answer: Page<Resource> }
  'resources.read': {
    input: ResourcesReadInput
    answer: {
      object: 'resource'
      uri: string
      name: string
      title: string
      description: string
      mimeType: 'text/markdown' | 'application/json'
      kind: 'overview' | 'members' | 'labels' | 'custom_fields' | 'view' | 'glossary'
      size: number
      updatedAt: string | null
      text: string
    }
  }
  'search.query': {
    input: SearchQueryInput
    answer: {
      data: {
        type: 'projects' | 'tasks' | 'crm-entities' | 'documents'
        id: string
        title: string
        identifier: string | null
        kind: string | null
        status: string | null
        score: number
        snippet: string | null
        updatedAt: string
      }[]
      hasMore: boolean
    }
  }
  'tasks.batch': {
    input: TasksBatchInput
    answer: { results: BatchResult<Shown<TaskExpanded, TaskExpansion, never, TaskExpansion>, Problem>[] }
  }
  'tasks.count': {
    input: TasksCountInput
    answer: {
      total: number
      sums?: { currency: string | null; sum: string }[]
      groups: {
        value: string | null
        values?: (string | null)[]
        count: number
        sums?: { currency: string | null; sum: string }[]
      }[]
      moreGroups: number
    }
  }
  'tasks.create': { input: TasksCreateInput; answer: Shown<TaskExpanded, TaskExpansion, never, TaskExpansion> }
  'tasks.create-comment': { input: TasksCreateCommentInput; answer: Comment }
  'tasks.delete': { input: TasksDeleteInput; answer: null }
  'tasks.delete-by-external-id': { input: TasksDeleteByExternalIdInput; answer: null }
  'tasks.delete-comment': { input: TasksDeleteCommentInput; answer: null }
  'tasks.get': { input: TasksGetInput; answer: Shown<TaskExpanded, TaskExpansion, never, TaskExpansion> }
  'tasks.get-by-external-id': {
    input: TasksGetByExternalIdInput
    answer: Shown<TaskExpanded, TaskExpansion, never, TaskExpansion>
  }
  'tasks.get-comment': { input: TasksGetCommentInput; answer: Comment }
  'tasks.history': {
    input: TasksHistoryInput
    answer: Page<{
      field: string
      from: unknown
      to: unknown
      changedAt: string
      actor: Actor
      version: number | null
      eventId: string
      sequence: number
    }>
  }
  'tasks.list': { input: TasksListInput; answer: Page<Shown<TaskExpanded, TaskExpansion, never, TaskExpansion>> }
  'tasks.list-comments': { input: TasksListCommentsInput; answer: Page<Comment> }
  'tasks.purge': { input: TasksPurgeInput; answer: null }
  'tasks.remove-external-id': { input: TasksRemoveExternalIdInput; answer: Task }
  'tasks.restore': { input: TasksRestoreInput; answer: Shown<TaskExpanded, TaskExpansion, never, TaskExpansion> }
  'tasks.set-external-id': { input: TasksSetExternalIdInput; answer: Task }
  'tasks.update': { input: TasksUpdateInput; answer: Shown<TaskExpanded, TaskExpansion, never, TaskExpansion> }
  'tasks.update-comment': { input: TasksUpdateCommentInput; answer: Comment }
  'tasks.upsert': {
    input: TasksUpsertInput
    answer: Shown<TaskExpanded, TaskExpansion, never, TaskExpansion> & {
      outcome: 'created' | 'updated' | 'unchanged' | 'skipped' | 'restored'
      matchedBy: string | null
    }
  }
  'webhooks.create': { input: WebhooksCreateInput; answer: WebhookWithSecret }
  'webhooks.delete': { input: WebhooksDeleteInput; answer: null }
  'webhooks.enable': { input: WebhooksEnableInput; answer: Webhook }
  'webhooks.get': { input: WebhooksGetInput; answer: Webhook }
  'webhooks.get-inspected-request': { input: WebhooksGetInspectedRequestInput; answer: InspectedRequestWithBody }
  'webhooks.list': { input: WebhooksListInput; answer: Page<Webhook> }
  'webhooks.list-inspected-requests': {
    input: WebhooksListInspectedRequestsInput
    answer: { data: InspectedRequest[] }
  }
  'webhooks.pause': { input: WebhooksPauseInput; answer: Webhook }
  'webhooks.recover': { input: WebhooksRecoverInput; answer: ReplayJob }
  'webhooks.resume': { input: WebhooksResumeInput; answer: Webhook }
  'webhooks.revoke-grants': { input: WebhooksRevokeGrantsInput; answer: Webhook }
  'webhooks.rotate-secret': { input: WebhooksRotateSecretInput; answer: WebhookWithSecret }
  'webhooks.stats': { input: WebhooksStatsInput; answer: WebhookStats }
  'webhooks.test': { input: WebhooksTestInput; answer: { eventId: string; deliveryId: string } }
  'webhooks.update': { input: WebhooksUpdateInput; answer: ChangedWebhook }
  'workspaces.get-current': { input: Record<string, never>; answer: WorkspaceWithUsage }
  'workspaces.reset': { input: Record<string, never>; answer: Workspace }
  'workspaces.update-current': { input: WorkspacesUpdateCurrentInput; answer: Workspace }
}
