// A legal hold: while a workspace has one, nothing of its data is removed.
import { Type, type Static } from 'typebox'
import { operation, tag } from './operation.ts'
import { pageInput, pageOf } from './pagination.ts'
import { Actor, Id, Timestamp, closed } from './shared-fields.ts'

export const legalHoldsTag = tag('legal-holds', 'Workspaces whose data must be kept, set by the operator.')

export const LegalHold = closed({
  id: Type.String({ ...Id, description: 'The id of the workspace.' }),
  object: Type.Literal('legal_hold'),
  reason: Type.String({
    minLength: 1,
    maxLength: 500,
    format: 'line',
    description: 'Such as the number of a case. The audit log of the workspace shows it to its owners.',
  }),
  createdAt: Timestamp,
  createdBy: Actor,
})
export type LegalHold = Static<typeof LegalHold>

export const setLegalHold = operation({
  name: 'legal-holds.set',
  http: 'PUT /legal-holds/{id}',
  summary: 'Set a legal hold',
  description:
    'Until it is released, nothing of the workspace is purged: events, deliveries, audit entries, deleted objects and files are kept beyond their time. Purges and the deletion of the workspace fail with `legal_hold`; a scheduled deletion waits. Reads, changes and deletions that can be undone still work. Setting a hold again replaces the reason.',
  audiences: ['settings'],
  tenancy: 'none',
  scope: 'workspaces:write',
  input: closed({ id: LegalHold.properties.id, reason: LegalHold.properties.reason }),
  output: LegalHold,
  success: 200,
  errors: ['not_found', 'invalid_transition'],
  audited: true,
})

export const releaseLegalHold = operation({
  name: 'legal-holds.release',
  http: 'DELETE /legal-holds/{id}',
  summary: 'Release a legal hold',
  description: 'What became due meanwhile is purged within the hour. Succeeds if there is no hold.',
  audiences: ['settings'],
  tenancy: 'none',
  scope: 'workspaces:write',
  input: closed({ id: LegalHold.properties.id }),
  output: Type.Null(),
  success: 204,
  errors: ['not_found'],
  audited: true,
})

export const listLegalHolds = operation({
  name: 'legal-holds.list',
  http: 'GET /legal-holds',
  summary: 'List legal holds',
  description: 'All that are set, in the order in which their workspaces were created.',
  audiences: ['settings'],
  tenancy: 'none',
  scope: 'workspaces:read',
  input: closed(pageInput),
  output: pageOf(LegalHold),
  success: 200,
  errors: ['invalid_cursor', 'cursor_mismatch', 'cursor_outdated'],
})
