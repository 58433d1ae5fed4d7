// Faults of valid requests that do not fit the state of the objects.
import type { FaultCode } from './fault.ts'
import { projectStatuses } from '../projects.ts'
import { help, type Help } from './help-entry.ts'
import { exampleId } from '../example-values.ts'

const id = exampleId('projectId')
const project = `/api/v1/projects/${id}`

export const objectFaults = {
  not_found: help(
    'The workspace has no such object: it never had one, it is deleted, or it belongs to another workspace. Which of these it is, is not told.',
    'Check the id and the workspace of the key. A deleted object can be restored for 30 days.',
    'No project has this id.',
    {},
    project,
  ),
  duplicate: help(
    'Another object has a value that only one may have, such as an `externalId`, a domain or the key of a project. `field` names it, and `existingId` the other object, where the key may know.',
    'Change the object that there is in place of making one, or send another value. To make or change by your own id, use the upsert.',
    'Another object has this `key`.',
    { field: 'key', existingId: id },
  ),
  invalid_transition: help(
    'The state that the object is in does not allow this change.',
    'Read the object again. `allowed` lists the states that it can go to, where there are any.',
    'A document that is archived cannot become published.',
    { from: 'archived', to: 'published', allowed: ['draft'] },
    `/api/v1/documents/${exampleId('documentId')}`,
  ),
  project_archived: help(
    'The project is archived. What is in it can be read and not changed.',
    'Unarchive the project first (`POST /projects/{id}/unarchive`), or leave it as it is.',
    'The project is archived: its tasks can be read, not changed.',
    { hint: 'Take the project out of the archive first.' },
    '/api/v1/tasks',
  ),
  not_deleted: help(
    'The object is not deleted, so there is nothing to restore.',
    'Nothing has to be done.',
    'This project is not deleted.',
    {},
    `${project}/restore`,
  ),
  idempotency_in_progress: help(
    'The first request with this `Idempotency-Key` is still running.',
    'Send the same request again after `Retry-After` seconds: it is then answered as the first one was.',
    'The first request with this Idempotency-Key is still running.',
    { retryAfterSeconds: 1 },
  ),
  limit_reached: help(
    'There are as many of these as there may be at once. `limit` says how many.',
    'Remove one that is not needed any more, or wait until one has ended.',
    'A target has at most 100 custom fields that are not archived.',
    { limit: 100 },
    '/api/v1/custom-fields',
  ),
  quota_reached: help(
    'The workspace holds as much of something as it may: `quota` says of what. `GET /workspaces/current` shows the quotas and what is used of each.',
    'Remove what is not needed any more, or ask the operator to raise the quota. `eventsPerDay` begins anew at midnight, UTC.',
    'The workspace has as many webhooks as it may have.',
    {
      quota: 'webhooks',
      hint: 'Remove what is not needed any more, or ask the operator to raise the quota.',
    },
    '/api/v1/webhooks',
  ),
  cursor_expired: help(
    'The place in the feed from which you read on is older than what is kept. Events in between are gone, so that reading on would miss changes.',
    'Make the copy anew: read everything once, then follow the feed from there.',
    'Events up to the sequence 1041 are no longer kept.',
    {
      hint: 'Synchronise in full with `updatedAfter`, then read on from the `lastSequence` of a call without `after`.',
      oldestKept: 1_042,
    },
    '/api/v1/events',
  ),
  purged: help(
    'The object was deleted too long ago, or purged since: it cannot be restored.',
    'Create it anew.',
    'It was deleted more than 30 days ago.',
    {},
    `${project}/restore`,
  ),
  precondition_failed: help(
    'A condition that the call was sent with does not hold: `If-None-Match: *` where the object exists, or `If-Match` where it does not. Nothing was changed.',
    'Read the object at the address of the call, and decide by what is there now.',
    'The object exists, and is only to be made where it does not.',
    { existingId: id, currentVersion: 3 },
    '/api/v1/projects/by-external-id/erp/4711',
  ),
  version_mismatch: help(
    'Somebody else has changed the object since you read it, so that your change, made for the version in `If-Match`, was left out.',
    'Read the object again, apply your change to what is there now, and send it with the new `ETag`.',
    'The object has version 4 by now, which `If-Match` does not name.',
    { currentVersion: 4 },
    project,
  ),
  validation_failed: help(
    'The body could be read, and some of its values cannot stand there. Nothing was changed.',
    'Correct each value that `errors` names: `pointer` says where it is, `code` what is wrong with it.',
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
    'The body has a field that the operation does not have. Nothing is dropped, so that a misspelt field cannot be lost unseen.',
    'Correct or remove each field that `errors` names. `detail` suggests the nearest name.',
    '/nmae: Unknown field. Did you mean `name`?',
    { errors: [{ pointer: '/nmae', code: 'unknown', detail: 'Unknown field. Did you mean `name`?' }] },
  ),
  reference_not_found: help(
    'A field names an object that the workspace does not have, or that is deleted.',
    'Correct each id that `errors` names, or make the object first.',
    '`projectId` names an object that this workspace does not have.',
    { errors: [{ pointer: '/projectId', code: 'not_found', detail: 'Does not exist in this workspace.' }] },
    '/api/v1/tasks',
  ),
  idempotency_key_reused: help(
    'The same `Idempotency-Key` was sent before with another request. One key stands for one request.',
    'Make a new key for each new request, and send the old one only to repeat the very same request.',
    'This Idempotency-Key was sent with another request.',
  ),
  batch_failed: help(
    'The batch was `atomic`, and some of its items were refused, so that none of it was done.',
    'Correct the items that `results` names and send the batch again, or leave `atomic` out to have each item succeed or fail on its own.',
    '1 of 2 items were refused; nothing was changed.',
    { results: [{ index: 1, status: 404, problem: { code: 'not_found', detail: 'No project has this id.' } }] },
    '/api/v1/projects/batch',
  ),
  depends_on_failed: help(
    'The item needs what an earlier item of the same batch would have made or changed, and that one was refused.',
    'Correct the item that `failedIndex` names, then send both again. `reason` is the code that the item has by itself.',
    'No project has this id: item 0, which would have made it, was refused.',
    { failedIndex: 0, reason: 'not_found' },
    '#/items/1',
  ),
} satisfies Partial<Record<FaultCode, Help>>
