// Deleting one object of a collection for 30 days, taking that back, and deleting it for good.
import { Type } from 'typebox'
import { ExpectedVersion, closed } from '../shared-fields.ts'
import { operation } from '../operation.ts'
import { referenceTo, scope, type Declaration } from './declaration.ts'

export const remove = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.delete` as `${D['segment']}.delete`,
    http: `DELETE /${declared.segment}/{id}`,
    summary: `Delete a ${declared.singular}`,
    description: 'It can be restored for 30 days. Deleting it again changes nothing.',
    scope: scope(declared, 'delete'),
    input: closed({ id: referenceTo(declared), expectedVersion: Type.Optional(ExpectedVersion) }),
    output: Type.Null(),
    success: 204,
    errors: ['not_found', 'version_mismatch', 'project_archived'],
    emits: [declared.events.deleted as D['events']['deleted']],
  })

export const restore = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.restore` as `${D['segment']}.restore`,
    http: `POST /${declared.segment}/{id}/restore`,
    summary: `Restore a deleted ${declared.singular}`,
    description: 'Brings it back in the state that it had, within 30 days of its deletion.',
    scope: scope(declared, 'write'),
    input: closed({ id: referenceTo(declared) }),
    output: declared.resource,
    success: 200,
    errors: ['not_found', 'not_deleted', 'purged', 'invalid_transition', 'project_archived'],
    emits: [declared.events.restored as D['events']['restored']],
  })

export const purge = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.purge` as `${D['segment']}.purge`,
    http: `POST /${declared.segment}/{id}/purge`,
    summary: `Purge a deleted ${declared.singular}`,
    description:
      'Does at once what the end of the 30 days would: what it held is gone for good, its unique values are free for others, and it cannot be restored. Copies need no word of it, since it was deleted before. Events that tell of it are kept for their 30 days. Purging it again changes nothing.',
    scope: scope(declared, 'delete'),
    input: closed({ id: referenceTo(declared) }),
    output: Type.Null(),
    success: 204,
    errors: ['not_found', 'not_deleted'],
    audited: true,
  })
