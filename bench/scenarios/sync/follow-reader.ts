// A reader that follows a workspace, and in the end compares what it has seen with the table.
import { setTimeout as after } from 'node:timers/promises'
import { clock } from '../../measure/clock.ts'

/** One version of one object, and when it was written, in milliseconds since 1970. */
export type Change = { readonly id: string; readonly version: number; readonly at: number }
type Read = { readonly changes: readonly Change[]; readonly hasMore: boolean }
/**
 * One page from where the last one ended. It may wait for something new unless it is told that there will be nothing.
 */
export type ReadOn = (mayWait: boolean) => Promise<Read>

export type Followed = {
  /** The last version seen of each object. */
  readonly seen: ReadonlyMap<string, number>
  /** Until there was no more for the first time. */
  readonly caughtUp: { readonly seconds: number; readonly pages: number; readonly changes: number }
  /** Milliseconds from written to read, of the changes after that. */
  readonly lagsMs: readonly number[]
}

export type Following = {
  readonly readOn: ReadOn
  /** Every version of every object is to be seen, not only its last one. */
  readonly everyVersion: boolean
  readonly onCaughtUp: () => void
  /** Aborted when nothing is written any more. */
  readonly quiet: AbortSignal
  readonly withinMs: number
}

/** A change that comes twice, or an older one, is an error. */
export async function follow({ readOn, everyVersion, onCaughtUp, quiet, withinMs }: Following): Promise<Followed> {
  const seen = new Map<string, number>()
  const lagsMs: number[] = []
  const startedAt = performance.now()
  let caughtUp: Followed['caughtUp'] | null = null
  let [pages, changes] = [0, 0]
  for (;;) {
    if (performance.now() - startedAt > withinMs) throw new Error(`Not caught up within ${withinMs} ms`)
    const wasQuiet = quiet.aborted
    const read = await readOn(!wasQuiet)
    const at = clock()
    for (const change of read.changes) {
      note(seen, change, everyVersion)
      if (caughtUp !== null) lagsMs.push(at - change.at)
    }
    pages += 1
    changes += read.changes.length
    if (read.hasMore) continue
    if (caughtUp === null) onCaughtUp()
    caughtUp ??= { seconds: (performance.now() - startedAt) / 1_000, pages, changes }
    // Whatever was written was there before this page was asked for.
    if (wasQuiet) return { seen, caughtUp, lagsMs }
    if (read.changes.length === 0) await after(pollEveryMs)
  }
}

const pollEveryMs = 20

function note(seen: Map<string, number>, { id, version }: Change, everyVersion: boolean): void {
  const known = seen.get(id) ?? 0
  if (version === known) throw new Error(`Version ${version} of ${id} came twice`)
  if (version < known) throw new Error(`Version ${version} of ${id} came after version ${known}`)
  if (everyVersion && version > known + 1) throw new Error(`Version ${version} of ${id} came after version ${known}`)
  seen.set(id, version)
}

/** Throws when something was missed, and names the first few. */
export function assertAllSeen(there: ReadonlyMap<string, number>, seen: ReadonlyMap<string, number>): void {
  const missed = [...there].filter(([id, version]) => seen.get(id) !== version)
  const invented = [...seen.keys()].filter((id) => !there.has(id))
  if (missed.length === 0 && invented.length === 0) return
  const some = missed.slice(0, 5).map(([id, version]) => `${id} (version ${version}, seen ${seen.get(id) ?? 'none'})`)
  throw new Error(`${missed.length} changes were missed, ${invented.length} were of nothing: ${some.join(', ')}`)
}
