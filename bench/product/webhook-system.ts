// For the scenarios about webhooks: seeded workspaces with webhooks that all send to one receiver, and the processes
// between a change and that receiver.
import type { Core } from '../measure/cores.ts'
import type { Target } from '../programs/load.ts'
import { forgetEvents, removeQueues } from './broker.ts'
import { emptyDatabase, type Database } from './database.ts'
import { actingIn } from './principal.ts'
import { startReceiver, type Receiver } from './receiver.ts'
import { newDeployment, type Deployment } from './settings.ts'
import { makeTenants, type Tenant } from './tenants.ts'
import { migrate, startDispatcher, startGateway, startService, type Tier } from './tiers.ts'

export type Stage = AsyncDisposable & {
  readonly deployment: Deployment
  readonly receiver: Receiver
  /** A database of its own with so many workspaces, each with a webhook for each of these paths of the receiver. */
  seed(workspaces: number, paths: readonly string[]): Promise<Seeded>
}
export type Seeded = {
  readonly deployment: Deployment
  readonly receiver: Receiver
  readonly database: Database
  readonly tenants: readonly Tenant[]
}
export type System = AsyncDisposable & {
  readonly database: Database
  readonly service: Tier
  readonly dispatchers: readonly Tier[]
}

export async function openStage(): Promise<Stage> {
  await using undo = new AsyncDisposableStack()
  const [deployment, receiver] = [newDeployment(), undo.use(await startReceiver())]
  undo.defer(() => removeQueues(deployment))
  const databases = undo.use(new AsyncDisposableStack())

  async function seed(workspaces: number, paths: readonly string[]): Promise<Seeded> {
    const database = databases.use(await emptyDatabase())
    await migrate(database.url)
    await using service = await startService(deployment, database.url)
    await using gateway = await startGateway(deployment, service.url)
    const receivers = paths.map((path) => receiver.url + path)
    const tenants = await makeTenants(gateway.url, deployment, { workspaces, keysEach: 1, projectsEach: 1, receivers })
    // What seeding has written is not to be delivered.
    await database.session((query) => query('DELETE FROM outbox'))
    return { deployment, receiver, database, tenants }
  }
  const kept = undo.move()
  return { deployment, receiver, seed, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

type SystemOptions = {
  readonly dispatchers?: number
  readonly core?: Core
  /** Of the dispatchers, beside their settings. */
  readonly environment?: Readonly<Record<string, string>>
}

/** On a copy of the seeded database. */
export async function startSystem(
  { deployment, database: seeded, receiver }: Pick<Seeded, 'deployment' | 'database' | 'receiver'>,
  { dispatchers: count = 1, core = 'measured', environment = {} }: SystemOptions = {},
): Promise<System> {
  await using undo = new AsyncDisposableStack()
  const database = undo.use(await seeded.copy())
  // Else the server writes the copy to its disk while others are measured.
  await database.session((query) => query('CHECKPOINT'))
  const service = undo.use(await startService(deployment, database.url))
  const dispatchers: Tier[] = []
  for (let n = 0; n < count; n++)
    dispatchers.push(undo.use(await startDispatcher(deployment, database.url, environment, core)))
  await forgetEvents(deployment)
  await receiver.forget()
  const kept = undo.move()
  return { database, service, dispatchers, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

/** Straight to the service: the gateway is no part of what is measured here. */
export const creates = ({ tenants, deployment }: Pick<Seeded, 'tenants' | 'deployment'>): Target[] =>
  tenants.map(({ workspaceId }) => ({
    method: 'POST',
    path: '/api/v1/projects',
    headers: { 'content-type': 'application/json' },
    ...actingIn(workspaceId, deployment),
    body: '{"name":"{letters}"}',
  }))
