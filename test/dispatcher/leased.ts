// Deliveries in the hands of a dispatcher, and what may come of them.
import { v7 as uuid } from 'uuid'
import type { Database } from '#prisma/client.ts'
import type { AttemptResult } from '../../dispatcher/attempt/deliver.ts'
import { fanOut } from '../../dispatcher/fan-out/fan-out.ts'
import { waitingByIds } from '../../dispatcher/fan-out/rows.ts'
import { claimForWebhooks } from '../../dispatcher/queue/claim-rows.ts'
import { deliveryLoader } from '../../dispatcher/queue/load-delivery.ts'
import { type LoadedDelivery } from '../../dispatcher/queue/delivery-rows.ts'
import type { Rows } from './stage.ts'

export const me = uuid()
/** Where nobody listens. */
export const noReceiver = 'http://127.0.0.1:1/'

type FanOutOptions = Parameters<typeof fanOut>[2]

/** As a dispatcher that has room for everything, and starts nothing at once. */
export const fanOutAs = (db: Database, owner: string, eventIds: readonly string[], more: Partial<FanOutOptions> = {}) =>
  fanOut(db, waitingByIds(eventIds), {
    owner,
    maxAttempts: 3,
    hasCapacity: () => true,
    hasSlot: () => false,
    ...more,
  })

/** As a dispatcher that has room for many. */
export const claimAs = (db: Database, owner: string, webhookIds: readonly string[]) =>
  claimForWebhooks(db, { owner, takesOver: false }, { free: 100, perWebhook: 100, known: new Map() }, webhookIds)

/** Leased to `me`, with all that an attempt needs. */
export async function leased(stage: Rows): Promise<LoadedDelivery> {
  await stage.webhook({ url: noReceiver })
  return leasedAgain(stage)
}

/** Of the same webhook. */
export async function leasedAgain(stage: Rows): Promise<LoadedDelivery> {
  const [row] = (await fanOutAs(stage.db, me, [await stage.event()])).leased
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
