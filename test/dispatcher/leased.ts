// One delivery in the hands of a dispatcher, and what may come of it.
import { v7 as uuid } from 'uuid'
import type { AttemptResult } from '../../dispatcher/attempt/deliver.ts'
import { fanOut } from '../../dispatcher/fan-out/fan-out.ts'
import { waitingByIds } from '../../dispatcher/fan-out/rows.ts'
import { deliveryLoader, type LoadedDelivery } from '../../dispatcher/queue/load-delivery.ts'
import type { Stage } from './stage.ts'

export const me = uuid()

/** Leased to `me`, with all that an attempt needs. */
export async function leased(stage: Stage): Promise<LoadedDelivery> {
  await stage.webhook({ url: 'http://127.0.0.1:1/' })
  return leasedAgain(stage)
}

/** Of the same webhook. */
export async function leasedAgain(stage: Stage): Promise<LoadedDelivery> {
  const event = await stage.event()
  const { leased: rows } = await fanOut(stage.db, waitingByIds([event]), {
    owner: me,
    maxAttempts: 3,
    hasCapacity: () => true,
    hasSlot: () => false,
  })
  const [row] = rows
  const delivery = row === undefined ? null : await deliveryLoader(stage.db, me).load(row)
  if (delivery === null) throw new Error('Nothing was leased')
  return delivery
}

export function result(delivery: LoadedDelivery, kind: 'delivered' | 'retry' | 'dead'): AttemptResult {
  const answer = {
    kind: 'answered',
    status: kind === 'delivered' ? 200 : 500,
    headers: { 'x-a': '\u00e9"' },
    body: '\uFFFD',
    truncated: false,
    timings: { dns: null, connect: 2, tls: null, firstByte: 1 },
  } as const
  const outcome = kind === 'retry' ? { kind, delayMs: 5_000 } : { kind }
  return {
    delivery,
    trigger: 'automatic',
    startedAt: new Date(),
    durationMs: 3,
    requestHeaders: {},
    answer,
    errorCode: kind === 'delivered' ? null : 'http_status',
    command: null,
    outcome,
  }
}
