// The ids that an object has in other systems, one after the other: integrations that know nothing of each other set
// their own.
import { Type } from 'typebox'
import { operation } from '../operation.ts'
import { closed, ExpectedVersion, ExternalId, externalIdsMax, ExternalSource } from '../shared-fields.ts'
import { type Declaration, emitted, referenceTo, scope, scopeErrors } from './declaration.ts'

export const setExternalId = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.set-external-id` as `${D['segment']}.set-external-id`,
    http: `PUT /${declared.segment}/{id}/external-ids/{source}`,
    summary: `Set the own id of a ${declared.singular} in one system`,
    description: `The ids in other systems stay; a former id in this one is replaced. At most ${externalIdsMax}. Setting it again changes nothing.`,
    scope: scope(declared, 'write'),
    input: closed({
      id: referenceTo(declared),
      source: ExternalSource,
      externalId: ExternalId,
      expectedVersion: Type.Optional(ExpectedVersion),
    }),
    output: declared.resource,
    success: 200,
    errors: [
      ...(['not_found', 'duplicate', 'limit_reached', 'version_mismatch', 'project_archived'] as const),
      ...scopeErrors(declared),
    ],
    emits: [...emitted(declared, 'updated'), ...(declared.alsoEmits ?? [])],
  })

export const removeExternalId = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.remove-external-id` as `${D['segment']}.remove-external-id`,
    http: `DELETE /${declared.segment}/{id}/external-ids/{source}`,
    summary: `Remove the own id of a ${declared.singular} in one system`,
    description: 'Returns the object. The ids in other systems stay. Removing it again changes nothing.',
    scope: scope(declared, 'write'),
    input: closed({
      id: referenceTo(declared),
      source: ExternalSource,
      expectedVersion: Type.Optional(ExpectedVersion),
    }),
    output: declared.resource,
    success: 200,
    errors: ['not_found', 'version_mismatch', 'project_archived', ...scopeErrors(declared)],
    emits: [...emitted(declared, 'updated'), ...(declared.alsoEmits ?? [])],
  })
