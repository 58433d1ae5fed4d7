// A dispatcher that is frozen and comes back: others take up what it had, and the attempts say what was lost. One that
// is killed is in test/dispatcher/kill-points.test.ts.
import { expect, test } from 'vitest'
import type { Tenant } from '../support/client.ts'
import { startDeployment } from '../support/deployment.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/receiver.ts'
import { modes, must } from '../support/system.ts'

/** Two of a webhook that has taken none yet are sent at a time: ten have to wait. */
const [sending, all] = [2, 12]
/** A lease is for 60 seconds. */
const withinMs = 45_000

const deliveriesOf = async (tenant: Tenant, status: string): Promise<{ id: string }[]> =>
  must(await tenant.settings('GET', `/deliveries?status=${status}&limit=100`)).data

/** How the attempts of each delivery ended, in their order. */
async function attemptsOf(tenant: Tenant, deliveries: readonly { id: string }[]): Promise<string[]> {
  const ended = async ({ id }: { id: string }): Promise<string> =>
    must(await tenant.settings('GET', `/deliveries/${id}/attempts`))
      .data.map(({ outcome, errorCode }: Record<string, string>) =>
        outcome === errorCode ? outcome : `${outcome} ${errorCode}`,
      )
      .join(', ')
  return (await Promise.all(deliveries.map(ended))).toSorted()
}

const found = (tenant: Tenant, status: string, count: number) =>
  eventually(
    async () => {
      const deliveries = await deliveriesOf(tenant, status)
      return deliveries.length === count ? deliveries : null
    },
    `${count} ${status}`,
    withinMs,
  )

test.runIf(modes.includes('distributed'))(
  'what a frozen dispatcher held is delivered by another within seconds, and nothing is recorded wrongly',
  { timeout: 180_000 },
  async () => {
    await using deployment = await startDeployment()
    await using frozen = await deployment.startDispatcher()
    const first = Promise.withResolvers<number>()
    let isHeld = true
    await using receiver = await startReceiver(() => (isHeld ? first.promise : 200))
    const tenant = await deployment.tenant()
    must(await tenant.api('POST', '/api/v1/webhooks', { name: 'w', url: receiver.url, eventTypes: ['projects.*'] }))
    const write = async (name: string) => must(await tenant.api('POST', '/api/v1/projects', { name }))
    const writeSome = (count: number) => Promise.all(Array.from({ length: count }, (_, n) => write(`Project ${n}`)))
    // These have both slots before any other comes: of a crowd, one more may be marked as being sent than there is room
    // for.
    await writeSome(sending)
    await receiver.count(sending)
    await writeSome(all - sending)
    await found(tenant, 'pending', all)

    frozen.freeze()
    isHeld = false
    await using other = await deployment.startDispatcher()
    const taken = await found(tenant, 'delivered', all)
    const expected = [
      ...Array.from({ length: sending }, () => 'interrupted, success null'),
      ...Array.from({ length: all - sending }, () => 'success null'),
    ]
    expect(await attemptsOf(tenant, taken)).toEqual(expected)

    // Its own answers come now, too late to change anything.
    first.resolve(200)
    frozen.thaw()
    await other.kill('SIGTERM')
    await write('After the thaw')
    expect(await attemptsOf(tenant, await found(tenant, 'delivered', all + 1))).toEqual([...expected, 'success null'])
    expect(must(await tenant.api('GET', '/api/v1/webhooks')).data).toMatchObject([{ consecutiveFailures: 0 }])
  },
)
