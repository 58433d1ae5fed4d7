// The parameters that the lists of all collections have alike.
import { Type, type TProperties, type TString } from 'typebox'
import { Timestamp, DateOnly, closed } from '../shared-fields.ts'
import { pageInput } from '../pagination.ts'
import { negatable as negatableReference, type ReferenceKind } from '../references.ts'

const idsMax = 100
const sortsMax = 3
const expansionsMax = 5

/** The filters of every collection. After and before are exclusive. `id` is what names one of its objects. */
export const commonFilters = (id: TString) => ({
  q: Type.Optional(
    Type.String({ minLength: 2, maxLength: 200, pattern: '\\S', description: 'Words, or parts of the name.' }),
  ),
  ids: Type.Optional(Type.Array(id, { minItems: 1, maxItems: idsMax, uniqueItems: true })),
  createdAfter: Type.Optional(Timestamp),
  createdBefore: Type.Optional(Timestamp),
  updatedAfter: Type.Optional(Timestamp),
  updatedBefore: Type.Optional(Timestamp),
  externalSource: textFilter(40),
})

/** Page, order, fields and expansions of a list. */
export function listParameters(sorts: readonly string[], fields: readonly string[], expansions: readonly string[]) {
  return {
    ...pageInput,
    sort: Type.Optional(
      Type.Array(Type.Enum([...sorts, ...sorts.map((sort) => `-${sort}`)]), {
        minItems: 1,
        maxItems: sortsMax,
        uniqueItems: true,
        default: ['-createdAt'],
        description: 'The sort fields in order of priority; a leading `-` sorts in descending order.',
      }),
    ),
    fields: Type.Optional(
      Type.Array(Type.Enum([...fields]), {
        minItems: 1,
        maxItems: fields.length,
        uniqueItems: true,
        description: 'Only these fields, besides `id`, `object`, `version` and expanded objects.',
      }),
    ),
    ...expandParameter(expansions),
    includeDeleted: Type.Optional(
      Type.Boolean({ default: false, description: 'Deleted ones as `{ id, object, version, deletedAt }`.' }),
    ),
    includeTotal: Type.Optional(Type.Boolean({ default: false, description: 'Count all that match: `page.total`.' })),
  } satisfies TProperties
}

export const includeDeletedParameter = {
  includeDeleted: Type.Optional(
    Type.Boolean({ default: false, description: 'Included even if it is deleted, or hidden with its project.' }),
  ),
}

export const expandParameter = (expansions: readonly string[]) => ({
  expand: Type.Optional(
    Type.Array(Type.Enum([...expansions]), {
      minItems: 1,
      maxItems: expansionsMax,
      uniqueItems: true,
      description: 'Related objects to include beside their ids. Each needs the read scope of its type.',
    }),
  ),
})

// The filters of lists. Values with commas between them mean any of them; with `!` before each, none of them.

const valuesMax = 50

const uuid = '[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}'
const negatable =
  'Any of these; with `!` before each, none of these. A value that begins with `!` is written `\\!…`; in a query, one with a comma `\\,`.'

const several = (value: TString, description: string) =>
  Type.Optional(
    Type.Array(value, {
      minItems: 1,
      maxItems: valuesMax,
      uniqueItems: true,
      description,
    }),
  )

/** Any of the values of an enumeration. */
export const enumFilter = (values: readonly string[]) =>
  Type.Optional(
    Type.Array(Type.Enum([...values, ...values.map((value) => `!${value}`)]), {
      minItems: 1,
      maxItems: valuesMax,
      uniqueItems: true,
      description: negatable,
    }),
  )
export const idFilter = several(Type.String({ pattern: `^!?${uuid}$`, maxLength: 60 }), negatable)

const referenceFilter = (kind: ReferenceKind, hint: string) => several(negatableReference(kind), `${negatable} ${hint}`)
export const taskFilter = referenceFilter('task', 'Ids or identifiers.')
export const projectFilter = referenceFilter('project', 'Ids or keys.')
export const memberFilter = referenceFilter('member', '`me` is the key’s owner.')
export const textFilter = (maxLength: number) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: maxLength + 2 }), {
      minItems: 1,
      maxItems: valuesMax,
      uniqueItems: true,
      description: negatable,
    }),
  )
export const allLabelsFilter = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 51 }), {
    minItems: 1,
    maxItems: valuesMax,
    uniqueItems: true,
    description: 'All of these. A value that begins with `!` is written `\\!…`; in a query, one with a comma `\\,`.',
  }),
)
export const dueDateFilters = { dueAfter: Type.Optional(DateOnly), dueBefore: Type.Optional(DateOnly) }

const CustomFieldBound = Type.String({ minLength: 1, maxLength: 200 })
/** Over HTTP `customFields.<key>=…`, `customFields.<key>[gte]=…`, `customFields.<key>[lte]=…`. */
export const customFieldFilter = Type.Optional(
  Type.Record(
    Type.String(),
    closed({
      eq: Type.Optional(Type.Array(CustomFieldBound, { minItems: 1, maxItems: valuesMax })),
      gte: Type.Optional(CustomFieldBound),
      lte: Type.Optional(CustomFieldBound),
    }),
    {
      propertyNames: { type: 'string', pattern: '^[a-z][a-z0-9_]{0,39}$' },
      maxProperties: 10,
      description:
        'By custom field: any of `eq`, or with `!` before each none of them; numbers and dates also from `gte` to `lte`.',
    },
  ),
)
