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
    'Check the id and the workspace of the key. A deleted object can be restored for 30 days.',
    'No project has this id.',
    {},
    project,
  ),
  duplicate: help(
    'Another object has a value that must be unique, such as an `externalId`, a domain or the key of a project. `field` names the field, and `existingId` the other object, if the key may read it.',
    'Change the existing object instead of creating one, or send another value. To create or change an object by your own id, use the upsert.',
    'Another object has this `key`.',
    { field: 'key', existingId: id },
  ),
  ambiguous_match: help(
    'Several objects have one of the values by which an upsert was to find one. `candidates` lists the ids of up to ten.',
    'Merge the objects, or change the one that is meant by its id and set its own id (`PUT …/{id}/external-ids/{source}`).',
    'Several have one of these `phones`.',
    { field: 'phones', candidates: [id, exampleId('companyId')] },
    '/api/v1/crm-entities/by-external-id/erp/4711',
  ),
  invalid_transition: help(
    'The current state of the object does not allow this change.',
    'Read the object again. `allowed` lists the states that it can change to, if there are any.',
    'A document that is archived cannot become published.',
    { from: 'archived', to: 'published', allowed: ['draft'] },
    `/api/v1/documents/${exampleId('documentId')}`,
  ),
  project_archived: help(
    'The project is archived. Its content can be read but not changed.',
    'Unarchive the project first (`POST /projects/{id}/unarchive`), or leave it as it is.',
    'The project is archived: its tasks can be read, not changed.',
    { hint: 'Take the project out of the archive first.' },
    '/api/v1/tasks',
  ),
  sandbox_only: help(
    'Only sandboxes have this: the workspace of the call is none.',
    'Call it with a key of a sandbox, whose secret begins with `wsk_test_`. Admins make sandboxes in the workspace settings; a workspace cannot become one later.',
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
    'The first request with this `Idempotency-Key` is still running.',
    'Send the same request again after `Retry-After` seconds: it then gets the response of the first one.',
    'The first request with this Idempotency-Key is still running.',
    { retryAfterSeconds: 1 },
  ),
  file_not_available: help(
    'The bytes of the file cannot be read: they have not been uploaded yet, or the file is held until a scanner releases it, or it is quarantined. `fileStatus` says which.',
    'Upload the bytes, or wait for the event `files.released`. A quarantined file stays locked away.',
    'This file is held until it is released.',
    { fileStatus: 'held' },
    `${file}/content`,
  ),
  content_mismatch: help(
    'The uploaded bytes are not those that the file was created with: `mismatch` says whether in size, SHA-256 or type, `expected` and `received` the two values. Nothing of them is kept.',
    'Send the right bytes to the same address while it is valid, or create another file.',
    'The bytes have another SHA-256 than the file was created with.',
    { mismatch: 'sha256', expected: 'e3b0c442…', received: '9f86d081…' },
    `${file}/content`,
  ),
  legal_hold: help(
    'The operator has set a legal hold: nothing of the workspace is removed for good, so a purge and the deletion of the workspace are refused. Objects can still be deleted in a way that can be undone.',
    'Ask the operator. When the hold is released, send the call again.',
    'The operator has set a legal hold: nothing of this workspace is removed for good.',
    {},
    `${project}/purge`,
  ),
  limit_reached: help(
    'The maximum number of these objects is reached. `limit` is the maximum.',
    'Remove one that is no longer needed, or wait until one has ended.',
    'A target has at most 100 custom fields that are not archived.',
    { limit: 100 },
    '/api/v1/custom-fields',
  ),
  quota_reached: help(
    'A quota of the workspace is used up; `quota` names it. `GET /workspaces/current` shows the quotas and how much of each is used.',
    'Remove what is no longer needed, or ask the operator to raise the quota. `eventsPerDay` is reset at midnight, UTC.',
    'The workspace has as many webhooks as it may have.',
    {
      quota: 'webhooks',
      hint: 'Remove what is no longer needed, or ask the operator to raise the quota.',
    },
    '/api/v1/webhooks',
  ),
  cursor_expired: help(
    'The position in the feed is older than the oldest kept event. The events in between are deleted, so continuing would miss changes.',
    'Rebuild the copy: read everything once, then follow the feed from there.',
    'Events up to the sequence 1041 are no longer kept.',
    {
      hint: 'Synchronise in full with `updatedAfter`, then read on from the `lastSequence` of a call without `after`.',
      oldestKept: 1_042,
    },
    '/api/v1/events',
  ),
  feed_rewound: help(
    'The installation was restored from a backup, and the position is of events that came after the backup: they and their changes are no more. `restoredAt` is the last sequence of the backup, and the feed goes on after `continuesAfter`.',
    'Rebuild the copy: note the `lastSequence` of a call with `occurredAfter` in the future, read everything, remove what is not there any more, then follow the feed from the noted position.',
    'The workspace was restored from a backup, whose last event has the sequence 1041. What came after it, up to your position, is no more.',
    {
      hint: 'Read everything again, remove what is not there, then read on from the `lastSequence` of a call with `occurredAfter` in the future that was made before.',
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
    'A condition of the request does not hold: `If-None-Match: *` although the object exists, or `If-Match` although it does not. Nothing was changed.',
    'Read the object at the URL of the call, and decide by its current state.',
    'The object exists, and is to be created only if it does not.',
    { existingId: id, currentVersion: 3 },
    '/api/v1/projects/by-external-id/erp/4711',
  ),
  version_mismatch: help(
    'The object has changed since you read it, so your change for the version in `If-Match` was not applied.',
    'Read the object again, apply your change to its current state, and send it with the new `ETag`.',
    'The object has version 4 by now, which `If-Match` does not name.',
    { currentVersion: 4 },
    project,
  ),
  validation_failed: help(
    'The body is valid JSON, but some of its values are not acceptable. Nothing was changed.',
    'Correct each value that `errors` names: `pointer` is its position, `code` the reason.',
    '/status: Is not an allowed value.',
    {
      errors: [
        {
          pointer: '/status',
          code: 'not_in_list',
          detail: 'Is not an allowed value.',
          allowed: projectStatuses,
        },
      ],
    },
  ),
  unknown_field: help(
    'The body has a field that the operation does not have. Unknown fields are never ignored, so that a misspelt field is not lost.',
    'Correct or remove each field that `errors` names. `detail` suggests the nearest name.',
    '/nmae: Unknown field. Did you mean `name`?',
    { errors: [{ pointer: '/nmae', code: 'unknown', detail: 'Unknown field. Did you mean `name`?' }] },
  ),
  reference_not_found: help(
    'A field names an object that the workspace does not have, or that is deleted.',
    'Correct each id that `errors` names, or create the object first.',
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
    'The batch was `atomic`, and some of its items were refused, so nothing was changed.',
    'Correct the items that `results` names and send the batch again, or leave `atomic` out to have each item succeed or fail on its own.',
    '1 of 2 items were refused; nothing was changed.',
    { results: [{ index: 1, status: 404, problem: { code: 'not_found', detail: 'No project has this id.' } }] },
    '/api/v1/projects/batch',
  ),
  depends_on_failed: help(
    'The item depends on an object that an earlier item of the same batch would have created or changed, and that item was refused.',
    'Correct the item that `failedIndex` names, then send both again. `reason` is the code of the item’s own error.',
    'No project has this id: item 0, which would have created it, was refused.',
    { failedIndex: 0, reason: 'not_found' },
    '#/items/1',
  ),
} satisfies Partial<Record<FaultCode, Help>>
