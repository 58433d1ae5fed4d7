// Changing one: create, change, delete, restore.
import { Type } from 'typebox'
import { ExpectedVersion, Id, closed } from '../fields.ts'
import { operation } from '../operation.ts'
import { bodyOf, patchOf, scope, type Declaration } from './declaration.ts'

export function writes<D extends Declaration>(declared: D) {
  const { segment, one, resource, events, writeErrors = [], alsoEmits = [] } = declared
  return {
    create: operation({
      name: `${segment}.create` as `${D['segment']}.create`,
      http: `POST /${segment}`,
      summary: `Create a ${one}`,
      description: 'What is left out gets its default.',
      scope: scope(declared, 'write'),
      input: closed(declared.create as D['create']),
      output: resource,
      success: 201,
      errors: ['duplicate', 'reference_not_found', 'project_archived', ...writeErrors],
      emits: [events.created as D['events']['created']],
      tool: { destructive: false, idempotent: false },
      ...bodyOf(declared),
    }),
    update: operation({
      name: `${segment}.update` as `${D['segment']}.update`,
      http: `PATCH /${segment}/{id}`,
      summary: `Change a ${one}`,
      description: 'A JSON Merge Patch: fields left out stay, null clears (a list becomes empty), arrays replace.',
      scope: scope(declared, 'write'),
      input: closed({
        id: Id,
        expectedVersion: Type.Optional(ExpectedVersion),
        ...patchOf(declared),
      }),
      output: resource,
      success: 200,
      errors: [
        'not_found',
        'duplicate',
        'invalid_transition',
        'reference_not_found',
        'version_mismatch',
        'project_archived',
        ...writeErrors,
      ],
      emits: [events.updated as D['events']['updated'], ...alsoEmits],
      tool: { destructive: false, idempotent: true },
      ...bodyOf(declared),
    }),
    remove: operation({
      name: `${segment}.delete` as `${D['segment']}.delete`,
      http: `DELETE /${segment}/{id}`,
      summary: `Delete a ${one}`,
      description: 'It can be restored for 30 days. Deleting it again changes nothing.',
      scope: scope(declared, 'delete'),
      input: closed({ id: Id, expectedVersion: Type.Optional(ExpectedVersion) }),
      output: Type.Null(),
      success: 204,
      errors: ['not_found', 'version_mismatch', 'project_archived'],
      emits: [events.deleted as D['events']['deleted']],
    }),
    restore: operation({
      name: `${segment}.restore` as `${D['segment']}.restore`,
      http: `POST /${segment}/{id}/restore`,
      summary: `Restore a deleted ${one}`,
      description: 'Brings it back in the state that it had, within 30 days of its deletion.',
      scope: scope(declared, 'write'),
      input: closed({ id: Id }),
      output: resource,
      success: 200,
      errors: ['not_found', 'not_deleted', 'purged', 'invalid_transition', 'project_archived'],
      emits: [events.restored as D['events']['restored']],
    }),
    purge: operation({
      name: `${segment}.purge` as `${D['segment']}.purge`,
      http: `POST /${segment}/{id}/purge`,
      summary: `Purge a deleted ${one}`,
      description:
        'Does at once what the end of the 30 days would: what it held is gone for good, its unique values are free for others, and it cannot be restored. Copies need no word of it, since it was deleted before. Events that tell of it are kept for their 30 days. Purging it again changes nothing.',
      scope: scope(declared, 'delete'),
      input: closed({ id: Id }),
      output: Type.Null(),
      success: 204,
      errors: ['not_found', 'not_deleted'],
      audited: true,
    }),
  }
}
