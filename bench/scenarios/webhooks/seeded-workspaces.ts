// For both parts of the webhook scenario: seeded workspaces with webhooks that all send to one receiver.
import { forgetEvents } from '../../product/broker.ts'
import type { Database } from '../../product/database.ts'
import { actingIn } from '../../product/principal.ts'
import type { Receiver } from '../../product/receiver.ts'
import type { Deployment } from '../../product/settings.ts'
import type { Tenant } from '../../product/tenants.ts'
import { startDispatcher, startService, type Tier } from '../../product/tiers.ts'
import type { Target } from '../../programs/load.ts'

export type Setting = {
  readonly deployment: Deployment
  readonly seeded: Database
  readonly tenants: readonly Tenant[]
  readonly receiver: Receiver
  /** Of a real event: what the peer sends. */
  readonly eventBody: string
  readonly seconds: number
}
export type System = AsyncDisposable & {
  readonly database: Database
  readonly service: Tier
  readonly dispatcher: Tier
}

export const workspaces = 16
export const webhooksEach = 2

export async function startSystem({ deployment, seeded, receiver }: Setting): Promise<System> {
  await using undo = new AsyncDisposableStack()
  const database = undo.use(await seeded.copy())
  const service = undo.use(await startService(deployment, database.url))
  const dispatcher = undo.use(await startDispatcher(deployment, database.url))
  await forgetEvents(deployment)
  await receiver.forget()
  const kept = undo.move()
  return { database, service, dispatcher, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** Straight to the service: the gateway is no part of what is measured here. */
export const creates = ({ tenants, deployment }: Setting): Target[] =>
  tenants.map(({ workspaceId }) => ({
    method: 'POST',
    path: '/api/v1/projects',
    headers: { 'content-type': 'application/json' },
    ...actingIn(workspaceId, deployment),
    body: '{"name":"{letters}"}',
  }))
