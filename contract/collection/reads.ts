// Reading: a page, one, and how many.
import { Type } from 'typebox'
import { Id, closed } from '../fields.ts'
import { operation } from '../operation.ts'
import { sparsePageOf } from '../pagination.ts'
import { commonFilters, expandInput, includeDeletedInput, pageGrammar } from '../list-query.ts'
import { manyOf, scope, type Declaration } from './declaration.ts'

export function reads<D extends Declaration>(declared: D) {
  const { segment, one, shown, fields, expansions, filters } = declared
  const many = manyOf(declared)
  return {
    list: operation({
      name: `${segment}.list` as `${D['segment']}.list`,
      http: `GET /${segment}`,
      summary: `List ${many}`,
      description:
        'Newest first unless sorted otherwise. `updatedAt` rises with every change in the workspace: sorted by it, with `updatedAfter` as the last one seen, nothing is missed.',
      scope: scope(declared, 'read'),
      input: closed({
        ...pageGrammar(declared.sorts, Object.keys(fields), expansions),
        ...commonFilters,
        ...(filters as D['filters']),
      }),
      output: sparsePageOf(fields as D['fields']),
      success: 200,
      errors: ['invalid_cursor', 'cursor_mismatch', 'insufficient_scope'],
      tool: { destructive: false, idempotent: true },
    }),
    get: operation({
      name: `${segment}.get` as `${D['segment']}.get`,
      http: `GET /${segment}/{id}`,
      summary: `Get a ${one}`,
      description: `One ${one} by its id.`,
      scope: scope(declared, 'read'),
      input: closed({ id: declared.named ?? Id, ...includeDeletedInput, ...expandInput(expansions) }),
      output: shown,
      success: 200,
      errors: ['not_found', 'purged', 'insufficient_scope'],
      tool: { destructive: false, idempotent: true },
    }),
    count: operation({
      name: `${segment}.count` as `${D['segment']}.count`,
      http: `GET /${segment}/count`,
      summary: `Count ${many}`,
      description: 'How many match, and by the value of one field. Takes the filters of the list.',
      scope: scope(declared, 'read'),
      input: closed({
        ...commonFilters,
        ...(filters as D['filters']),
        groupBy: Type.Optional(Type.Enum([...declared.groups])),
      }),
      output: closed({
        total: Type.Integer({ minimum: 0 }),
        groups: Type.Array(
          closed({ value: Type.Union([Type.String(), Type.Null()]), count: Type.Integer({ minimum: 1 }) }),
          { maxItems: 1_000, description: 'Largest first; empty without `groupBy`.' },
        ),
      }),
      success: 200,
    }),
  }
}
