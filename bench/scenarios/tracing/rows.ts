// A row is a process with these settings, under the load of the scenario that measures it otherwise.
import { randomUUID } from 'node:crypto'
import { underLoad } from '../../measure/requests.ts'
import type { Row } from '../../measure/rounds.ts'
import type { Database } from '../../product/database.ts'
import type { Key } from '../../product/keys.ts'
import { actingIn } from '../../product/principal.ts'
import { newDeployment, type Deployment } from '../../product/settings.ts'
import type { Target } from '../../programs/load.ts'
import type { Tenant } from '../../product/tenants.ts'
import { startGateway, startService } from '../../product/tiers.ts'

type Settings = Record<string, string>
type Edge = {
  readonly keys: readonly Key[]
  /** URL. */
  readonly origin: string
  readonly seconds: number
}

export const reading = (name: string, settings: Settings, { keys, origin, seconds }: Edge): Row => ({
  name,
  measure: async () => {
    await using gateway = await startGateway(newDeployment(), origin, settings)
    const targets = keys.map(({ token }): Target => ({
      method: 'GET',
      path: `/api/v1/projects/${randomUUID()}`,
      headers: { authorization: `Bearer ${token}` },
    }))
    const plan = { url: gateway.url, targets, expect: 200, seconds, warmRequests: 50_000 }
    return await underLoad(plan, async () => ({ own: [gateway.pid] }))
  },
})

type Inner = {
  readonly deployment: Deployment
  readonly seeded: Database
  readonly tenants: readonly Tenant[]
  readonly seconds: number
}

export const creating = (name: string, settings: Settings, { deployment, seeded, tenants, seconds }: Inner): Row => ({
  name,
  measure: async () => {
    await using database = await seeded.copy()
    await using service = await startService(deployment, database.url, settings)
    const targets = tenants.map(({ workspaceId }): Target => {
      const sender = actingIn(workspaceId, deployment, { keyId: workspaceId })
      const headers = { 'content-type': 'application/json', ...sender.headers }
      return { ...sender, method: 'POST', path: '/api/v1/projects', headers, body: '{"name":"{letters}"}' }
    })
    const plan = { url: service.url, targets, expect: 201, seconds, warmRequests: 4_000 }
    return await underLoad(plan, async () => ({ own: [service.pid] }))
  },
})
