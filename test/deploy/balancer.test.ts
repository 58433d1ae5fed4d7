// The balancer of docker-compose.yml, run for real with its own configuration, before two gateways.
import { afterEach, describe, expect, test } from 'vitest'
import { startEdge } from '../gateway/support/edge.ts'
import { standIn } from '../gateway/support/service.ts'
import { eventually } from '../support/eventually.ts'
import { haproxy, haproxyAddress, startHaproxy } from '../support/servers/haproxy.ts'

const program = haproxy()
const opened: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close()
})

type More = Parameters<typeof startEdge>[0]

async function startBalanced(more: More = {}) {
  const service = await standIn()
  opened.push(service.close)
  const gateways = [await startBehind(service.url, more), await startBehind(service.url, more)]
  const balancer = await startHaproxy(
    program ?? 'haproxy',
    gateways.map(({ address }) => address),
  )
  opened.push(balancer.close)
  return { service, gateways, url: balancer.url }
}

async function startBehind(service: string, more: More) {
  const edge = await startEdge({ services: [service], trustedProxies: [haproxyAddress], ...more })
  let ended: Promise<void> | undefined
  const end = () => (ended ??= edge[Symbol.asyncDispose]())
  opened.push(end)
  return { address: `127.0.0.1:${edge.gateway.port}`, stop: () => edge.gateway.drain().then(end) }
}

// Skipped by name where the program is not installed, but not where everything must be.
describe.skipIf(program === null && process.env['CI'] === undefined)('haproxy', () => {
  test('an allowlist judges the caller’s address, and what a caller claims of it counts nothing', async () => {
    const { service, url } = await startBalanced()
    const get = (token: string, forged: string) =>
      fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': forged } })
    const fromElsewhere = service.key({ ipAllowlist: ['203.0.113.7'] }).token
    const fromHere = service.key({ ipAllowlist: ['127.0.0.1'] }).token

    await eventually(async () => (await get(fromHere, '203.0.113.7')).status === 200, 'a gateway to be found')

    expect((await get(fromElsewhere, '203.0.113.7')).status).toBe(403)
  })

  test('while a gateway stops its calls go to the other, and none fails', async () => {
    const { service, gateways, url } = await startBalanced({ drainSeconds: 5 })
    const { token } = service.key()
    const get = () =>
      fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status)
    await eventually(async () => (await get()) === 200, 'a gateway to be found')
    const statuses: number[] = []
    let isStopping = true

    const stopping = gateways[0]?.stop().finally(() => (isStopping = false))
    while (isStopping) statuses.push(await get())
    for (let again = 0; again < 20; again++) statuses.push(await get())
    await stopping

    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})
