// One call of one handler: what it is given, and what it leaves behind to be recorded and told.
import { v7 as uuid } from 'uuid'
import { actorOf, type KeyChange, type Principal } from '#contract/principal.ts'
import type { Change } from './audit/record.ts'
import type { Call, Db } from './handler.ts'
import type { Emission } from './outbox/record.ts'

export type Begun = {
  readonly call: Call
  readonly emissions: readonly Emission[]
  readonly audited: readonly Change[]
  readonly keyChanges: readonly KeyChange[]
}

export function beginCall(db: Db, principal: Principal, now: Date): Begun {
  const emissions: Emission[] = []
  const audited: Change[] = []
  const keyChanges: KeyChange[] = []
  const call: Call = {
    db,
    principal,
    actor: actorOf(principal),
    workspaceId: principal.workspaceId ?? '',
    now,
    emit: (event, after, before) => {
      const id = uuid({ msecs: now.getTime() })
      emissions.push({ id, event, after, before })
      return id
    },
    audit: (after, before) => void audited.push({ after, before }),
    keysChanged: (keyChange) => void keyChanges.push(keyChange),
  }
  return { call, emissions, audited, keyChanges }
}
