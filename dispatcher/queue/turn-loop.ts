// Gives turns in the lines of ordered webhooks: at once where a delivery was fanned out or has ended here, and once a
// second in all lines, for what else moves them (replays, webhooks that are enabled, dispatchers that are gone).
import type { Database } from '#prisma/client.ts'
import { loop } from '#runtime/loop.ts'
import { giveTurns, giveTurnsAfter, linesMax, type Line, type Turns } from './order-lines.ts'

export type TurnLoop = {
  /** A delivery was added to these lines, or has ended there. */
  moved(lines: readonly Line[]): void
  close(): Promise<void>
}

const beforeAll: Line = {
  webhookId: '00000000-0000-0000-0000-000000000000',
  orderKey: '00000000-0000-0000-0000-000000000000',
}
const roundMs = 1_000
/** An earlier event that is still to be fanned out is in the hands of another dispatcher, as a rule. */
const earlyMs = 20
/** Going round takes at most a tenth of the time, however many lines there are. */
const restPerWork = 9
/** Lines beyond these are found on the next round. */
const movedMax = 10_000

export function startTurns(
  db: Database,
  onTurn: (webhookId: string) => void,
  onError: (error: unknown) => void,
): TurnLoop {
  const movedLines = new Map<string, Line>()
  let [after, nextRoundAt] = [beforeAll, 0]

  function add(lines: readonly Line[]): void {
    for (const line of lines) if (movedLines.size < movedMax) movedLines.set(`${line.webhookId}:${line.orderKey}`, line)
  }

  async function giveOnce(): Promise<number> {
    const turns = performance.now() < nextRoundAt ? await giveMoved() : await goRound()
    turns.webhookIds.forEach(onTurn)
    const isOnlyEarly = movedLines.size === 0 && turns.early.length > 0
    add(turns.early)
    if (movedLines.size > 0) return isOnlyEarly ? earlyMs : 0
    return Math.max(0, nextRoundAt - performance.now())
  }

  function giveMoved(): Promise<Turns> {
    const batch = [...movedLines].slice(0, linesMax)
    batch.forEach(([key]) => movedLines.delete(key))
    return giveTurns(
      db,
      batch.map(([, line]) => line),
    )
  }

  async function goRound(): Promise<Turns> {
    const startedAt = performance.now()
    const turns = await giveTurnsAfter(db, after)
    const now = performance.now()
    const isOver = turns.last === null || turns.looked < linesMax
    after = isOver ? beforeAll : (turns.last ?? beforeAll)
    nextRoundAt = now + (isOver ? roundMs : (now - startedAt) * restPerWork)
    return turns
  }

  const turns = loop(giveOnce, onError)
  const moved = (lines: readonly Line[]): void => {
    if (lines.length === 0) return
    add(lines)
    turns.wake()
  }
  return { moved, close: turns.close }
}
