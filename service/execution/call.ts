// One call of one handler: what it is given, and what it leaves behind to be recorded and told.
import { v7 as uuid } from 'uuid'
import { actorOf, type KeyChange, type Principal } from '#contract/principal.ts'
import type { Change } from '../audit/record-changes.ts'
import type { Idle } from './database-slots.ts'
import type { Call, Db } from './handler.ts'
import type { Emission } from '../outbox/record-events.ts'
import { unconditional, type Preconditions } from './preconditions.ts'
import type { Turn } from './workspace-lock.ts'

export type Begun = {
  readonly call: Call
  readonly outcome: { created: boolean }
  readonly emissions: readonly Emission[]
  readonly audited: readonly Change[]
  readonly keyChanges: readonly KeyChange[]
}

export type Circumstances = {
  /** Aborted when the caller is gone. */
  readonly left: AbortSignal
  readonly idle: Idle
  readonly preconditions: Preconditions
  /** One of several calls within another. */
  readonly isPart: boolean
}
/** Of calls whose caller is always there, which hold what they have and depend on nothing. */
const plain: Circumstances = {
  left: new AbortController().signal,
  idle: (wait) => wait(),
  preconditions: unconditional,
  isPart: false,
}

export function beginCall(db: Db, principal: Principal, turn: Turn, given: Partial<Circumstances> = {}): Begun {
  const { now } = turn
  const emissions: Emission[] = []
  const audited: Change[] = []
  const keyChanges: KeyChange[] = []
  const outcome = { created: false }
  const call: Call = {
    db,
    principal,
    actor: actorOf(principal),
    workspaceId: principal.workspaceId ?? '',
    ...turn,
    ...plain,
    ...given,
    emit: (event, after, before, about) => {
      const id = uuid({ msecs: now.getTime() })
      emissions.push({ id, at: now, event, after, before, about })
      return id
    },
    audit: (after, before) => void audited.push({ after, before }),
    created: () => void (outcome.created = true),
    part: (moment) => {
      const begun = beginCall(db, principal, { ...turn, now: moment }, { ...given, isPart: true })
      const keep = () => {
        emissions.push(...begun.emissions)
        audited.push(...begun.audited)
        keyChanges.push(...begun.keyChanges)
        return begun.outcome
      }
      return { call: begun.call, keep }
    },
    keysChanged: (keyChange) => void keyChanges.push(keyChange),
  }
  return { call, outcome, emissions, audited, keyChanges }
}
