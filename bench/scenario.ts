// What a scenario is: parts, each a table of rows that are measured side by side.
import type { Row } from './measure/rounds.ts'
import type { Sizes } from './options.ts'
import type { Facts } from './report/environment.ts'
import type { Goal } from './report/goals.ts'
import type { Column } from './report/table.ts'

export type Part = {
  readonly title: string
  /** What exactly was measured. */
  readonly about: string
  readonly columns: readonly Column[]
  readonly rows: readonly Row[]
  /** The row that the others are compared with. */
  readonly peer?: string
  readonly goals?: readonly Goal[]
  /** Measured once, if one measurement is enough and takes long. */
  readonly roundsMax?: number
}
type Prepared = AsyncDisposable & { readonly parts: readonly Part[]; readonly facts: Facts }
export type Scenario = {
  readonly name: string
  readonly about: string
  /** Prepares what all rounds need; disposed at the end. */
  readonly prepare: (sizes: Sizes) => Promise<Prepared>
}
