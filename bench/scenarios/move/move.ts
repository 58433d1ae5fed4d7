// All rows of one workspace taken to another installation, as an integration would: by jobs and the translation alone.
import { differences } from './differences.ts'
import { exportFrom, importInto, type Imported, type Line, type Place } from './place.ts'
import { exportedIn, rowsFrom } from './translate.ts'

/** The system that the own ids name in the new installation. */
const installation = 'old-installation'

export type Moved = {
  readonly rows: number
  readonly exportMs: number
  readonly importMs: number
  readonly refusals: readonly Line[]
  readonly differences: readonly string[]
}

/** Throws where a row is refused: what is to be moved has to be there. */
export async function fill(place: Place, rows: readonly Line[]): Promise<void> {
  const { refusals } = await importInto(place, rows)
  if (refusals.length > 0) throw new Error(`Rows to move were refused: ${JSON.stringify(refusals.slice(0, 3))}`)
}

export async function move(from: Place, to: Place): Promise<Moved> {
  const [lines, exportMs] = await timed(() => exportFrom(from))
  const before = exportedIn(lines)
  const [{ rows, refusals }, importMs] = await timed<Imported>(() => importInto(to, rowsFrom(before, installation)))
  const after = exportedIn(await exportFrom(to))
  return { rows, exportMs, importMs, refusals, differences: differences(before, after, installation) }
}

async function timed<T>(work: () => Promise<T>): Promise<[T, number]> {
  const startedAt = performance.now()
  return [await work(), performance.now() - startedAt]
}
