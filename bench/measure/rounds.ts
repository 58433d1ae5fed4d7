// Rows measured side by side. Equal processes differ by up to a third for as long as they live, and a machine changes
// its mind over minutes: so each row starts its processes anew in every round, rounds go over all rows, and every
// second one goes backwards.
import type { Measured, Sample } from '../report/table.ts'

export type Row = {
  readonly name: string
  /** Starts what it needs, measures, ends it. */
  readonly measure: () => Promise<Sample>
}

export async function inRounds(
  rows: readonly Row[],
  rounds: number,
  onDone: (row: string, round: number) => void,
): Promise<Measured[]> {
  const samples = new Map(rows.map(({ name }) => [name, [] as Sample[]]))
  for (let round = 1; round <= rounds; round++) {
    for (const { name, measure } of round % 2 === 1 ? rows : rows.toReversed()) {
      samples.get(name)?.push(await measure())
      onDone(name, round)
    }
  }
  return rows.map(({ name }) => ({ name, samples: samples.get(name) ?? [] }))
}
