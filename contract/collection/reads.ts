// Reading a collection: a page, one object, and how many there are.
import { Type } from 'typebox'
import { closed } from '../shared-fields.ts'
import { countedGroupsMax } from '../size-limits.ts'
import { operation } from '../operation.ts'
import { sparsePageOf } from '../pagination.ts'
import { commonFilters, expandParameter, includeDeletedParameter, listParameters } from '../list-parameters.ts'
import { pluralOf, referenceTo, scope, type Declaration } from './declaration.ts'

export const list = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.list` as `${D['segment']}.list`,
    http: `GET /${declared.segment}`,
    summary: `List ${pluralOf(declared)}`,
    description:
      'Newest first unless sorted otherwise. `updatedAt` rises with every change in the workspace: sorted by it, with `updatedAfter` as the last one seen, nothing is missed.',
    scope: scope(declared, 'read'),
    input: closed({
      ...listParameters(declared.sorts, Object.keys(declared.fields), declared.expansions),
      ...commonFilters(referenceTo(declared)),
      ...(declared.filters as D['filters']),
    }),
    output: sparsePageOf(declared.fields as D['fields']),
    success: 200,
    errors: ['invalid_cursor', 'cursor_mismatch', 'insufficient_scope'],
  })

export const get = <D extends Declaration>(declared: D) =>
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

export const count = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.count` as `${D['segment']}.count`,
    http: `GET /${declared.segment}/count`,
    summary: `Count ${pluralOf(declared)}`,
    description: 'How many match, and by the value of one field. Takes the filters of the list.',
    scope: scope(declared, 'read'),
    input: closed({
      ...commonFilters(referenceTo(declared)),
      ...(declared.filters as D['filters']),
      groupBy: Type.Optional(Type.Enum([...declared.groups])),
    }),
    output: Counts,
    success: 200,
  })

const Counts = closed({
  total: Type.Integer({ minimum: 0 }),
  groups: Type.Array(closed({ value: Type.Union([Type.String(), Type.Null()]), count: Type.Integer({ minimum: 1 }) }), {
    maxItems: countedGroupsMax,
    description: `The ${countedGroupsMax} largest, largest first; empty without \`groupBy\`.`,
  }),
  moreGroups: Type.Integer({ minimum: 0, description: 'How many smaller groups there are beside these.' }),
})
