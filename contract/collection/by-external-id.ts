// The same by the caller's own ids.
import { Type } from 'typebox'
import { ExpectedVersion, ExternalId, ExternalSource, closed } from '../fields.ts'
import { operation } from '../operation.ts'
import { expandInput, includeDeletedInput } from '../list-query.ts'
import { bodyOf, scope, upsertOf, type Declaration } from './declaration.ts'

const externalPath = { source: ExternalSource, externalId: ExternalId }

export function byExternalId<D extends Declaration>(declared: D) {
  const { segment, one, resource, shown, expansions, events, writeErrors = [], alsoEmits = [] } = declared
  return {
    getByExternalId: operation({
      name: `${segment}.get-by-external-id` as `${D['segment']}.get-by-external-id`,
      http: `GET /${segment}/by-external-id/{source}/{externalId}`,
      summary: `Get a ${one} by your own id`,
      description: `One ${one} by the id that it has in the system it came from.`,
      scope: scope(declared, 'read'),
      input: closed({ ...externalPath, ...includeDeletedInput, ...expandInput(expansions) }),
      output: shown,
      success: 200,
      errors: ['not_found', 'purged', 'insufficient_scope'],
    }),
    upsert: operation({
      name: `${segment}.upsert` as `${D['segment']}.upsert`,
      http: `PUT /${segment}/by-external-id/{source}/{externalId}`,
      summary: `Create or change a ${one} by your own id`,
      description:
        '201 where it was made. Where it exists the given fields are set and the others stay; `If-None-Match: *` then refuses with 412, and `If-Match: *` where it does not.',
      scope: scope(declared, 'write'),
      input: closed({
        ...externalPath,
        expectedVersion: Type.Optional(ExpectedVersion),
        createOnly: Type.Optional(Type.Boolean({ default: false, description: 'Refuse where it exists.' })),
        ...upsertOf(declared),
      }),
      output: resource,
      success: 200,
      creates: true,
      errors: [
        'not_found',
        'duplicate',
        'invalid_transition',
        'reference_not_found',
        'version_mismatch',
        'precondition_failed',
        'project_archived',
        ...writeErrors,
      ],
      emits: [events.created as D['events']['created'], events.updated as D['events']['updated'], ...alsoEmits],
      ...bodyOf(declared),
    }),
    removeByExternalId: operation({
      name: `${segment}.delete-by-external-id` as `${D['segment']}.delete-by-external-id`,
      http: `DELETE /${segment}/by-external-id/{source}/{externalId}`,
      summary: `Delete a ${one} by your own id`,
      description: 'It can be restored for 30 days. Deleting it again changes nothing.',
      scope: scope(declared, 'delete'),
      input: closed({ ...externalPath, expectedVersion: Type.Optional(ExpectedVersion) }),
      output: Type.Null(),
      success: 204,
      errors: ['not_found', 'version_mismatch', 'project_archived'],
      emits: [events.deleted as D['events']['deleted']],
    }),
  }
}
