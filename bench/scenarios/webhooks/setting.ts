// What the parts of the webhook scenario share.
import type { Seeded } from '../../product/webhook-system.ts'

export type Setting = {
  readonly narrow: Seeded
  /** With eight webhooks in each workspace: the service has less to do for each delivery. */
  readonly wide: Seeded
  /** Of a real event: what the peer sends. */
  readonly eventBody: string
  readonly seconds: number
  /** Deliveries a second of one dispatcher that always has another, as the rounds so far have found. */
  readonly highest: number[]
}

export const workspaces = 16
export const webhooksEach = 2
export const webhooksEachWide = 8
