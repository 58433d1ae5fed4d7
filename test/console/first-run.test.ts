// One story, from the link that the first start prints to the first webhook that was delivered: nothing but the pages
// and programs outside is used.
import type { Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, setupToken } from '../support/person.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { run } from '../support/run-program.ts'
import { lookAt } from './support/look-at.ts'
import { describeConsole, openConsole, type Console, type Visit } from './support/open-console.ts'

describeConsole('the first run', () => {
  let console: Console
  let visit: Visit
  let page: Page
  let receiver: Receiver
  beforeAll(async () => {
    console = await openConsole()
    receiver = await startReceiver()
    visit = await console.visit()
    page = visit.page
  })
  afterAll(async () => {
    await receiver?.[Symbol.asyncDispose]()
    await console?.[Symbol.asyncDispose]()
  })

  const field = (label: string) => page.getByLabel(label, { exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  const atSide = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true })
  const steps = () => page.getByRole('region', { name: 'Get started' })

  test('whoever has the link of the first start makes the first account, and the token leaves the address', async () => {
    await page.goto(`/settings/setup#${await setupToken(console.system)}`)
    await field('Your name').fill(ada.name)
    expect(page.url()).toBe(`${console.system.url}/settings/setup`)

    await button('Create account').click()
    await page.getByText('This field is required.').first().waitFor()
    expect(await lookAt(page, 'setup')).toEqual([])
    await field('E-mail').fill(ada.email)
    await field('Password').fill(ada.password)
    await page.getByLabel(/^Workspace name/).fill('Acme')
    await button('Create account').click()

    await page.waitForURL('**/w/**')
    await steps().getByText('0 of 4 done').waitFor()
  })

  test('a key is made, and the sample beside its secret is the first call', async () => {
    await link('View keys').click()
    await page.getByText('No keys yet').waitFor()
    await link('Create key').first().click()
    await field('Name').fill('CRM import')
    await page.getByRole('button', { name: /^Read only/ }).click()
    await button('Create key').click()
    await page.getByRole('heading', { name: 'Key created' }).waitFor()
    expect(await lookAt(page, 'key-secret')).toEqual([])
    await button('Copy curl sample').click()
    const sample: string = await page.evaluate('navigator.clipboard.readText()')

    const { code, output } = await run('.', 'sh', ['-c', sample], {})
    expect([code, JSON.parse(output)]).toMatchObject([0, { apiKey: { name: 'CRM import' } }])
    await field('I have stored the secret').check()
    await button('Done').click()
    await atSide('Overview').click()
    await steps().getByText('2 of 4 done').waitFor()
  })

  test('a webhook is made, and its test arrives, signed with the secret that the page has shown', async () => {
    await link('View webhooks').click()
    await link('Create webhook').first().click()
    await field('Name').fill('Receiver')
    await field('Endpoint URL').fill(receiver.url)
    await page.getByText('This URL can be used.').waitFor()
    await page.getByLabel('All events, including future event types').check()
    await button('Create webhook').click()
    const shown = await page.getByText(/^WEBHOOK_SECRET=whsec_/).textContent()
    await button('Send test').click()
    await page.getByText('Succeeded: the receiver returned 200.').waitFor()

    const [received] = await receiver.count(1)
    const { body = '', headers = {} } = received ?? {}
    const webhook = new Webhook(shown?.replace('WEBHOOK_SECRET=', '') ?? '')
    expect(webhook.verify(body, headers as Record<string, string>)).toMatchObject({ type: 'webhooks.test' })
  })

  test('the delivery has its one try, with what was sent and what came back; nothing is left to be done', async () => {
    await link('View request and response').click()
    await page.getByText('Delivered. No further attempts are made.').waitFor()
    await page.getByText('Attempt 1').waitFor()
    await page.getByRole('region', { name: 'Request' }).getByText(`POST ${receiver.url}`).waitFor()
    await page.getByRole('region', { name: 'Response' }).getByText('thanks').waitFor()

    await atSide('Overview').click()
    await page.getByText('1 delivered · 0 failed · 0 pending').waitFor()
    expect(await steps().count()).toBe(0)
  })

  test('the link of the first start works no more', async () => {
    await page.goto('/settings/setup')
    await page.getByText('Setup is complete').waitFor()
  })

  test('no page has complained, and no request has left the origin', () => {
    expect(visit.complaints).toEqual([])
  })
})
