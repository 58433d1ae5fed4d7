// Time ranges of a filter, `…After` and `…Before`. An empty one is refused: its empty answer would be mistaken for a
// real one. Pure.
import type { FieldCode } from '#contract/faults/fault.ts'

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
