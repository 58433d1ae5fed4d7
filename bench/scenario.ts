// What a scenario is: parts, each a table of rows that are measured side by side.
import type { Row } from './measure/rounds.ts'
import type { Sizes } from './options.ts'
import type { Facts } from './report/circumstances.ts'
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
  /** Where one measurement says it all, and takes long. */
  readonly roundsMax?: number
}
type Prepared = AsyncDisposable & { readonly parts: readonly Part[]; readonly facts: Facts }
export type Scenario = {
  readonly name: string
  readonly about: string
  /** What all rounds need; it is undone at the end. */
  readonly prepare: (sizes: Sizes) => Promise<Prepared>
}
