// Rules of query parameters that lists share. Filters by custom fields: `customFields.<key>`, `customFields.<key>[gte]`
// and `customFields.<key>[lte]` in a query are one field of the input, `customFields: { <key>: { eq, gte, lte } }`.
// Values of a list: `!` stands before those that are not wanted, `none` for an empty field and `any` for one that is
// not; a backslash before `!`, `none` or `any` makes it part of the value. Pure.
import type { FieldCode } from '#contract/faults/fault.ts'
import { isEmptiness, itemsOfList } from '#contract/text-values.ts'

const field = 'customFields'
const parameter = /^customFields\.([^[\]]+)(?:\[(gte|lte)\])?$/

export type CustomFieldComparison = { readonly key: string; readonly how: string; readonly texts: readonly string[] }

/** Returns the comparison that a parameter asks for; null where it is no filter by a custom field. */
export function customFieldComparison(name: string): Omit<CustomFieldComparison, 'texts'> | null {
  const [, key, how = 'eq'] = parameter.exec(name) ?? []
  return key === undefined ? null : { key, how }
}

/** Returns the input's field `customFields`; an empty object where nothing is compared. */
export function customFieldFilters(comparisons: readonly CustomFieldComparison[]): Record<string, unknown> {
  if (comparisons.length === 0) return {}
  const byKey = [...Map.groupBy(comparisons, ({ key }) => key)]
  return { [field]: Object.fromEntries(byKey.map(([key, of]) => [key, Object.fromEntries(of.map(valueOf))])) }
}

const valueOf = ({ how, texts }: CustomFieldComparison): [string, unknown] => [
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

export const isNegated = (value: string): boolean => value.startsWith('!')

/** The value itself: `!` is gone from before it, and the backslash from `\!`, `\none` and `\any`. */
export const withoutNegation = (value: string): string =>
  value.replace(/^!|^\\(?=\\*!)/, '').replace(/^\\(?=\\*(?:none|any)$)/, '')

/** The values of a list parameter: `!` stands before all of them or before none. */
export type Choice = { readonly values: string[]; readonly negated: boolean }

export function choiceOf(given: readonly string[]): Choice {
  return { values: given.map(withoutNegation), negated: given.every(isNegated) }
}

/** The same of a field that can be empty. `empty`: is an empty field asked for, or with `!` left out? */
export function choiceWithEmpty(given: readonly string[]): Choice & { readonly empty: boolean } {
  // To have a value is not to be empty.
  if (given.includes('any')) return { values: [], negated: true, empty: true }
  const isMark = (value: string): boolean => isEmptiness(value.replace(/^!/, ''))
  return {
    ...choiceOf(given.filter((value) => !isMark(value))),
    negated: given.every(isNegated),
    empty: given.some(isMark),
  }
}

/** `any` says all that there is to say. */
export const hasOneEmptiness = (given: readonly string[]): boolean =>
  !given.includes('!any') && (given.length === 1 || !given.includes('any'))

export const anyAlone = '`any` stands alone and without `!`: an empty field is `none`.'

/** All of these, or none of these: what a mixture should mean is not defined. */
export const hasOneSense = (given: readonly string[]): boolean => given.every(isNegated) || !given.some(isNegated)

export const twoSenses = 'Put `!` before all values of a list, or before none.'

// Time ranges of a filter, `…After` and `…Before`. An empty one is refused: its empty answer would be mistaken for a
// real one. Pure.

type Bound = string | undefined
type Refuse = (field: string, code: FieldCode, detail: string) => never

const dayMs = 86_400_000

/** Both bounds are exclusive: `after` and `before` are times, or days. */
export function assertSpan(name: string, after: Bound, before: Bound, refuse: Refuse): void {
  if (after === undefined || before === undefined) return
  // Between two days there is a day only where one lies between them.
  const least = /^\d{4}-\d\d-\d\d$/.test(after) ? dayMs : 0
  if (Date.parse(before) - Date.parse(after) > least) return
  refuse(`${name}Before`, 'too_small', `Lies before all that \`${name}After\` leaves: nothing can match.`)
}

/** Checks every `…After` of a query with its `…Before`. */
export function assertSpans(query: Readonly<Record<string, unknown>>, refuse: Refuse): void {
  for (const name of Object.keys(query).filter((each) => each.endsWith('After'))) {
    const stem = name.slice(0, -'After'.length)
    assertSpan(stem, query[name] as Bound, query[`${stem}Before`] as Bound, refuse)
  }
}
