// The ways from a request for projects to the rows: the whole product, the service alone, and the two peers.
import { runProgram, serveProgram } from '../../measure/program.ts'
import { connections, graceMs, underLoad, warmSeconds } from '../../measure/requests.ts'
import type { Row } from '../../measure/rounds.ts'
import type { Database } from '../../product/database.ts'
import { actingIn, type Sender } from '../../product/principal.ts'
import { newDeployment, type Deployment } from '../../product/settings.ts'
import type { Tenant } from '../../product/tenants.ts'
import { startGateway, startService } from '../../product/tiers.ts'
import type { Plan as FastifyPg } from '../../programs/fastify-pg.ts'
import type { Target } from '../../programs/load.ts'
import type { Plan as ReplyFrom } from '../../programs/reply-from.ts'
import type { Plan as RawPg, Result as RawPgResult } from '../../programs/raw-pg.ts'

/** One kind of request: how it is built for a sender, and which answer is right. */
export type Asking = { readonly expect: number; readonly target: (sender: Sender) => Target }
export type Setting = {
  readonly deployment: Deployment
  readonly seeded: Database
  readonly tenants: readonly Tenant[]
  readonly seconds: number
}

/**
 * Of a process that has begun with the row: at some hundred requests a second 2 s are too short for it to have compiled
 * what it runs.
 */
const warmRequests = 4_000

export const whole = ({ deployment, seeded, tenants, seconds }: Setting, { expect, target }: Asking): Row => ({
  name: 'gateway + service',
  measure: async () => {
    await using database = await seeded.copy()
    await using inner = await startService(deployment, database.url)
    // Limits are counted under the brand: with one of its own this gateway starts from full buckets.
    await using edge = await startGateway({ ...deployment, brand: newDeployment().brand }, inner.url)
    const watched = async () => ({ own: [edge.pid, inner.pid], proxy: edge.pid, postgres: await database.backends() })
    return await underLoad(
      { url: edge.url, targets: withKeys(tenants, target), expect, seconds, warmRequests },
      watched,
    )
  },
})

/**
 * The same requests as to the service alone, through a proxy that knows nothing: what any way through a second process
 * costs.
 */
export const proxied = (
  name: string,
  { deployment, seeded, tenants, seconds }: Setting,
  { expect, target }: Asking,
): Row => ({
  name,
  measure: async () => {
    await using database = await seeded.copy()
    await using inner = await startService(deployment, database.url)
    await using edge = await serveProgram('reply-from', 'measured', { origin: inner.url } satisfies ReplyFrom)
    const targets = signedTargets(tenants, deployment, target)
    const watched = async () => ({ own: [edge.pid, inner.pid], proxy: edge.pid, postgres: await database.backends() })
    return await underLoad({ url: edge.url, targets, expect, seconds, warmRequests }, watched)
  },
})

export const service = ({ deployment, seeded, tenants, seconds }: Setting, { expect, target }: Asking): Row => ({
  name: 'service',
  measure: async () => {
    await using database = await seeded.copy()
    await using inner = await startService(deployment, database.url)
    const targets = signedTargets(tenants, deployment, target)
    const watched = async () => ({ own: [inner.pid], postgres: await database.backends() })
    return await underLoad({ url: inner.url, targets, expect, seconds, warmRequests }, watched)
  },
})

export const bare = (name: string, { seeded, tenants, seconds }: Setting, { expect, target }: Asking): Row => ({
  name,
  measure: async () => {
    await using database = await seeded.copy()
    await using server = await serveProgram('fastify-pg', 'measured', { database: database.url } satisfies FastifyPg)
    const targets = tenants.map(({ workspaceId }) => target({ headers: { 'x-workspace-id': workspaceId } }))
    const watched = async () => ({ own: [server.pid], postgres: await database.backends() })
    return await underLoad({ url: server.url, targets, expect, seconds, warmRequests }, watched)
  },
})

export const pgAlone = ({ seeded, tenants, seconds }: Setting): Row => ({
  name: 'pg alone',
  measure: async () => {
    await using database = await seeded.copy()
    const workspaceIds = tenants.map(({ workspaceId }) => workspaceId)
    const plan: RawPg = { database: database.url, workspaceIds, concurrency: connections, warmSeconds, seconds }
    const {
      done,
      seconds: took,
      cpuMicros,
      p50Ms,
      p99Ms,
    } = await runProgram<RawPgResult>('raw-pg', 'measured', plan, (warmSeconds + seconds) * 1_000 + graceMs)
    return { perSecond: done / took, cpu: cpuMicros / done, cores: cpuMicros / took / 1e6, p50Ms, p99Ms }
  },
})

/** A key for each workspace: changes of one key wait for each other, whichever workspaces they are in. */
const signedTargets = (tenants: readonly Tenant[], deployment: Deployment, target: Asking['target']): Target[] =>
  tenants.map(({ workspaceId }) => target(actingIn(workspaceId, deployment, { keyId: workspaceId })))

/** All workspaces with their first key, then all with their second: neighbours never meet in one workspace. */
function withKeys(tenants: readonly Tenant[], target: Asking['target']): Target[] {
  const keys = tenants[0]?.tokens.length ?? 0
  const senders = Array.from({ length: keys }, (_, n) =>
    tenants.map(({ tokens }): Sender => ({ headers: { authorization: `Bearer ${tokens[n]}` } })),
  )
  return senders.flat().map(target)
}
