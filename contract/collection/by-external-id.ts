// Objects of a collection by the id that they have in the caller's own system: get, upsert, delete.
import { Type } from 'typebox'
import { ExpectedVersion, ExternalId, ExternalSource, closed } from '../shared-fields.ts'
import { operation } from '../operation.ts'
import { expandParameter, includeDeletedParameter } from '../list-parameters.ts'
import { bodyLimitOf, scope, upsertOf, type Declaration } from './declaration.ts'

const inPath = { source: ExternalSource, externalId: ExternalId }

export const getByExternalId = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.get-by-external-id` as `${D['segment']}.get-by-external-id`,
    http: `GET /${declared.segment}/by-external-id/{source}/{externalId}`,
    summary: `Get a ${declared.singular} by your own id`,
    description: `One ${declared.singular} by the id that it has in the system it came from.`,
    scope: scope(declared, 'read'),
    input: closed({ ...inPath, ...includeDeletedParameter, ...expandParameter(declared.expansions) }),
    output: declared.expanded,
    success: 200,
    errors: ['not_found', 'purged', 'insufficient_scope'],
  })

export const upsert = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.upsert` as `${D['segment']}.upsert`,
    http: `PUT /${declared.segment}/by-external-id/{source}/{externalId}`,
    summary: `Create or change a ${declared.singular} by your own id`,
    description:
      '201 where it was made. Where it exists the given fields are set and the others stay; `If-None-Match: *` then refuses with 412, and `If-Match: *` where it does not.',
    scope: scope(declared, 'write'),
    input: closed({
      ...inPath,
      expectedVersion: Type.Optional(ExpectedVersion),
      createOnly: Type.Optional(Type.Boolean({ default: false, description: 'Refuse where it exists.' })),
      ...upsertOf(declared),
    }),
    emptyTextIsNull: true,
    output: declared.resource,
    success: 200,
    creates: true,
    errors: [
      ...(['not_found', 'duplicate', 'invalid_transition', 'reference_not_found'] as const),
      ...(['version_mismatch', 'precondition_failed', 'project_archived'] as const),
      ...(declared.writeErrors ?? []),
    ],
    emits: [
      declared.events.created as D['events']['created'],
      declared.events.updated as D['events']['updated'],
      ...(declared.alsoEmits ?? []),
    ],
    ...bodyLimitOf(declared),
  })

export const deleteByExternalId = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.delete-by-external-id` as `${D['segment']}.delete-by-external-id`,
    http: `DELETE /${declared.segment}/by-external-id/{source}/{externalId}`,
    summary: `Delete a ${declared.singular} by your own id`,
    description: 'It can be restored for 30 days. Deleting it again changes nothing.',
    scope: scope(declared, 'delete'),
    input: closed({ ...inPath, expectedVersion: Type.Optional(ExpectedVersion) }),
    output: Type.Null(),
    success: 204,
    errors: ['not_found', 'version_mismatch', 'project_archived'],
    emits: [declared.events.deleted as D['events']['deleted']],
  })
