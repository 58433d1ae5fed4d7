// Pages with more, and longer, than they usually have: what people look for stays whole and in sight.
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { consoleStory } from './support/open-console.ts'

// What runs in the page is text: the tests have none of a browser's types.
const brokenWords = (
  selector: string,
): string => `[...document.querySelectorAll(${JSON.stringify(selector)})].flatMap((element) => {
  const node = element.firstChild
  return [...node.data.matchAll(/\\S+/g)].flatMap(({ 0: word, index }) => {
    const range = document.createRange()
    range.setStart(node, index)
    range.setEnd(node, index + word.length)
    return range.getClientRects().length > 1 ? [word] : []
  })
})`

consoleStory('layout', 'Acme', ({ page, at, call, field, button }) => {
  const box = async (locator: ReturnType<Page['locator']>) => {
    const found = await locator.boundingBox()
    if (found === null) throw new Error('It is not shown')
    return found
  }

  test('names of keys keep their words whole on a page of 1,024 px, and a long one does not push columns out', async () => {
    const long = 'Nightly import of all contacts and companies from the system before, again'
    for (const name of ['CRM import', 'Dashboard', long]) await call('POST', '/api-keys', { name, preset: 'read-only' })
    await page.setViewportSize({ width: 1_024, height: 800 })
    await page.goto(at('/keys'))
    await page.getByRole('link', { name: long }).waitFor()

    expect(await page.evaluate(brokenWords('td a'))).toEqual([])
    const last = await box(page.getByRole('columnheader', { name: 'Last used' }))
    expect(last.x + last.width).toBeLessThanOrEqual(1_024)
    await page.setViewportSize({ width: 1_280, height: 800 })
  })

  test('an address of 2,000 characters takes two lines of the list of webhooks, and is whole on its page', async () => {
    const url = `http://127.0.0.1:8080/${'a'.repeat(1_900)}`
    const { id } = await call('POST', '/webhooks', { name: 'Long', url, eventTypes: ['tasks.*'] })
    await page.goto(at('/webhooks'))
    const row = page.getByRole('row', { name: /Long/ })
    await row.waitFor()

    expect((await box(row)).height).toBeLessThan(120)
    await page.goto(at(`/webhooks/${id}`))
    const shown = page.getByText(url, { exact: true }).first()
    expect((await box(shown)).height).toBeLessThan(60)
    await page.getByRole('button', { name: 'Copy endpoint URL' }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(url)
  })

  test('the button that saves the policy is in sight below a list of many keys that it would stop', async () => {
    for (let number = 0; number < 25; number += 1)
      await call('POST', '/api-keys', { name: `Key ${number}`, preset: 'read-only' })
    await page.goto(at('/policy'))
    await page.getByLabel('Require an expiration date').check()
    await page
      .getByRole('table', { name: 'List of affected keys' })
      .getByText(/^Key \d+$/)
      .nth(20)
      .waitFor()
    await page.evaluate('scrollTo(0, 0)')

    const { y, height } = await box(button('Save policy'))
    expect(y + height).toBeLessThanOrEqual(800)
    await button('Discard changes').click()
  })

  test('a narrow page names the columns that it leaves out', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(at('/keys'))
    await page.getByText('Not shown on narrow screens: Scopes, Surfaces, Last used, Rotation due.').waitFor()
    await page.setViewportSize({ width: 1_280, height: 800 })
    await field('Name, prefix or scope').waitFor()
    expect(await page.getByText(/^Not shown on narrow screens/).isVisible()).toBe(false)
  })

  test('the panel of an audit entry has room around it', async () => {
    await page.goto(at('/audit'))
    await page.getByRole('table').getByRole('button').first().click()
    const panel = await box(page.getByRole('dialog', { name: 'Audit entry' }))
    const heading = await box(
      page.getByRole('dialog', { name: 'Audit entry' }).getByRole('heading', { level: 2 }).first(),
    )

    expect(heading.x - panel.x).toBeGreaterThanOrEqual(16)
    expect(heading.y - panel.y).toBeGreaterThanOrEqual(16)
    await page.keyboard.press('Escape')
  })
})
