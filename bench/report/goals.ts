// The goals of a scenario, and whether the measured figures meet them.
import { ratio, spreadOf, type Spread } from './figures.ts'
import type { Measured } from './table.ts'

type Place = { readonly row: string; readonly figure: string }

/** A figure over another, of the medians. */
export type Goal = {
  readonly says: string
  readonly own: Place
  readonly over: Place
} & ({ readonly atLeast: number } | { readonly atMost: number })

export function goalLine(goal: Goal, rows: readonly Measured[]): string {
  const { says, own, over } = goal
  const reached = ratio(spreadAt(rows, own), spreadAt(rows, over))
  const bound = 'atLeast' in goal ? `at least ${goal.atLeast.toFixed(2)}` : `at most ${goal.atMost.toFixed(2)}`
  const verdict =
    reached === null ? 'not measured' : `${reached.toFixed(2)}, ${isMet(goal, reached) ? 'met' : 'missed'}`
  return `Goal: ${says} ${bound}. Measured: ${verdict}.`
}

const isMet = (goal: Goal, reached: number): boolean =>
  'atLeast' in goal ? reached >= goal.atLeast : reached <= goal.atMost

const spreadAt = (rows: readonly Measured[], { row, figure }: Place): Spread | null =>
  spreadOf(rows.find(({ name }) => name === row)?.samples.map((sample) => sample[figure] ?? null) ?? [])
