// The link that the first start prints, on a system of its own.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, setupToken } from '../support/person.ts'
import { lookAt } from './support/look-at.ts'
import { describeConsole, openConsole, type Console, type Visit } from './support/open-console.ts'

describeConsole('the first run', () => {
  let console: Console
  let visit: Visit
  let page: Page
  beforeAll(async () => {
    console = await openConsole()
    visit = await console.visit()
    page = visit.page
  })
  afterAll(() => console?.[Symbol.asyncDispose]())

  const field = (label: string) => page.getByLabel(label, { exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })

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
    await page.getByRole('region', { name: 'Get started' }).getByText('0 of 4 done').waitFor()
  })

  test('the link works no more; no page has complained, and no request has left the origin', async () => {
    await page.goto('/settings/setup')
    await page.getByText('Setup is complete').waitFor()

    expect(visit.complaints).toEqual([])
  })
})
