// The goals of a scenario, and whether the measured figures meet them.
import { difference, ratio, spreadOf, type Spread } from './figures.ts'
import type { Measured } from './table.ts'

type Place = { readonly row: string; readonly figure: string }

/** A figure over another, or less another, of the medians. */
export type Goal = { readonly says: string; readonly own: Place } & (
  | { readonly over: Place }
  | { readonly less: Place }
) &
  ({ readonly atLeast: number } | { readonly atMost: number })

export function goalLine(goal: Goal, rows: readonly Measured[]): string {
  const { says, own } = goal
  const reached =
    'over' in goal
      ? ratio(spreadAt(rows, own), spreadAt(rows, goal.over))
      : difference(spreadAt(rows, own), spreadAt(rows, goal.less))
  const bound = 'atLeast' in goal ? `at least ${goal.atLeast.toFixed(2)}` : `at most ${goal.atMost.toFixed(2)}`
  const verdict =
    reached === null ? 'not measured' : `${reached.toFixed(2)}, ${isMet(goal, reached) ? 'met' : 'missed'}`
  return `Goal: ${says} ${bound}. Measured: ${verdict}.`
}

const isMet = (goal: Goal, reached: number): boolean =>
  'atLeast' in goal ? reached >= goal.atLeast : reached <= goal.atMost

const spreadAt = (rows: readonly Measured[], { row, figure }: Place): Spread | null =>
  spreadOf(rows.find(({ name }) => name === row)?.samples.map((sample) => sample[figure] ?? null) ?? [])
