// A replica of the primary that takes reads (DATABASE_READ_URL). It is behind by as much as it takes to send and to
// apply a change, which nothing bounds. So each read asks the primary first what its workspace must find, and the
// replica whether it has that: if not, the read is one of the primary. That holds whoever has written, in whichever
// process, and whichever of several replicas a connection leads to (docs/decisions/0017-reading-from-a-replica.md).
//
// Besides, a watch looks every half second whether it is a replica of this primary at all, and how far behind. Whatever
// is wrong with it, no call fails by it: reads go to the primary until it is well again.
import type { Log } from '#runtime/log.ts'
import { loop } from '#runtime/loop.ts'
import { tally, type Tally } from '#runtime/metrics/metric.ts'
import { StartupError, type Part } from '#runtime/process.ts'
import { clientFor } from './caller-signal.ts'
import { openDatabase, type Database, type OpenedDatabase } from './client.ts'
import { UnknownOutcome, databaseErrorIn, lossOf } from './database-errors.ts'
import type { Prisma } from './generated/client.ts'
import type { Postgres } from './pool.ts'
import { lookAtPrimary, lookAtReplica, positionOnReplica, positionsOnPrimary } from './replica-rows.ts'
import { transact } from './transaction.ts'

/** `away`: not reached. `promoted`: it takes writes. `foreign`: of another database, or on another time line. */
export type ReplicaState = 'usable' | 'away' | 'promoted' | 'foreign' | 'behind'
/** Of reads. `waits`: the call waits for what is new. `failed`: it was cancelled or lost, and made again. */
type Outcome = 'replica' | 'unusable' | 'behind' | 'waits' | 'failed'

export type ReplicaRead = {
  readonly workspaceId: string
  readonly signal: AbortSignal
  readonly statementMs: number | undefined
  /** All that it reads is written under the workspace lock. */
  readonly isUnderLock: boolean
}
export type Replica = Part & {
  /** Runs a read on the replica. Null where the primary must run it. */
  read<T>(asked: ReplicaRead, work: (db: Prisma.TransactionClient) => Promise<T>): Promise<{ readonly value: T } | null>
  state(): ReplicaState
  behindSeconds(): number
  readonly reads: Tally<'outcome'>
}

/** Thrown by a read that the replica cannot serve. */
export class LeftToPrimary extends Error {
  override readonly name = 'LeftToPrimary'
  readonly outcome: Outcome
  constructor(outcome: Outcome) {
    super('The primary must serve this read')
    this.outcome = outcome
  }
}

const lookEveryMs = 500
/** A read that waits for what recovery has locked is made again. */
const lockTimeoutMs = 1_000
/** What is written outside of the workspace lock may be missing for so long. */
export const behindMaxMs = 30_000

export function openReplica(primary: Database, where: Postgres, log: Log): Replica {
  const { usable, state, behindSeconds, close } = watchReplica(primary, where, log)
  const reads = tally(['outcome'])
  const needed = positionsAsked(primary)

  const read: Replica['read'] = async ({ workspaceId, signal, statementMs, isUnderLock }, work) => {
    try {
      const replica = usable()
      if (replica === null) throw new LeftToPrimary('unusable')
      const asked = needed(workspaceId)
      const value = await transact(replica.db, async (tx) => {
        const [[there], position] = await Promise.all([positionOnReplica(tx, workspaceId), asked])
        const isCurrent = there?.identity === replica.identity && hasAll(there, position, isUnderLock)
        if (!isCurrent) throw new LeftToPrimary('behind')
        return work(clientFor(tx, signal, statementMs))
      })
      reads.add({ outcome: 'replica' })
      return { value }
    } catch (error) {
      const outcome = outcomeOf(error)
      if (outcome === null) throw error
      reads.add({ outcome })
      return null
    }
  }
  return { read, state, behindSeconds, reads, close }
}

type Usable = { readonly db: Database; readonly identity: string | null }
type ReplicaWatch = Part & Pick<Replica, 'state' | 'behindSeconds'> & { usable(): Usable | null }

function watchReplica(primary: Database, where: Postgres, log: Log): ReplicaWatch {
  const lag = lagOf()
  let opened: OpenedDatabase | null = null
  let state: ReplicaState = 'away'
  let identity: string | null = null
  let behindMs = 0
  let told: ReplicaState | null = null

  async function look(): Promise<number> {
    const [now] = await lookAtPrimary(primary)
    if (now === undefined) throw new Error('The primary does not say what it is')
    lag.note(performance.now(), now.written)
    const found = await lookAtOther().catch((err: unknown) => ({ err }))
    behindMs = lag.behindMs(performance.now(), 'err' in found ? null : found.replayed)
    state = 'err' in found ? stateByError(found.err) : stateOf(now, found, behindMs)
    identity = now.identity
    if (state !== told) tell('err' in found ? found.err : undefined)
    return lookEveryMs
  }

  async function lookAtOther(): Promise<Look> {
    opened ??= await openDatabase({ lockTimeoutMs, ...where })
    const [found] = await lookAtReplica(opened.db)
    if (found === undefined) throw new Error('The replica does not say what it is')
    return found
  }

  function tell(err: unknown): void {
    const seconds = Math.round(behindMs / 1_000)
    if (state === 'usable') log.info({ seconds }, 'reads go to the replica')
    else log.warn({ err, state, seconds }, 'the replica is not used: all reads go to the primary')
    told = state
  }

  // Of a primary that does not answer others tell.
  const watch = loop(look, () => {})
  const usable = () => (opened === null || state !== 'usable' || opened.isAway() ? null : { db: opened.db, identity })
  const close = async () => {
    await watch.close()
    await opened?.close()
  }
  return { usable, state: () => state, behindSeconds: () => behindMs / 1_000, close }
}

type PrimaryLook = Pick<Awaited<ReturnType<typeof lookAtPrimary>>[number], 'identity' | 'cluster'>
type Look = Awaited<ReturnType<typeof lookAtReplica>>[number]

export function stateOf(primary: PrimaryLook, replica: Omit<Look, 'replayed'>, behindMs: number): ReplicaState {
  if (!replica.isReplica) return 'promoted'
  if (replica.cluster !== primary.cluster || replica.identity !== primary.identity) return 'foreign'
  return behindMs > behindMaxMs ? 'behind' : 'usable'
}

/** One that answers, and has no such tables, is of another database. */
const stateByError = (err: unknown): ReplicaState =>
  err instanceof StartupError || lossOf(err) !== null ? 'away' : 'foreign'

type Position = { readonly change: string; readonly written: bigint }
type ReplicaPosition = Awaited<ReturnType<typeof positionOnReplica>>[number]

/** Whether a replica has all that a caller of the workspace may have seen. */
export function hasAll(
  { isReplica, replayed, change }: Omit<ReplicaPosition, 'identity'>,
  needed: Position | undefined,
  isUnderLock: boolean,
): boolean {
  if (!isReplica || needed === undefined) return false
  return (replayed !== null && replayed >= needed.written) || (isUnderLock && change === needed.change)
}

/**
 * How long a replica has lacked something, by what the primary had written at which time: no clock of the replica's is
 * believed, and a primary on which nothing happens makes no replica old.
 */
export function lagOf() {
  /** What is not known to be replayed, the oldest first. */
  let missing: Mark[] = []
  return {
    note: (at: number, written: bigint): void => {
      if ((missing.at(-1)?.written ?? -1n) >= written) return
      missing.push({ at, written })
      if (missing.length > marksMax) missing = inPairs(missing)
    },
    /** Null: it does not say. */
    behindMs: (at: number, replayed: bigint | null): number => {
      if (replayed !== null) missing = missing.filter(({ written }) => written > replayed)
      return missing[0] === undefined ? 0 : at - missing[0].at
    },
  }
}

type Mark = { readonly at: number; readonly written: bigint }
const marksMax = 240

/** Of a long time fewer marks are enough: what two of them say, and rather too much than too little. */
const inPairs = (marks: readonly Mark[]): Mark[] =>
  marks.flatMap((mark, n) => (n % 2 === 0 ? [{ at: mark.at, written: (marks[n + 1] ?? mark).written }] : []))

/** Reads that come while one statement is under way share the next one. */
function positionsAsked(primary: Database): (workspaceId: string) => Promise<Position | undefined> {
  type Batch = { readonly ids: Set<string>; readonly found: Promise<ReadonlyMap<string, Position>> }
  let waiting: Batch | null = null
  let last: Promise<unknown> = Promise.resolve()

  function nextBatch(): Batch {
    const ids = new Set<string>()
    const found = last.then(async () => {
      waiting = null
      const rows = await positionsOnPrimary(primary, [...ids])
      return new Map(rows.map((row) => [row.workspaceId, row]))
    })
    last = found.catch(() => {})
    return { ids, found }
  }
  return async (workspaceId) => {
    waiting ??= nextBatch()
    waiting.ids.add(workspaceId)
    return (await waiting.found).get(workspaceId)
  }
}

/**
 * Recovery cancels statements that need what it is about to remove, and ends transactions and connections; what it has
 * locked, others wait for in vain.
 */
const conflicts = new Set(['40001', '40P01', '57P04', '55P03'])
/** A replica changes nothing, and locks nothing. */
const readOnly = '25006'

/** Null where the error is the read's own, and the primary would answer the same. */
function outcomeOf(error: unknown): Outcome | null {
  if (error instanceof LeftToPrimary) return error.outcome
  if (error instanceof UnknownOutcome || lossOf(error) !== null) return 'failed'
  if (!(error instanceof Error)) return null
  const { originalCode = '' } = databaseErrorIn(error)
  const { code } = error as { readonly code?: unknown }
  return conflicts.has(originalCode) || originalCode === readOnly || code === 'P2034' ? 'failed' : null
}
