// The outage of a receiver as a person who is signed in sees it, from the first failure to the last delivery.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { timeText } from '../../console/app/delivery-words.ts'
import { ownerOf, firstOwner } from '../support/person.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { must } from '../support/system.ts'
import { lookAt } from './support/look-at.ts'
import { describeConsole, openConsole, type Console } from './support/open-console.ts'

const answer = 'Database connection refused: ledger-db:5432'

describeConsole('the outage of a receiver', () => {
  let console: Console
  let receiver: Receiver
  let status = 500
  beforeAll(async () => {
    receiver = await startReceiver(() => ({ status, headers: {}, body: status === 500 ? answer : 'thanks' }))
    // What has failed once is not tried again by itself while the test runs.
    console = await openConsole({ retrySchedule: [3_600, 3_600] })
    await firstOwner(console.system)
  })
  afterAll(async () => {
    await console?.[Symbol.asyncDispose]()
    await receiver?.[Symbol.asyncDispose]()
  })

  const isBefore = async (page: Page, first: string, second: string): Promise<boolean> => {
    const [above, below] = await Promise.all(
      [first, second].map((name) => page.getByRole('region', { name }).boundingBox()),
    )
    return (above?.y ?? Infinity) < (below?.y ?? -Infinity)
  }

  test('the overview names the failing webhook first; list, webhook and delivery agree; once the receiver is repaired, Retry now delivers all, and a selection is resent', async () => {
    const owner = await ownerOf(console.system, 'Acme')
    const { page, complaints } = await console.visit(owner)
    const at = (path: string) => `/settings/w/${owner.workspaceId}${path}`
    const call = async (method: string, path: string, body?: object) =>
      must(await owner.call(method, `/workspaces/${owner.workspaceId}${path}`, body))
    const write = async (count: number, name: string) => {
      for (let n = 0; n < count; n++)
        await call('POST', '/members', {
          name: `${name} ${n}`,
          email: `${name}${n}@example.com`,
          role: 'viewer',
          status: 'active',
        })
    }
    await page.goto(at(''))
    await page.getByRole('heading', { name: 'Connection details' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Needs attention' }).count()).toBe(0)
    const hook = { name: 'Ledger', url: receiver.url, eventTypes: ['members.added'] }
    const { id } = await call('POST', '/webhooks', hook)

    // The first failure is on the overview without a reload, before all else, and nothing there says that all is well.
    await write(1, 'first')
    const alarm = page.getByRole('region', { name: 'Needs attention' })
    await alarm.getByText(/^Ledger: Failing since .+\. The endpoint returned 500, a server error/).waitFor()
    await page.getByText('0 delivered · 0 failed · 1 retrying · 0 not sent yet').waitFor()
    expect(await isBefore(page, 'Needs attention', 'Connection details')).toBe(true)

    // With the fifth failure the circuit opens, and what comes after that waits.
    await write(4, 'tried')
    await page
      .getByText(/Sending is paused until .+\. Then one waiting delivery is sent to check the endpoint/)
      .waitFor()
    // Longer than the test takes, however slow the machine is.
    const circuitOpenUntil = new Date(Date.now() + 900_000)
    await console.system.db.webhookHealth.updateMany({ data: { circuitOpenUntil, circuitSeconds: 900 } })
    const until = timeText(circuitOpenUntil.toISOString())
    await write(2, 'waiting')
    await page.getByText('0 delivered · 0 failed · 5 retrying · 2 not sent yet').waitFor()
    const share = '7 of 7 deliveries of the last 24 hours (100%) have not been delivered.'
    await alarm.getByText(share).waitFor()
    await alarm
      .getByText(`Sending is paused until ${until}. Then one waiting delivery is sent to check the endpoint`)
      .waitFor()
    expect(await lookAt(page, 'outage-overview')).toEqual([])

    await page.goto(at('/webhooks?health=failing'))
    const row = page.getByRole('row', { name: /Ledger/ })
    await row.getByText('Failing', { exact: true }).waitFor()
    await row.getByText(`Sending is paused until ${until}`).waitFor()
    await row.getByText('5 retrying, 2 not sent yet').waitFor()
    await row.getByText('100% failed or not delivered yet').waitFor()
    expect(await lookAt(page, 'outage-webhooks')).toEqual([])

    await row.getByRole('link', { name: 'Ledger' }).click()
    await page.getByText(/^Failing since .+\. The endpoint returned 500/).waitFor()
    await page.getByText(`Sending is paused until ${until}.`).waitFor()
    await page.getByText(share).waitFor()
    expect(await lookAt(page, 'outage-webhook')).toEqual([])

    await page.goto(at(`/deliveries?webhook=${id}&status=pending`))
    await page.getByText(`Not sent yet. Next attempt at ${until}.`).first().waitFor()
    await page.getByRole('link', { name: 'members.added' }).first().click()
    await page
      .getByText(new RegExp(`^Not sent yet\\. Next attempt at ${until}, in .*: attempt 1 of 3\\.$`))
      .first()
      .waitFor()
    await page.getByText(/^Ledger: Failing since/).waitFor()
    await page.getByText(share).waitFor()

    // Of one that was tried, the answer of the receiver is in the first view of the page.
    await page.goto(at(`/deliveries?webhook=${id}&status=retrying`))
    await page.getByRole('link', { name: 'members.added' }).first().click()
    const said = page.getByRole('region', { name: 'Response to attempt 1' })
    await said.getByText(answer).waitFor()
    expect((await said.boundingBox())?.y).toBeLessThan(450)
    expect(await lookAt(page, 'outage-delivery')).toEqual([])

    // A delivery can be sent by hand at any time, also while the receiver still fails.
    await page.getByRole('button', { name: 'Resend', exact: true }).click()
    await page.getByText('Attempt 2', { exact: true }).waitFor()

    // The receiver is repaired.
    status = 200
    await page.getByRole('link', { name: 'View webhook Ledger' }).click()
    await page.getByRole('button', { name: 'Retry now' }).click()
    await page.getByText('Healthy. All deliveries succeeded.').waitFor()
    await page.goto(at(''))
    await page.getByText('7 delivered · 0 failed · 0 retrying · 0 not sent yet').waitFor()
    await page.getByRole('region', { name: 'Needs attention' }).waitFor({ state: 'detached' })

    // A selection is sent again.
    const before = receiver.calls.length
    await page.goto(at(`/deliveries?webhook=${id}`))
    for (const each of [0, 1])
      await page
        .getByRole('checkbox', { name: /^Select members\.added/ })
        .nth(each)
        .check()
    await page.getByRole('button', { name: 'Resend selected…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Resend deliveries' })
    await dialog.getByText('2 deliveries will be resent.').waitFor()
    expect(await lookAt(page, 'outage-resend')).toEqual([])
    await dialog.getByRole('button', { name: 'Resend 2' }).click()
    await dialog.getByText(/2 of 2 deliveries resent\. Done\.$/).waitFor()
    await receiver.count(before + 2)
    expect(complaints).toEqual([])
  }, 180_000)
})
