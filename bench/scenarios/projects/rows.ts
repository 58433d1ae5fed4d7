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
import type { Plan as RawPg, Result as RawPgResult } from '../../programs/raw-pg.ts'

/** One kind of request: how it is built for a sender, and which answer is right. */
export type Asking = { readonly expect: number; readonly target: (sender: Sender) => Target }
export type Setting = {
  readonly deployment: Deployment
  readonly seeded: Database
  readonly tenants: readonly Tenant[]
  readonly seconds: number
}

export const whole = ({ deployment, seeded, tenants, seconds }: Setting, { expect, target }: Asking): Row => ({
  name: 'gateway + service',
  measure: async () => {
    await using database = await seeded.copy()
    await using inner = await startService(deployment, database.url)
    // Limits are counted under the brand: with one of its own this gateway starts from full buckets.
    await using edge = await startGateway({ ...deployment, brand: newDeployment().brand }, inner.url)
    const watched = async () => ({ own: [edge.pid, inner.pid], postgres: await database.backends() })
    return await underLoad({ url: edge.url, targets: withKeys(tenants, target), expect, seconds }, watched)
  },
})

export const service = ({ deployment, seeded, tenants, seconds }: Setting, { expect, target }: Asking): Row => ({
  name: 'service',
  measure: async () => {
    await using database = await seeded.copy()
    await using inner = await startService(deployment, database.url)
    const targets = tenants.map(({ workspaceId }) => target(actingIn(workspaceId, deployment)))
    const watched = async () => ({ own: [inner.pid], postgres: await database.backends() })
    return await underLoad({ url: inner.url, targets, expect, seconds }, watched)
  },
})

export const bare = (name: string, { seeded, tenants, seconds }: Setting, { expect, target }: Asking): Row => ({
  name,
  measure: async () => {
    await using database = await seeded.copy()
    await using server = await serveProgram('fastify-pg', 'measured', { database: database.url } satisfies FastifyPg)
    const targets = tenants.map(({ workspaceId }) => target({ headers: { 'x-workspace-id': workspaceId } }))
    const watched = async () => ({ own: [server.pid], postgres: await database.backends() })
    return await underLoad({ url: server.url, targets, expect, seconds }, watched)
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

/** All workspaces with their first key, then all with their second: neighbours never meet in one workspace. */
function withKeys(tenants: readonly Tenant[], target: Asking['target']): Target[] {
  const keys = tenants[0]?.tokens.length ?? 0
  const senders = Array.from({ length: keys }, (_, n) =>
    tenants.map(({ tokens }): Sender => ({ headers: { authorization: `Bearer ${tokens[n]}` } })),
  )
  return senders.flat().map(target)
}
