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
    'The workspace has no such object: it never had one, it is deleted, or it belongs to another workspace. The response does not say which.',
    'Check the ID and the workspace of the key. A deleted object can be restored for 30 days.',
    'No project has this ID.',
    {},
    project,
  ),
  duplicate: help(
    'Another object already has this value, which must be unique, such as an `externalId`, a domain or the key of a project. `field` names the field, and `existingId` the other object, if the key may read it.',
    'Change the existing object instead of creating one, or send another value. To create or change an object by your own ID, use the upsert.',
    'Another object has this `key`.',
    { field: 'key', existingId: id },
  ),
  ambiguous_match: help(
    'The upsert matches several objects. `candidates` lists the IDs of up to ten.',
    'Merge the objects, or change the right one by its ID and give it an external ID (`PUT …/{id}/external-ids/{source}`).',
    'Several objects have one of these `phones`.',
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
    'Unarchive the project first (`POST /projects/{id}/unarchive`), or leave it as it is.',
    'The project is archived: its tasks can be read, not changed.',
    { hint: 'Unarchive the project first.' },
    '/api/v1/tasks',
  ),
  sandbox_only: help(
    'This is possible only in a sandbox, and the workspace of the request is not a sandbox.',
    'Use a key of a sandbox. Its secret begins with `wsk_test_`. Admins can create sandboxes in the workspace settings. An existing workspace cannot be turned into a sandbox.',
    'The inspector receives webhooks of sandboxes only.',
    {},
    '/api/v1/webhooks',
  ),
  not_deleted: help(
    'The object is not deleted, so it cannot be restored.',
    'No action is needed.',
    'This project is not deleted.',
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
    'A target has at most 100 custom fields that are not archived.',
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
    'The position in the feed is older than the oldest kept event. The events in between are deleted, so continuing would miss changes.',
    'If you keep a copy of the data, rebuild it: note the `lastSequence` of a feed request with `occurredAfter` in the future, read all objects again, then follow the feed from the noted position.',
    'Events up to the sequence 1041 are no longer kept.',
    {
      hint: 'First note the `lastSequence` of a feed request with `occurredAfter` in the future. Then read all objects again, and continue from the noted sequence.',
      oldestKept: 1_042,
    },
    '/api/v1/events',
  ),
  feed_rewound: help(
    'The installation was restored from a backup. The events after the backup, and the changes in them, are lost, and your position is among them. `restoredAt` is the sequence of the last event in the backup. New events have a sequence above `continuesAfter`.',
    'Rebuild your copy of the data: 1. Send a feed request with `occurredAfter` in the future and note its `lastSequence`. 2. Read all objects. 3. Delete from your copy what no longer exists. 4. Follow the feed from the noted position.',
    'The workspace was restored from a backup, whose last event has the sequence 1041. Later events, up to your position, are lost.',
    {
      hint: 'First note the `lastSequence` of a feed request with `occurredAfter` in the future. Then read all objects again, delete from your copy what no longer exists, and continue from the noted sequence.',
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
    'The request has `If-None-Match: *`, but the object exists, or it has `If-Match`, but the object does not exist. Nothing was changed.',
    'Read the object at the same URL. Then update it if it exists, or create it if it does not.',
    'The object already exists, so it was not created.',
    { existingId: id, currentVersion: 3 },
    '/api/v1/projects/by-external-id/erp/4711',
  ),
  version_mismatch: help(
    'The object has changed since you read it, so your change for the version in `If-Match` was not applied.',
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
    'A field names an object that the workspace does not have, or that is deleted.',
    'Correct each ID that `errors` names, or create the object first.',
    '`projectId` names an object that this workspace does not have.',
    { errors: [{ pointer: '/projectId', code: 'not_found', detail: 'Does not exist in this workspace.' }] },
    '/api/v1/tasks',
  ),
  idempotency_key_reused: help(
    'The same `Idempotency-Key` was sent before with another request. One key stands for one request.',
    'Use a new key for each new request, and repeat a key only to repeat exactly the same request.',
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
    'The item depends on an earlier item of the same batch, which failed.',
    'Correct the item that `failedIndex` names, then send both again. `reason` is the code of the item’s own error.',
    'No project has this ID. Item 0, on which it depends, failed.',
    { failedIndex: 0, reason: 'not_found' },
    '#/items/1',
  ),
} satisfies Partial<Record<FaultCode, Help>>
