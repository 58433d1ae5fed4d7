// Whether the database answers, found out beside the work by a connection of its own. A database that is frozen keeps
// every connection open and says nothing: nobody would notice before the longest time-out of all.
import { setImmediate as turnOfEvents } from 'node:timers/promises'
import { Client, DatabaseError, type ClientConfig } from 'pg'
import { loop } from '#runtime/loop.ts'

export type Watch = { isAway(): boolean; close(): Promise<void> }

export type Watched = {
  readonly config: ClientConfig
  /** Rises with whatever is heard on other connections: then the database is slow, not away. */
  readonly heard: () => number
  readonly onAway: () => void
  readonly onBack: () => void
  readonly everyMs?: number
  readonly silenceMs?: number
}

type Outcome = 'answered' | 'refused' | 'failed'

const everyMsDefault = 500
const silenceMsDefault = 1_000
/** A timer that is later than this says that this process was busy, not that nobody has answered. */
const lateMs = 250
const tooManyConnections = '53300'

export function openWatch(watched: Watched): Watch {
  const { everyMs = everyMsDefault, silenceMs = silenceMsDefault } = watched
  let client: Client | null = null
  let away = false

  /** One whose connection was lost may have been ended alone: only where a new one fails, too, is the database away. */
  async function answers(): Promise<boolean> {
    if (client !== null) {
      const look = await outcomeOf(client.query('SELECT 1'))
      if (look !== 'failed') return look === 'answered'
      drop()
    }
    client = new Client(watched.config)
    client.on('error', () => {})
    client.once('end', () => looking.wake())
    const look = await outcomeOf(client.connect())
    if (look !== 'answered') drop()
    return look === 'answered' || look === 'refused'
  }

  async function outcomeOf(work: Promise<unknown>): Promise<Outcome | 'silent'> {
    const settled = work.then(
      () => 'answered' as const,
      (error: unknown) => (isRefusal(error) ? ('refused' as const) : ('failed' as const)),
    )
    for (;;) {
      const [before, startedAt] = [watched.heard(), performance.now()]
      const outcome = await settledWithin(silenceMs, settled)
      if (outcome !== null) return outcome
      const wasBusy = performance.now() - startedAt > silenceMs + lateMs
      if (!wasBusy && watched.heard() === before) return 'silent'
    }
  }

  function drop(): void {
    client?.removeAllListeners('end')
    client?.connection.stream.destroy()
    client = null
  }

  const looking = loop(
    async () => {
      const isAway = !(await answers())
      if (isAway) drop()
      if (isAway !== away) {
        away = isAway
        if (isAway) watched.onAway()
        else watched.onBack()
      }
      return everyMs
    },
    () => {},
  )
  const close = async () => {
    drop()
    await looking.close()
    drop()
  }
  return { isAway: () => away, close }
}

/** It has no connection to spare, which those that it has are no worse for. */
const isRefusal = (error: unknown): boolean => error instanceof DatabaseError && error.code === tooManyConnections

/** What has come meanwhile is looked at once more: timers come first. Null: nothing yet. */
async function settledWithin(ms: number, settled: Promise<Outcome>): Promise<Outcome | null> {
  const late = Promise.withResolvers<null>()
  const timer = setTimeout(late.resolve, ms, null)
  const outcome = await Promise.race([settled, late.promise])
  clearTimeout(timer)
  return outcome ?? Promise.race([settled, turnOfEvents(null)])
}
