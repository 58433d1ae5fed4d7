// One key, revoked while connections are lost.
import { setTimeout as after } from 'node:timers/promises'
import type { ApiKey } from '#contract/api-keys.ts'
import { settingsPrefix } from '#contract/route-paths.ts'
import { call } from '../../product/calls.ts'
import { cuttableConnection } from '../../product/cuttable-connection.ts'
import type { Database } from '../../product/database.ts'
import { redisUrl, type Deployment } from '../../product/settings.ts'
import { makeTenants } from '../../product/tenants.ts'
import { startGateway, startService } from '../../product/tiers.ts'
import type { Row } from '../../measure/rounds.ts'

export type Setting = { readonly deployment: Deployment; readonly seeded: Database }
type Cut = { readonly name: string; readonly gateway: boolean; readonly revoking: boolean; readonly other: boolean }

const who = (gateway: boolean, revoking: boolean, other: boolean): string =>
  [gateway && 'gateway', revoking && 'revoking service', other && 'other service'].filter(Boolean).join(' + ') ||
  'nobody'

const both = [false, true]
export const combinations: readonly Cut[] = both.flatMap((gateway) =>
  both.flatMap((revoking) => both.map((other) => ({ name: who(gateway, revoking, other), gateway, revoking, other }))),
)

const boundSeconds = 5
const watchedSeconds = 9
const callEveryMs = 100
const warmCalls = 10

export const revoking = (cut: Cut, { deployment, seeded }: Setting): Row => ({
  name: cut.name,
  measure: async () => {
    await using database = await seeded.copy()
    await using toGateway = await cuttableConnection(redisUrl)
    await using toRevoking = await cuttableConnection(redisUrl)
    await using toOther = await cuttableConnection(redisUrl)
    await using one = await startService(deployment, database.url, { REDIS_URL: toRevoking.url })
    await using other = await startService(deployment, database.url, { REDIS_URL: toOther.url })
    await using gateway = await startGateway(deployment, `${one.url},${other.url}`, { REDIS_URL: toGateway.url })
    // The operator's call goes to the service that is to revoke.
    await using operator = await startGateway(deployment, one.url)
    const [tenant] = await makeTenants(operator.url, deployment, {
      workspaces: 1,
      keysEach: 1,
      projectsEach: 0,
      receivers: [],
    })
    const token = tenant?.tokens[0] ?? ''
    for (let made = 0; made < warmCalls; made++) await ask(gateway.url, token)
    if (cut.gateway) toGateway.cut()
    if (cut.revoking) toRevoking.cut()
    if (cut.other) toOther.cut()
    await revoke(operator.url, deployment.operatorToken, tenant?.workspaceId ?? '')
    return { ...(await lastAccepted(gateway.url, token)), bound: boundSeconds }
  },
})

const ask = (url: string, token: string) => call(`${url}/api/v1/projects?limit=1`, token)

async function revoke(url: string, operatorToken: string, workspaceId: string): Promise<void> {
  const keys = `${url}${settingsPrefix}/workspaces/${workspaceId}/api-keys`
  const { data } = JSON.parse((await call(keys, operatorToken)).body) as { data: ApiKey[] }
  const authorization = `Bearer ${operatorToken}`
  for (const { id } of data) {
    const answer = await fetch(`${keys}/${id}`, { method: 'DELETE', headers: { authorization } })
    if (!answer.ok) throw new Error(`The revocation was answered ${answer.status} ${await answer.text()}`)
  }
}

/** Asked for longer than the bound: a key that is let through again would show. */
async function lastAccepted(url: string, token: string) {
  const revokedAt = performance.now()
  let [last, calls] = [0, 0]
  for (; performance.now() - revokedAt < watchedSeconds * 1_000; calls++) {
    const at = (performance.now() - revokedAt) / 1_000
    const { status } = await ask(url, token)
    if (status === 200) last = at
    else if (status !== 401) throw new Error(`A call was answered ${status}`)
    await after(callEveryMs)
  }
  return { lastAccepted: last, calls }
}
