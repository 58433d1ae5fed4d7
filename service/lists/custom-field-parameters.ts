// Filters by custom fields: `customFields.<key>`, `customFields.<key>[gte]` and `customFields.<key>[lte]` in a query
// are one field of the input, `customFields: { <key>: { eq, gte, lte } }`.
import { itemsOfList } from '#contract/text-values.ts'

const field = 'customFields'
const parameter = /^customFields\.([^[\]]+)(?:\[(gte|lte)\])?$/

export type Comparison = { readonly key: string; readonly how: string; readonly texts: readonly string[] }

/** Returns the comparison that a parameter asks for; null where it is no filter by a custom field. */
export function comparisonBy(name: string): Omit<Comparison, 'texts'> | null {
  const [, key, how = 'eq'] = parameter.exec(name) ?? []
  return key === undefined ? null : { key, how }
}

/** Returns the input's field `customFields`; an empty object where nothing is compared. */
export function gathered(comparisons: readonly Comparison[]): Record<string, unknown> {
  if (comparisons.length === 0) return {}
  const byKey = [...Map.groupBy(comparisons, ({ key }) => key)]
  return { [field]: Object.fromEntries(byKey.map(([key, of]) => [key, Object.fromEntries(of.map(valueOf))])) }
}

const valueOf = ({ how, texts }: Comparison): [string, unknown] => [
  how,
  how === 'eq' ? texts.flatMap(itemsOfList) : texts[0],
]

/** Returns the parameter's name for a path in the input. */
export function parameterAt([name = '', key, how]: readonly string[]): string {
  if (name !== field || key === undefined) return name
  return how === 'gte' || how === 'lte' ? `${name}.${key}[${how}]` : `${name}.${key}`
}

/** The field whose parameters have other names than the field. */
export const isFilterField = (name: string): boolean => name === field
