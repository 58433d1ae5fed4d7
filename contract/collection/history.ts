// The changes of one object, field by field, read off its events.
import { Type } from 'typebox'
import { eventsKeptDays } from '../events.ts'
import { operation } from '../operation.ts'
import { pageInput, pageOf } from '../pagination.ts'
import { Actor, Id, Timestamp, Version, closed, nullable } from '../shared-fields.ts'
import { referenceTo, scope, scopeErrors, type Declaration } from './declaration.ts'
import { includeDeletedParameter } from './parameters.ts'

const FieldChange = closed({
  field: Type.String({
    maxLength: 100,
    description: 'The field that was changed. Custom fields are one: `customFields`.',
  }),
  from: Type.Unknown({ description: 'Its value before.' }),
  to: Type.Unknown({ description: 'Its value after the change.' }),
  changedAt: Timestamp,
  actor: Actor,
  version: nullable(Version),
  eventId: Id,
  sequence: Type.Integer({ minimum: 1, description: 'The number of the event in the feed.' }),
})

export const history = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.history` as `${D['segment']}.history`,
    http: `GET /${declared.segment}/{id}/history`,
    summary: `List the changes of a ${declared.singular}`,
    description: `Each change of each field, newest first; changes of one request are in the order of its event. The history covers as long as events are kept, ${eventsKeptDays} days: since \`completeSince\`, nothing is missing. Creating, deleting and restoring change no field; the feed has them.`,
    scope: scope(declared, 'read'),
    input: closed({
      id: referenceTo(declared),
      ...includeDeletedParameter,
      field: Type.Optional(
        Type.Array(Type.Enum(changingFields(declared)), {
          minItems: 1,
          maxItems: changingFields(declared).length,
          uniqueItems: true,
          description: 'Changes of these fields only.',
        }),
      ),
      ...pageInput,
    }),
    output: closed({
      ...pageOf(FieldChange).properties,
      completeSince: Type.String({
        ...Timestamp,
        description: 'No change after this time is missing. The time of creation, if the whole history is kept.',
      }),
    }),
    success: 200,
    errors: ['not_found', 'purged', 'invalid_cursor', 'cursor_mismatch', 'cursor_outdated', ...scopeErrors(declared)],
  })

const unchanging = new Set([
  'id',
  'object',
  'workspaceId',
  'version',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
])

/** The fields that events tell changes of: a large one is in no event. */
function changingFields({ fields, expansions, expandedBrief, expanded }: Declaration): string[] {
  const told = (expandedBrief ?? expanded) as { readonly properties?: object }
  const isTold = (field: string): boolean => told.properties === undefined || field in told.properties
  return Object.keys(fields).filter(
    (field) => isTold(field) && !unchanging.has(field) && field !== 'deletedAt' && !expansions.includes(field),
  )
}
