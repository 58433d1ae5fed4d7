// A dispatcher that is frozen, comes back, and is killed: others take up what it had, and the attempts say what was
// lost.
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

async function delivered(tenant: Tenant, count: number): Promise<{ id: string }[]> {
  const found = async () => {
    const deliveries = await deliveriesOf(tenant, 'delivered')
    return deliveries.length === count ? deliveries : null
  }
  return eventually(found, `${count} delivered`, withinMs)
}

test.runIf(modes.includes('distributed'))(
  'what a frozen or killed dispatcher held is delivered by another within seconds, and nothing is recorded wrongly',
  { timeout: 180_000 },
  async () => {
    await using deployment = await startDeployment()
    await using frozen = await deployment.startDispatcher()
    const [first, last] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const answers: { heldBy: Promise<void> | null } = { heldBy: first.promise }
    await using receiver = await startReceiver(async () => {
      await answers.heldBy
      return 200
    })
    const tenant = await deployment.tenant()
    must(await tenant.api('POST', '/api/v1/webhooks', { name: 'w', url: receiver.url, eventTypes: ['projects.*'] }))
    const write = async (name: string) => must(await tenant.api('POST', '/api/v1/projects', { name }))
    await Promise.all(Array.from({ length: all }, (_, n) => write(`Project ${n}`)))
    await eventually(async () => (await deliveriesOf(tenant, 'pending')).length === all, 'the deliveries')
    await receiver.count(sending)

    frozen.freeze()
    answers.heldBy = null
    await using other = await deployment.startDispatcher()
    const taken = await delivered(tenant, all)
    const expected = [
      ...Array.from({ length: sending }, () => 'interrupted, success null'),
      ...Array.from({ length: all - sending }, () => 'success null'),
    ]
    expect(await attemptsOf(tenant, taken)).toEqual(expected)

    // Its own answers come now, too late to change anything.
    first.resolve()
    frozen.thaw()
    await other.kill('SIGTERM')
    await write('After the thaw')
    expect(await attemptsOf(tenant, await delivered(tenant, all + 1))).toEqual([...expected, 'success null'])
    expect(must(await tenant.api('GET', '/api/v1/webhooks')).data).toMatchObject([{ consecutiveFailures: 0 }])

    const before = receiver.calls.length
    answers.heldBy = last.promise
    await write('In the middle of a send')
    await receiver.count(before + 1)
    await frozen.kill('SIGKILL')
    answers.heldBy = null
    await using _third = await deployment.startDispatcher()
    const found = await delivered(tenant, all + 2)
    last.resolve()
    expect((await attemptsOf(tenant, found)).filter((ended) => ended.startsWith('interrupted'))).toHaveLength(
      sending + 1,
    )
  },
)
