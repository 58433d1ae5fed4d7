// Workspaces with what they need to be measured, made as an operator and an integration would make them: through the
// gateway, over HTTP.
import type { ApiKey } from '#contract/api-keys.ts'
import type { Workspace } from '#contract/workspaces.ts'
import type { Deployment } from './settings.ts'

export type Tenant = {
  readonly workspaceId: string
  readonly keyIds: readonly string[]
  readonly tokens: readonly string[]
}
export type Wanted = {
  readonly workspaces: number
  readonly keysEach: number
  readonly projectsEach: number
  /** One webhook for each address, for created projects. */
  readonly receivers: readonly string[]
}

export async function makeTenants(gateway: string, deployment: Deployment, wanted: Wanted): Promise<Tenant[]> {
  const tenants: Tenant[] = []
  for (let n = 0; n < wanted.workspaces; n++) tenants.push(await makeTenant(gateway, deployment, wanted))
  return tenants
}

async function makeTenant(
  gateway: string,
  { operatorToken }: Deployment,
  { keysEach, projectsEach, receivers }: Wanted,
): Promise<Tenant> {
  const asOperator = <T>(path: string, body: object) => post<T>(`${gateway}/settings/api${path}`, operatorToken, body)
  const { id: workspaceId } = await asOperator<Workspace>('/workspaces', { name: 'Bench' })
  const settings = `/workspaces/${workspaceId}`
  const key = { name: 'Bench', scopes: ['projects:read', 'projects:write'] }
  const keys = await Promise.all(
    many(keysEach, () => asOperator<ApiKey & { secret: string }>(`${settings}/api-keys`, key)),
  )
  await Promise.all(
    receivers.map((url) =>
      asOperator(`${settings}/webhooks`, { name: 'Bench', url, eventTypes: ['projects.created'] }),
    ),
  )
  const tokens = keys.map(({ secret }) => secret)
  for (let made = 0; made < projectsEach; made += batch) {
    const size = Math.min(batch, projectsEach - made)
    await Promise.all(
      many(size, (n) =>
        post(`${gateway}/api/v1/projects`, tokens[(made + n) % tokens.length] ?? '', { name: `Project ${made + n}` }),
      ),
    )
  }
  return { workspaceId, keyIds: keys.map(({ id }) => id), tokens }
}

const batch = 25

const many = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))

async function post<T>(url: string, token: string, body: object): Promise<T> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok)
    throw new Error(`POST ${new URL(url).pathname} answered ${response.status} ${await response.text()}`)
  return (await response.json()) as T
}
