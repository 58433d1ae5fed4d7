// Keys revoked one after another while three gateways serve each of them without a pause.
import type { ApiKey } from '#contract/api-keys.ts'
import { settingsPrefix } from '#contract/route-paths.ts'
import { call } from '../../product/calls.ts'
import { makeTenants } from '../../product/tenants.ts'
import { startGateway, startService } from '../../product/tiers.ts'
import type { Row } from '../../measure/rounds.ts'
import { quantile } from '../../report/figures.ts'
import type { Setting } from './rows.ts'

const keysEach = 40
const gatewaysMax = 3
const callersEach = 4
const refusedBeforeEnd = 20
const boundMs = 50

export const underLoad = ({ deployment, seeded }: Setting): Row => ({
  name: 'three gateways',
  measure: async () => {
    await using database = await seeded.copy()
    await using service = await startService(deployment, database.url)
    await using one = await startGateway(deployment, service.url)
    await using two = await startGateway(deployment, service.url)
    await using three = await startGateway(deployment, service.url)
    const urls = [one, two, three].map(({ url }) => url)
    const [tenant] = await makeTenants(one.url, deployment, { workspaces: 1, keysEach, projectsEach: 0, receivers: [] })
    const keys = `${one.url}${settingsPrefix}/workspaces/${tenant?.workspaceId ?? ''}/api-keys`
    const { data } = JSON.parse((await call(`${keys}?limit=200`, deployment.operatorToken)).body) as { data: ApiKey[] }
    const lastAcceptedMs: number[] = []
    let accepted = 0
    for (const token of tenant?.tokens ?? []) {
      const id = data.find(({ prefix }) => token.startsWith(prefix))?.id ?? ''
      const loads = urls.flatMap((url) => Array.from({ length: callersEach }, () => load(url, token)))
      await Promise.all(loads.map(({ warm }) => warm))
      const authorization = `Bearer ${deployment.operatorToken}`
      const answer = await fetch(`${keys}/${id}`, { method: 'DELETE', headers: { authorization } })
      if (!answer.ok) throw new Error(`The revocation was answered ${answer.status} ${await answer.text()}`)
      const confirmedAt = performance.now()
      for (const begun of await Promise.all(loads.map(({ accepted: until }) => until))) {
        const after = begun.filter((at) => at > confirmedAt)
        accepted += after.length
        lastAcceptedMs.push(Math.max(0, ...after.map((at) => at - confirmedAt)))
      }
    }
    return {
      revocations: keysEach * gatewaysMax,
      accepted,
      bound: boundMs,
      p50: quantile(lastAcceptedMs, 0.5),
      p99: quantile(lastAcceptedMs, 0.99),
      worst: Math.max(...lastAcceptedMs),
    }
  },
})

/** Calls until it was refused some times in a row. `accepted`: when each call began that was let through. */
function load(url: string, token: string) {
  const warm = Promise.withResolvers<void>()
  const run = async (): Promise<number[]> => {
    const accepted: number[] = []
    for (let refused = 0; refused < refusedBeforeEnd;) {
      const beganAt = performance.now()
      const { status } = await call(`${url}/api/v1/me`, token)
      if (status !== 200 && status !== 401) throw new Error(`A call was answered ${status}`)
      refused = status === 401 ? refused + 1 : 0
      if (status === 200) accepted.push(beganAt)
      if (accepted.length === 3) warm.resolve()
    }
    return accepted
  }
  return { warm: warm.promise, accepted: run() }
}
