// The goals of a scenario, and whether the measured figures meet them.
import { difference, ratio, spreadOf, type Spread } from './figures.ts'
import type { Measured } from './table.ts'

type Place = { readonly row: string; readonly figure: string }

/** A figure over another (each less `lessOfBoth`), less another, or by itself, of the medians. */
export type Goal = { readonly says: string; readonly own: Place } & (
  | { readonly over: Place; readonly lessOfBoth?: Place; readonly less?: never }
  | { readonly less: Place; readonly over?: never; readonly lessOfBoth?: never }
  | { readonly over?: never; readonly less?: never; readonly lessOfBoth?: never }
) &
  ({ readonly atLeast: number } | { readonly atMost: number })

export function goalLine(goal: Goal, rows: readonly Measured[]): string {
  const { says } = goal
  const reached = reachedBy(goal, rows)
  const bound = 'atLeast' in goal ? `at least ${goal.atLeast.toFixed(2)}` : `at most ${goal.atMost.toFixed(2)}`
  const verdict =
    reached === null ? 'not measured' : `${reached.toFixed(2)}, ${isMet(goal, reached) ? 'met' : 'missed'}`
  return `Goal: ${says} ${bound}. Measured: ${verdict}.`
}

function reachedBy({ own, over, less, lessOfBoth }: Goal, rows: readonly Measured[]): number | null {
  const of = (place: Place | undefined) => (place === undefined ? null : spreadAt(rows, place))
  if (lessOfBoth !== undefined) {
    const [above, below] = [difference(of(own), of(lessOfBoth)), difference(of(over), of(lessOfBoth))]
    return above === null || below === null ? null : above / below
  }
  if (over !== undefined) return ratio(of(own), of(over))
  if (less !== undefined) return difference(of(own), of(less))
  return of(own)?.median ?? null
}

const isMet = (goal: Goal, reached: number): boolean =>
  'atLeast' in goal ? reached >= goal.atLeast : reached <= goal.atMost

const spreadAt = (rows: readonly Measured[], { row, figure }: Place): Spread | null =>
  spreadOf(rows.find(({ name }) => name === row)?.samples.map((sample) => sample[figure] ?? null) ?? [])
