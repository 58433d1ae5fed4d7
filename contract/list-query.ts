// The query grammar that lists share. A list of values means any of them; with `!` before each of them, none of them.
import { Type, type TProperties } from 'typebox'
import { DateOnly, Timestamp, closed } from './fields.ts'
import { pageInput } from './pagination.ts'

const valuesMax = 50
const idsMax = 100
const sortsMax = 3
const expansionsMax = 5

const uuid = '[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}'
const negatable =
  'Any of these; with `!` before each, none of these. A value that begins with `!` is written `\\!…`; in a query, one with a comma `\\,`.'

const several = (pattern: string, description: string) =>
  Type.Optional(
    Type.Array(Type.String({ pattern, maxLength: 60 }), {
      minItems: 1,
      maxItems: valuesMax,
      uniqueItems: true,
      description,
    }),
  )

/** Of an enumeration. */
export const anyOf = (values: readonly string[]) =>
  Type.Optional(
    Type.Array(Type.Enum([...values, ...values.map((value) => `!${value}`)]), {
      minItems: 1,
      maxItems: valuesMax,
      uniqueItems: true,
      description: negatable,
    }),
  )
export const anyId = several(`^!?${uuid}$`, negatable)
export const anyMember = several(`^!?(?:me|${uuid})$`, `${negatable} \`me\` is the key’s owner.`)
export const anyText = (maxLength: number) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: maxLength + 2 }), {
      minItems: 1,
      maxItems: valuesMax,
      uniqueItems: true,
      description: negatable,
    }),
  )
export const allLabels = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 51 }), {
    minItems: 1,
    maxItems: valuesMax,
    uniqueItems: true,
    description: 'All of these. A value that begins with `!` is written `\\!…`; in a query, one with a comma `\\,`.',
  }),
)
export const dueRange = { dueAfter: Type.Optional(DateOnly), dueBefore: Type.Optional(DateOnly) }

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

/** What every collection can be narrowed by. After and before are exclusive. */
export const commonFilters = {
  q: Type.Optional(
    Type.String({ minLength: 2, maxLength: 200, pattern: '\\S', description: 'Words, or parts of the name.' }),
  ),
  ids: Type.Optional(Type.Array(Type.String({ format: 'uuid' }), { minItems: 1, maxItems: idsMax, uniqueItems: true })),
  createdAfter: Type.Optional(Timestamp),
  createdBefore: Type.Optional(Timestamp),
  updatedAfter: Type.Optional(Timestamp),
  updatedBefore: Type.Optional(Timestamp),
  externalSource: anyText(40),
}

/** How a page is cut, ordered and shown. */
export function pageGrammar(sorts: readonly string[], fields: readonly string[], expansions: readonly string[]) {
  return {
    ...pageInput,
    sort: Type.Optional(
      Type.Array(Type.Enum([...sorts, ...sorts.map((sort) => `-${sort}`)]), {
        minItems: 1,
        maxItems: sortsMax,
        uniqueItems: true,
        default: ['-createdAt'],
        description: 'First to last; with `-` before it, descending.',
      }),
    ),
    fields: Type.Optional(
      Type.Array(Type.Enum([...fields]), {
        minItems: 1,
        maxItems: fields.length,
        uniqueItems: true,
        description: 'Only these fields, besides `id`, `object`, `version` and what is expanded.',
      }),
    ),
    ...expandInput(expansions),
    includeDeleted: Type.Optional(
      Type.Boolean({ default: false, description: 'Deleted ones as `{ id, object, version, deletedAt }`.' }),
    ),
    includeTotal: Type.Optional(Type.Boolean({ default: false, description: 'Count all that match: `page.total`.' })),
  } satisfies TProperties
}

export const includeDeletedInput = {
  includeDeleted: Type.Optional(
    Type.Boolean({ default: false, description: 'Also where it is deleted, or hidden with its project.' }),
  ),
}

export const expandInput = (expansions: readonly string[]) => ({
  expand: Type.Optional(
    Type.Array(Type.Enum([...expansions]), {
      minItems: 1,
      maxItems: expansionsMax,
      uniqueItems: true,
      description: 'Related objects to put beside their ids. Each needs the read scope of what it shows.',
    }),
  ),
})
