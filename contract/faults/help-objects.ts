// Faults of valid requests that do not fit the state of the objects.
import type { FaultCode } from './fault.ts'
import { projectStatuses } from '../projects.ts'
import { help, type Help } from './help-entry.ts'
import { exampleId } from '../example-values.ts'

const id = exampleId('projectId')
const file = `/api/v1/files/${exampleId('fileId')}`
const project = `/api/v1/projects/${id}`

export const objectFaults = {
  not_found: help(
    'There is no such object in this workspace. The object never existed, was deleted, or belongs to another workspace. The response does not say which.',
    'Check the ID and the workspace of the key. A deleted object can be restored for 30 days.',
    'No project has this ID.',
    {},
    project,
  ),
  duplicate: help(
    'Another object already has this value. Some values must be unique, such as an `externalId`, a domain or a project key. `field` is the name of the field. `existingId` is the ID of the other object, if your API key can read it.',
    'Change the existing object instead of creating one, or send another value. To create or change an object by the ID that it has in your system, use the upsert.',
    'Another object has this `key`.',
    { field: 'key', existingId: id },
  ),
  ambiguous_match: help(
    'The upsert matches several objects. `candidates` lists the IDs of up to ten.',
    'Merge the objects, or change the right one by its ID and give it an external ID (`PUT …/{id}/external-ids/{source}`).',
    'More than one object matches the values of `phones`.',
    { field: 'phones', candidates: [id, exampleId('companyId')] },
    '/api/v1/crm-entities/by-external-id/erp/4711',
  ),
  invalid_transition: help(
    'The object cannot change from its current state to the requested one.',
    'Read the object again. `allowed` lists the states that it can change to, if there are any.',
    'A document that is archived cannot become published.',
    { from: 'archived', to: 'published', allowed: ['draft'] },
    `/api/v1/documents/${exampleId('documentId')}`,
  ),
  project_archived: help(
    'The project is archived. Its content can be read but not changed.',
    'Unarchive the project first (`POST /projects/{id}/unarchive`).',
    'The project is archived: its tasks can be read, not changed.',
    { hint: 'Unarchive the project first.' },
    '/api/v1/tasks',
  ),
  sandbox_only: help(
    'This is possible only in a sandbox, and the workspace of the request is not a sandbox.',
    'Use a key of a sandbox. Its secret begins with `wsk_test_`. Admins can create sandboxes in the workspace settings. An existing workspace cannot be turned into a sandbox.',
    'The inspector (the built-in test endpoint) receives webhooks of sandboxes only.',
    {},
    '/api/v1/webhooks',
  ),
  not_deleted: help(
    'The object is not deleted, so there is nothing to restore.',
    'No action is needed.',
    'This project cannot be restored, because it is not deleted.',
    {},
    `${project}/restore`,
  ),
  idempotency_in_progress: help(
    'An earlier request with the same `Idempotency-Key` has not finished yet.',
    'Send the same request again after `Retry-After` seconds: it then gets the response of the earlier one.',
    'The earlier request with this Idempotency-Key is still running.',
    { retryAfterSeconds: 1 },
  ),
  file_not_available: help(
    'The file has not been uploaded yet, is on hold until a scanner releases it, or is quarantined. `fileStatus` says which.',
    'Upload the file, or wait for the event `files.released`. A quarantined file cannot be downloaded.',
    'This file is on hold until it is released.',
    { fileStatus: 'held' },
    `${file}/content`,
  ),
  content_mismatch: help(
    'The size, SHA-256 or type of the upload differs from what was declared when the file was created. `mismatch` says which one, and `expected` and `received` contain the values. The upload was discarded.',
    'Upload the correct file to the same URL before it expires, or create another file.',
    'The SHA-256 of the upload differs from the declared one.',
    { mismatch: 'sha256', expected: 'e3b0c442…', received: '9f86d081…' },
    `${file}/content`,
  ),
  legal_hold: help(
    'The operator has set a legal hold, so nothing can be permanently deleted: objects cannot be purged, and the workspace cannot be deleted. Objects can still be deleted, and restored later.',
    'Ask the operator. When the hold is released, send the request again.',
    'The operator has set a legal hold: nothing in this workspace can be permanently deleted.',
    {},
    `${project}/purge`,
  ),
  limit_reached: help(
    'The maximum number of these objects is reached. `limit` is the maximum.',
    'Delete or archive an object that is no longer needed. For jobs, wait until one has finished.',
    'An object type can have at most 100 custom fields that are not archived.',
    { limit: 100 },
    '/api/v1/custom-fields',
  ),
  quota_reached: help(
    'A quota of the workspace is used up; `quota` names it. `GET /workspaces/current` shows the quotas and how much of each is used.',
    'Remove what is no longer needed, or ask the operator to raise the quota. `eventsPerDay` is reset at midnight, UTC.',
    'The workspace has reached its quota of webhooks.',
    {
      quota: 'webhooks',
      hint: 'Remove what is no longer needed, or ask the operator to raise the quota.',
    },
    '/api/v1/webhooks',
  ),
  cursor_expired: help(
    'The position in the event feed is older than the oldest kept event. The events in between are deleted, so continuing would miss changes.',
    'If you keep a copy of the data, rebuild it: 1. Get the current end of the feed: send a feed request with `occurredAfter` set to a future time. The response contains no events, but its `lastSequence` is the end of the feed. Save this value. 2. Read all objects again. 3. Follow the feed from the saved value.',
    'Events up to sequence 1041 are no longer kept.',
    {
      hint: 'First get the current end of the feed: send a feed request with `occurredAfter` set to a future time, and save `lastSequence` of the response. Then read all objects again, and continue from the saved sequence.',
      oldestKept: 1_042,
    },
    '/api/v1/events',
  ),
  feed_rewound: help(
    'The installation was restored from a backup. All events and changes after the backup are lost, including the event at your position. `restoredAt` is the sequence of the last event in the backup (it is not a time). New events have sequences greater than `continuesAfter`.',
    'Rebuild your copy of the data: 1. Get the current end of the feed: send a feed request with `occurredAfter` set to a future time. The response contains no events, but its `lastSequence` is the end of the feed. Save this value. 2. Read all objects. 3. Delete from your copy what no longer exists. 4. Follow the feed from the saved value.',
    'The installation was restored from a backup, whose last event has sequence 1041. Later events, up to your position, are lost.',
    {
      hint: 'First get the current end of the feed: send a feed request with `occurredAfter` set to a future time, and save `lastSequence` of the response. Then read all objects again, delete from your copy what no longer exists, and continue from the saved sequence.',
      restoredAt: 1_041,
      continuesAfter: 4_601_041,
    },
    '/api/v1/events',
  ),
  purged: help(
    'The object was deleted too long ago, or was purged. It cannot be restored.',
    'Create it again.',
    'It was deleted more than 30 days ago.',
    {},
    `${project}/restore`,
  ),
  precondition_failed: help(
    'Either the request has `If-None-Match: *` and the object exists, or it has `If-Match` and the object does not exist. Nothing was changed.',
    'Read the object at the same URL. Then update it if it exists, or create it if it does not.',
    'The object already exists, so it was not created.',
    { existingId: id, currentVersion: 3 },
    '/api/v1/projects/by-external-id/erp/4711',
  ),
  version_mismatch: help(
    'The object has changed since you read it: its current version does not match `If-Match`. Your change was not applied.',
    'Read the object again, apply your change to its current state, and send it with the new `ETag`.',
    'The object is now at version 4, which does not match `If-Match`.',
    { currentVersion: 4 },
    project,
  ),
  validation_failed: help(
    'The body is valid JSON, but some of its values are invalid. Nothing was changed.',
    'Correct each value that `errors` names: `pointer` is its position, `code` the reason.',
    '/status: This value is not allowed.',
    {
      errors: [
        {
          pointer: '/status',
          code: 'not_in_list',
          detail: 'This value is not allowed.',
          allowed: projectStatuses,
        },
      ],
    },
  ),
  unknown_field: help(
    'The body has a field that the operation does not have. Unknown fields are rejected, because ignoring a misspelt field would lose its value.',
    'Correct or remove each field that `errors` names. `detail` suggests the nearest name.',
    '/nmae: Unknown field. Did you mean `name`?',
    { errors: [{ pointer: '/nmae', code: 'unknown', detail: 'Unknown field. Did you mean `name`?' }] },
  ),
  reference_not_found: help(
    'A field refers to an object that does not exist in this workspace, or that is deleted.',
    'Correct each ID that `errors` names, or create the object first.',
    '`projectId` refers to an object that does not exist in this workspace.',
    { errors: [{ pointer: '/projectId', code: 'not_found', detail: 'Does not exist in this workspace.' }] },
    '/api/v1/tasks',
  ),
  idempotency_key_reused: help(
    'The same `Idempotency-Key` was sent before with another request. One `Idempotency-Key` stands for one request.',
    'Use a new `Idempotency-Key` for each new request. Send the same one again only with exactly the same request.',
    'This Idempotency-Key was sent with another request.',
  ),
  batch_failed: help(
    'The batch was `atomic`, and some of its items failed, so nothing was changed.',
    'Correct the items in `results` and send the batch again, or omit `atomic` so that each item is processed separately.',
    '1 of 2 items failed. Nothing was changed.',
    { results: [{ index: 1, status: 404, problem: { code: 'not_found', detail: 'No project has this ID.' } }] },
    '/api/v1/projects/batch',
  ),
  depends_on_failed: help(
    'This dependent item refers to an earlier item of the same batch, and that item failed.',
    'Correct the earlier item, at index `failedIndex`. Then send both items again. `reason` is the error code of the dependent item.',
    'No project has this ID. This item depends on item 0, which failed.',
    { failedIndex: 0, reason: 'not_found' },
    '#/items/1',
  ),
} satisfies Partial<Record<FaultCode, Help>>
