// The parameters that the lists of all collections have alike.
import { Type, type TProperties, type TString } from 'typebox'
import { Timestamp, DateOnly, ExternalId, SearchText, closed } from '../shared-fields.ts'
import { pageInput } from '../pagination.ts'
import { emptiable as emptiableReference, negatable as negatableReference, type ReferenceKind } from '../references.ts'

const idsMax = 100
const sortsMax = 3
const expansionsMax = 5

/** The filters of every collection. After and before are exclusive. `id` is what names one of its objects. */
export const commonFilters = (id: TString) => ({
  q: Type.Optional(SearchText),
  ids: Type.Optional(Type.Array(id, { minItems: 1, maxItems: idsMax, uniqueItems: true })),
  createdAfter: Type.Optional(Timestamp),
  createdBefore: Type.Optional(Timestamp),
  updatedAfter: Type.Optional(Timestamp),
  updatedBefore: Type.Optional(Timestamp),
  createdBy: authorFilter,
  updatedBy: authorFilter,
  imported: importedFilter,
  importedEmail: importedEmailFilter,
  externalSource: textFilter(40),
  externalId: Type.Optional(
    Type.Array(ExternalId, {
      minItems: 1,
      maxItems: idsMax,
      uniqueItems: true,
      description: 'Any of these ids of the systems that `externalSource` names, which must be given as well.',
    }),
  ),
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
    ...answerParameters(fields, expansions),
    includeDeleted: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Deleted ones as `{ id, object, version, externalIds, deletedAt }`.',
      }),
    ),
    includeTotal: Type.Optional(Type.Boolean({ default: false, description: 'Count all that match: `page.total`.' })),
  } satisfies TProperties
}

/** What the answer shows of each object. */
export const answerParameters = (fields: readonly string[], expansions: readonly string[]) => ({
  fields: Type.Optional(
    Type.Array(Type.Enum([...fields]), {
      minItems: 1,
      maxItems: fields.length,
      uniqueItems: true,
      description: 'Only these fields, besides `id`, `object`, `version` and expanded objects.',
    }),
  ),
  ...expandParameter(expansions),
})

export const includeDeletedParameter = {
  includeDeleted: Type.Optional(
    Type.Boolean({ default: false, description: 'Included even if it is deleted, or hidden with its project.' }),
  ),
}

/** None where there is nothing to expand. Its type is the same there: no caller can name a value. */
export function expandParameter(expansions: readonly string[]) {
  const expand = Type.Optional(
    Type.Array(Type.Enum([...expansions]), {
      minItems: 1,
      maxItems: expansionsMax,
      uniqueItems: true,
      description: 'Related objects to include beside their ids. Each needs the read scope of its type.',
    }),
  )
  return (expansions.length === 0 ? {} : { expand }) as { readonly expand: typeof expand }
}

// The filters of lists. Several values mean any of them; with `!` before each of them, none of them.

const valuesMax = 50

const negatable =
  'Any of these values. In a query, separate them with commas. To exclude values, put `!` before each of them.'
const orEmpty = '`none`: the field is empty. `any`: it is not empty.'
const escaped =
  'Write a value that begins with `!` as `\\!…`, and the values `none` and `any` as `\\none` and `\\any`. In a query, write a comma in a value as `\\,`.'

const several = (value: TString, description: string) =>
  Type.Optional(
    Type.Array(value, {
      minItems: 1,
      maxItems: valuesMax,
      uniqueItems: true,
      description,
    }),
  )

const oneOfEnum = (values: readonly string[], description: string) =>
  Type.Optional(
    Type.Array(Type.Enum([...values]), { minItems: 1, maxItems: valuesMax, uniqueItems: true, description }),
  )
const withNegation = (values: readonly string[]) => [...values, ...values.map((value) => `!${value}`)]

/** Any of the values of an enumeration. */
export const enumFilter = (values: readonly string[]) => oneOfEnum(withNegation(values), negatable)
/** The same of a field that can be empty. */
export const emptiableEnumFilter = (values: readonly string[]) =>
  oneOfEnum([...withNegation([...values, 'none']), 'any'], `${negatable} ${orEmpty}`)
const emptiableReferenceFilter = (kind: ReferenceKind, hint: string) =>
  several(emptiableReference(kind), `${negatable} ${hint} ${orEmpty}`)
export const taskFilter = emptiableReferenceFilter('task', 'Ids, identifiers or own ids.')
/** Of objects that always have a project. */
export const projectFilter = projectFilterOf('')
export function projectFilterOf(what: string) {
  return several(negatableReference('project'), `${what} ${negatable} Ids, keys or own ids.`.trim())
}
export const optionalProjectFilter = emptiableReferenceFilter('project', 'Ids, keys or own ids.')
export const memberFilter = emptiableReferenceFilter('member', 'Ids or emails; `me` is the key’s owner.')
export const companyFilter = emptiableReferenceFilter('company', 'Ids, own ids or domains.')
export const contactFilter = emptiableReferenceFilter('contact', 'Ids, own ids or emails.')
export const crmEntityFilter = emptiableReferenceFilter('crm-entity', 'Ids, own ids, domains or emails.')
const uuid = '[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}'
export const fileFilter = several(
  Type.String({ pattern: `^(?:!?(?:${uuid}|none)|any)$`, maxLength: 60 }),
  `${negatable} Ids. ${orEmpty}`,
)
const authorFilter = several(
  negatableReference('key'),
  `${negatable} Ids of keys or of members; \`me\` is the key of the request.`,
)
const importedFilter = Type.Optional(
  Type.Enum(['none', 'any'], { description: '`any`: imported with its history; `none`: not.' }),
)
const importedEmailFilter = several(
  Type.String({ format: 'email', maxLength: 254 }),
  'Imported, and made by a person with any of these addresses.',
)
export const textFilter = (maxLength: number) =>
  several(Type.String({ minLength: 1, maxLength: maxLength + 2 }), `${negatable} ${orEmpty} ${escaped}`)
/** Does the field have a value? Which one, its other filters ask. */
const emptinessFilter = Type.Optional(Type.Enum(['none', 'any'], { description: orEmpty }))
export const currencyFilter = several(
  Type.String({ format: 'currency-or-none', maxLength: 5 }),
  `${negatable} ${orEmpty} Currencies of ISO 4217.`,
)
export const phoneFilter = several(
  Type.String({ format: 'phone-or-none', maxLength: 42 }),
  `${negatable} ${orEmpty} Numbers with or without a country code. A country code begins with \`+\`; in a query, write it as \`%2B\`.`,
)
export const allLabelsFilter = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 51 }), {
    minItems: 1,
    maxItems: valuesMax,
    uniqueItems: true,
    description: `All of these. ${escaped}`,
  }),
)
const dayFilter = Type.Optional(DateOnly)
const timeFilter = Type.Optional(Timestamp)
export const planFilters = {
  startAfter: dayFilter,
  startBefore: dayFilter,
  startDate: emptinessFilter,
  dueAfter: dayFilter,
  dueBefore: dayFilter,
  dueDate: emptinessFilter,
  completedAfter: timeFilter,
  completedBefore: timeFilter,
  completedAt: emptinessFilter,
}
export const archiveFilters = { archivedAfter: timeFilter, archivedBefore: timeFilter, archivedAt: emptinessFilter }
export const closingFilters = {
  expectedCloseAfter: dayFilter,
  expectedCloseBefore: dayFilter,
  expectedCloseDate: emptinessFilter,
  closedAfter: timeFilter,
  closedBefore: timeFilter,
  closedAt: emptinessFilter,
}

/** Groups of a count by the month of each of these fields. */
export const months = (...fields: readonly string[]): string[] => fields.map((field) => `${field}:month`)

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
        'By custom field. `eq`: any of these values. To exclude values, put `!` before each of them. `none`: the field is empty. `any`: it is not empty. Numbers and dates also from `gte` to `lte`.',
    },
  ),
)
