// The operations of every collection of resources, declared once for all of them: list, get, count, create, update,
// delete, restore, purge, the same by the caller's own ids, the own ids themselves, batch, and the history of an
// object.
import { batch } from './batch.ts'
import {
  type Declaration,
  pluralOf,
  referenceTo,
  scope,
  scopeErrors,
  bodyLimitOf,
  createOf,
  emitted,
  patchOf,
  upsertOf,
  upsertOptions,
  upsertResult,
  withUpsertResult,
} from './declaration.ts'
import { removeExternalId, setExternalId } from './external-ids.ts'
import { history } from './history.ts'
import { byName, operation } from '../operation.ts'
import { fieldScopes } from '../imports.ts'
import { Type } from 'typebox'
import { closed, nullable, ExpectedVersion, ExternalId, ExternalSource } from '../shared-fields.ts'
import { sparse, sparsePageOf } from '../pagination.ts'
import {
  answerParameters,
  commonFilters,
  expandParameter,
  includeDeletedParameter,
  listParameters,
} from './parameters.ts'

export { expandable } from './declaration.ts'

/**
 * The operations of one collection by their full names. The resource's file takes each of them out by its name,
 * `'tasks.update': updateTask`, so that a search for the name finds it there.
 */
export const collection = <D extends Declaration>(declared: D) =>
  byName({
    list: list(declared),
    get: get(declared),
    count: count(declared),
    create: create(declared),
    update: update(declared),
    delete: remove(declared),
    restore: restore(declared),
    purge: purge(declared),
    getByExternalId: getByExternalId(declared),
    upsert: upsert(declared),
    deleteByExternalId: deleteByExternalId(declared),
    setExternalId: setExternalId(declared),
    removeExternalId: removeExternalId(declared),
    batch: batch(declared),
    history: history(declared),
  })

// Reading a collection: a page, one object, and how many there are.

/** The groups that a count shows. */
export const countedGroupsMax = 1_000
const groupFieldsMax = 2
/** More than ISO 4217 has. */
const currenciesMax = 400

const list = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.list` as `${D['segment']}.list`,
    http: `GET /${declared.segment}`,
    summary: `List ${pluralOf(declared)}`,
    description:
      'Newest first unless sorted otherwise. `updatedAt` increases with every change in the workspace: sort by it and send the last value seen as `updatedAfter`, and no change is missed.',
    scope: scope(declared, 'read'),
    input: closed({
      ...listParameters(declared.sorts, Object.keys(declared.fields), declared.expansions),
      ...filtersOf(declared),
    }),
    output: sparsePageOf(declared.fields as D['fields']),
    success: 200,
    errors: ['invalid_cursor', 'cursor_mismatch', 'cursor_outdated', 'insufficient_scope'],
  })

function filtersOf<D extends Declaration>(declared: D) {
  const { q, ...others } = commonFilters(referenceTo(declared))
  const common = (declared.isUnsearched === true ? others : { q, ...others }) as {
    readonly q: typeof q
  } & typeof others
  return { ...common, ...(declared.filters as D['filters']) }
}

const get = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.get` as `${D['segment']}.get`,
    http: `GET /${declared.segment}/{id}`,
    summary: `Get a ${declared.singular}`,
    description: `One ${declared.singular} by its id.`,
    scope: scope(declared, 'read'),
    input: closed({ id: referenceTo(declared), ...includeDeletedParameter, ...expandParameter(declared.expansions) }),
    output: declared.expanded,
    success: 200,
    errors: ['not_found', 'purged', 'insufficient_scope'],
  })

const count = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.count` as `${D['segment']}.count`,
    http: `GET /${declared.segment}/count`,
    summary: `Count ${pluralOf(declared)}`,
    description:
      'The number of matches and the sum of a field, in total and by the values of one or two fields. Takes the filters of the list. An object with several values, such as labels, counts in the group of each, and once in `total`.',
    scope: scope(declared, 'read'),
    input: closed({
      ...filtersOf(declared),
      groupBy: groupsParameter(declared.groups),
      ...sumParameter(declared.sums ?? []),
      timeZone: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'IANA time zone in which the times of a group `…:month` are read. Default: the workspace’s.',
        }),
      ),
    }),
    output: Counts,
    success: 200,
    errors: scopeErrors(declared),
  })

/** Custom fields are known to the workspace alone. */
const groupsParameter = (groups: readonly string[]) =>
  Type.Optional(
    Type.Array(
      Type.Union([
        Type.Enum([...groups]),
        Type.String({
          pattern: '^customFields\\.[a-z][a-z0-9_]{0,39}$',
          maxLength: 60,
          description: 'customFields.<key>',
        }),
      ]),
      {
        minItems: 1,
        maxItems: groupFieldsMax,
        uniqueItems: true,
        description: 'Also count by the values of one field, or of two.',
      },
    ),
  )

const sumParameter = (sums: readonly string[]) =>
  sums.length === 0
    ? {}
    : {
        sum: Type.Optional(Type.Enum([...sums], { description: 'Also add up this field, amounts by their currency.' })),
      }

const GroupValue = Type.Union([Type.String(), Type.Null()])
const Sums = Type.Optional(
  Type.Array(
    closed({
      currency: nullable(Type.String({ maxLength: 3, description: 'Null for what is no amount.' })),
      sum: Type.String({ maxLength: 60, description: 'A decimal as text, such as "1250.00".' }),
    }),
    { maxItems: currenciesMax, description: 'With `sum`: one for each currency, in alphabetical order.' },
  ),
)
const Counts = closed({
  total: Type.Integer({ minimum: 0 }),
  sums: Sums,
  groups: Type.Array(
    closed({
      value: GroupValue,
      values: Type.Optional(
        Type.Array(GroupValue, {
          minItems: 2,
          maxItems: groupFieldsMax,
          description: 'By two fields: the value of each.',
        }),
      ),
      count: Type.Integer({ minimum: 1 }),
      sums: Sums,
    }),
    {
      maxItems: countedGroupsMax,
      description: `The ${countedGroupsMax} largest, largest first; empty without \`groupBy\`.`,
    },
  ),
  moreGroups: Type.Integer({ minimum: 0, description: 'The number of further, smaller groups.' }),
})

// Changing one object of a collection: create and update.

/** What the answer to a change shows of the object. */
const answerOf = (declared: Declaration) => answerParameters(Object.keys(declared.fields), declared.expansions)

const create = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.create` as `${D['segment']}.create`,
    http: `POST /${declared.segment}`,
    summary: `Create a ${declared.singular}`,
    description: 'Omitted fields get their defaults. Null empties a list; empty text means null.',
    scope: scope(declared, 'write'),
    fieldScopes,
    input: closed({ ...createOf(declared), ...answerOf(declared) }),
    emptyTextIsNull: true,
    output: declared.expanded,
    partial: sparse(declared.fields as D['fields']),
    success: 201,
    errors: [
      'duplicate',
      'reference_not_found',
      'project_archived',
      ...(declared.writeErrors ?? []),
      ...scopeErrors(declared),
    ],
    emits: emitted(declared, 'created'),
    ...bodyLimitOf(declared),
  })

const update = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.update` as `${D['segment']}.update`,
    http: `PATCH /${declared.segment}/{id}`,
    summary: `Change a ${declared.singular}`,
    description:
      'A JSON Merge Patch: omitted fields stay, null clears (a list becomes empty), arrays replace; `{"add": […], "remove": […]}` in place of an array changes a part of the list. Empty text means null.',
    scope: scope(declared, 'write'),
    fieldScopes,
    input: closed({
      id: referenceTo(declared),
      expectedVersion: Type.Optional(ExpectedVersion),
      ...patchOf(declared),
      ...answerOf(declared),
    }),
    emptyTextIsNull: true,
    output: declared.expanded,
    partial: sparse(declared.fields as D['fields']),
    success: 200,
    errors: [
      ...scopeErrors(declared),
      ...(['not_found', 'duplicate', 'invalid_transition', 'reference_not_found'] as const),
      ...(['version_mismatch', 'project_archived'] as const),
      ...(declared.writeErrors ?? []),
    ],
    emits: [...emitted(declared, 'updated'), ...(declared.alsoEmits ?? [])],
    ...bodyLimitOf(declared),
  })

// Deleting one object of a collection for 30 days, taking that back, and deleting it for good.

/** A deleted object can be restored for so long; then it is purged. */
export const restoreWindowDays = 30

const remove = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.delete` as `${D['segment']}.delete`,
    http: `DELETE /${declared.segment}/{id}`,
    summary: `Delete a ${declared.singular}`,
    description:
      'It can be restored for 30 days, and keeps its own id and its other unique values so long. What belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again changes nothing.',
    scope: scope(declared, 'delete'),
    input: closed({ id: referenceTo(declared), expectedVersion: Type.Optional(ExpectedVersion) }),
    output: Type.Null(),
    success: 204,
    errors: ['not_found', 'version_mismatch', 'project_archived', ...scopeErrors(declared)],
    emits: emitted(declared, 'deleted'),
  })

const restore = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.restore` as `${D['segment']}.restore`,
    http: `POST /${declared.segment}/{id}/restore`,
    summary: `Restore a deleted ${declared.singular}`,
    description: 'Restores it in its earlier state, within 30 days of its deletion.',
    scope: scope(declared, 'write'),
    input: closed({ id: referenceTo(declared), ...answerOf(declared) }),
    output: declared.expanded,
    partial: sparse(declared.fields as D['fields']),
    success: 200,
    errors: ['not_found', 'not_deleted', 'purged', 'invalid_transition', 'project_archived', ...scopeErrors(declared)],
    emits: emitted(declared, 'restored'),
  })

const purge = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.purge` as `${D['segment']}.purge`,
    http: `POST /${declared.segment}/{id}/purge`,
    summary: `Purge a deleted ${declared.singular}`,
    description:
      'Purges the object before its 30 days end: its content is deleted for good, its unique values can be used again, and it cannot be restored. Copies need no notice, since the object was deleted before. Its events are kept for their 30 days. Purging it again changes nothing.',
    scope: scope(declared, 'delete'),
    input: closed({ id: referenceTo(declared) }),
    output: Type.Null(),
    success: 204,
    errors: ['not_found', 'not_deleted', 'legal_hold', ...scopeErrors(declared)],
    audited: true,
  })

// Objects of a collection by the id that they have in the caller's own system: get, upsert, delete.

const inPath = { source: ExternalSource, externalId: ExternalId }

const getByExternalId = <D extends Declaration>(declared: D) =>
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

const upsert = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.upsert` as `${D['segment']}.upsert`,
    http: `PUT /${declared.segment}/by-external-id/{source}/{externalId}`,
    summary: `Create or change a ${declared.singular} by your own id`,
    description:
      'Returns 201 if the object was created. If it exists, the given fields are set and the others stay, unless `onMatch` is set. `outcome` says what was done. `If-None-Match: *` returns 412 if it exists, and `If-Match: *` if it does not.',
    scope: scope(declared, 'write'),
    fieldScopes,
    input: closed({
      ...inPath,
      expectedVersion: Type.Optional(ExpectedVersion),
      createOnly: Type.Optional(Type.Boolean({ default: false, description: 'Refuse where it exists.' })),
      ...upsertOptions(declared),
      ...upsertOf(declared),
      ...answerOf(declared),
    }),
    emptyTextIsNull: true,
    output: withUpsertResult(declared.expanded),
    partial: sparse({ ...(declared.fields as D['fields']), ...upsertResult }),
    success: 200,
    creates: true,
    errors: [
      ...scopeErrors(declared),
      ...(['not_found', 'duplicate', 'invalid_transition', 'reference_not_found'] as const),
      ...(['version_mismatch', 'precondition_failed', 'project_archived', 'limit_reached', 'purged'] as const),
      ...(declared.matches === undefined ? [] : (['ambiguous_match'] as const)),
      ...(declared.writeErrors ?? []),
    ],
    emits: [...emitted(declared, 'created', 'updated', 'restored'), ...(declared.alsoEmits ?? [])],
    ...bodyLimitOf(declared),
  })

const deleteByExternalId = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.delete-by-external-id` as `${D['segment']}.delete-by-external-id`,
    http: `DELETE /${declared.segment}/by-external-id/{source}/{externalId}`,
    summary: `Delete a ${declared.singular} by your own id`,
    description:
      'It can be restored for 30 days, and keeps its own id and its other unique values so long. What belongs to a deleted project is hidden with it, and keeps them as well. Deleting it again changes nothing.',
    scope: scope(declared, 'delete'),
    input: closed({ ...inPath, expectedVersion: Type.Optional(ExpectedVersion) }),
    output: Type.Null(),
    success: 204,
    errors: ['not_found', 'version_mismatch', 'project_archived', ...scopeErrors(declared)],
    emits: emitted(declared, 'deleted'),
  })
