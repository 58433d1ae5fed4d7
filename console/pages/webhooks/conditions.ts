// The conditions of a webhook's filter as rows of its form: a field, a part of its condition, and the values as text.
// Pure.
import type { SchemaNode } from '#contract/json-schema.ts'
import type { FilterValues } from '#contract/webhook-values.ts'
import { texts } from './texts.tsx'

export type Condition = { readonly field: string; readonly part: string; readonly text: string }
/** The parts that the condition of each field can have. */
export type PartsByField = Readonly<Record<string, readonly string[]>>

/** As the input of an operation declares them. */
export function partsIn({ properties = {} }: SchemaNode): PartsByField {
  const { anyOf = [] }: SchemaNode = properties['filter'] ?? {}
  const values = anyOf.flatMap((one: SchemaNode) => one.properties?.['values'] ?? [])
  return Object.fromEntries(
    values.flatMap(({ properties: fields = {} }: SchemaNode) => Object.entries(fields).map(partsOf)),
  )
}

const partsOf = ([field, { properties = {} }]: readonly [string, SchemaNode]) =>
  [field, Object.keys(properties)] as const

export const partWords: Readonly<Record<string, string>> = {
  is: 'is',
  from: texts.changedFrom,
  to: 'changed to',
  contains: 'contains',
  added: 'added',
  removed: 'removed',
  currency: texts.inCurrency,
  above: 'above',
  below: 'below',
}

type Given = readonly (string | null)[] | string

export const conditionsOf = (values: FilterValues = {}): Condition[] =>
  Object.entries(values).flatMap(([field, condition]: [string, Readonly<Record<string, Given>>]) =>
    Object.entries(condition).map(([part, given]) => ({ field, part, text: textOf(given) })),
  )

/** Undefined without conditions. */
export function valuesOf(conditions: readonly Condition[]): FilterValues | undefined {
  if (conditions.length === 0) return undefined
  const byField = Map.groupBy(conditions, ({ field }) => field)
  // The form offers the fields and parts of the schema alone, and the service checks the rest.
  return Object.fromEntries(
    Array.from(byField, ([field, rows]) => [
      field,
      Object.fromEntries(rows.map(({ part, text }) => [part, given(part, text)])),
    ]),
  ) as FilterValues
}

const single = new Set(['currency', 'above', 'below'])

const given = (part: string, text: string): Given => (single.has(part) ? text.trim() : listIn(text))

/** Stands for null. As a value it has quotation marks. */
const empty = 'empty'

const textOf = (values: Given): string =>
  typeof values === 'string' ? values : values.map((value) => (value === null ? empty : written(value))).join(', ')

const written = (value: string): string =>
  value === empty || value === '' || value !== value.trim() || /^"|,/.test(value)
    ? `"${value.replaceAll('"', '""')}"`
    : value

/** The values between commas. One with a comma is in quotation marks. */
const listIn = (text: string): (string | null)[] =>
  Array.from(text.matchAll(/"((?:[^"]|"")*)"|[^,"\s][^,]*/g), ([word, quoted]) => {
    if (quoted !== undefined) return quoted.replaceAll('""', '"')
    return word.trim() === empty ? null : word.trim()
  })

/** Of one row. */
export function mistakeIn(conditions: readonly Condition[], at: number): string | undefined {
  const { field, part, text } = conditions[at]!
  if (listIn(text).length === 0) return texts.enterAtLeastOneValue
  const isTwice = conditions.slice(0, at).some((one) => one.field === field && one.part === part)
  return isTwice ? texts.theConditionAlreadyExists(field, partWords[part] ?? part) : undefined
}

export function conditionMistakes({ conditions }: { readonly conditions: readonly Condition[] }): {
  readonly conditions?: string
} {
  const [first] = conditions.flatMap((_row, at) => mistakeIn(conditions, at) ?? [])
  return first === undefined ? {} : { conditions: first }
}
