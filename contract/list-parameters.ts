// The parameters that the lists of all collections have alike.
import { Type, type TProperties, type TString } from 'typebox'
import { Timestamp } from './shared-fields.ts'
import { textFilter } from './filter-parameters.ts'
import { pageInput } from './pagination.ts'

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
    ...expandParameter(expansions),
    includeDeleted: Type.Optional(
      Type.Boolean({ default: false, description: 'Deleted ones as `{ id, object, version, deletedAt }`.' }),
    ),
    includeTotal: Type.Optional(Type.Boolean({ default: false, description: 'Count all that match: `page.total`.' })),
  } satisfies TProperties
}

export const includeDeletedParameter = {
  includeDeleted: Type.Optional(
    Type.Boolean({ default: false, description: 'Also where it is deleted, or hidden with its project.' }),
  ),
}

export const expandParameter = (expansions: readonly string[]) => ({
  expand: Type.Optional(
    Type.Array(Type.Enum([...expansions]), {
      minItems: 1,
      maxItems: expansionsMax,
      uniqueItems: true,
      description: 'Related objects to put beside their ids. Each needs the read scope of what it shows.',
    }),
  ),
})
