// Pages with more, and longer, than they usually have: what people look for stays whole and in sight.
import { expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { must } from '../support/system.ts'
import { copiedBy } from './support/clipboard.ts'
import { consoleStory } from './support/open-console.ts'
import { keepRunning } from './support/running-job.ts'

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

const cutTables = `[...document.querySelectorAll('main [role=region]:has(> table)')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map((frame) => \`\${frame.scrollWidth} of \${frame.clientWidth} px: \${frame.innerText}\`)`

consoleStory('layout', 'Acme', ({ system, page, at, call, field, button }) => {
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
    expect(await copiedBy(page, () => page.getByRole('button', { name: 'Copy endpoint URL' }).click())).toBe(url)
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

    await page.getByText(/^2\d keys affected$/).waitFor()
    const { y, height } = await box(button('Save key policy'))
    expect(y + height).toBeLessThanOrEqual(800)
    await button('Discard changes').click()
  })

  test('a narrow page names the columns that it leaves out', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(at('/keys'))
    await page.getByText('Not shown for lack of space: Last used, Scopes, Surfaces, Rotation due.').waitFor()
    await page.setViewportSize({ width: 1_280, height: 800 })
    await field('Name, prefix or scope').waitFor()
    await page.getByText(/^Not shown for lack of space/).waitFor({ state: 'hidden' })
  })

  test('a long name of the workspace leaves the search in sight on a telephone', async () => {
    const workspace = await call('GET', '')
    await system.db.workspace.update({ where: { id: workspace.id }, data: { name: 'Workspace '.repeat(20).trim() } })
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(at('/keys'))
    const bar = page.getByRole('banner')
    await bar.getByText(/^Workspace Workspace/).waitFor()

    const search = await box(bar.getByRole('button', { name: 'Search' }))
    expect(search.x + search.width).toBeLessThanOrEqual(390)
    expect((await box(bar)).height).toBeLessThan(70)
    await system.db.workspace.update({ where: { id: workspace.id }, data: { name: workspace.name } })
    await page.setViewportSize({ width: 1_280, height: 800 })
  })

  test('no table is cut off on a telephone: names wrap after a dot, and what a row can do stays in sight', async () => {
    await call('POST', '/webhooks', { name: 'Phone', url: 'http://127.0.0.1:8080/', eventTypes: ['*'] })
    const scopes = ['jobs:write', 'projects:write', 'projects:delete', 'crm-entities:write']
    const { secret } = await call('POST', '/api-keys', { name: 'Jobs', scopes })
    const send = async (path: string, body: object) =>
      must(await system.call('POST', `/api/v1${path}`, body, { authorization: `Bearer ${secret}` }))
    const company = await send('/crm-entities', { kind: 'company', name: 'Long names' })
    await send(`/crm-entities/${company.id}/comments`, { body: 'Its event has a long name.' })
    const job = { kind: 'delete', resource: 'projects', filter: { q: 'nothing' }, confirmedTotal: 0 }
    const { id: jobId } = await send('/jobs', job)
    await keepRunning(system, jobId)
    await page.setViewportSize({ width: 390, height: 800 })
    for (const path of ['/deliveries', '/events', '/audit', '/jobs', '/keys', '/webhooks', '/members', '/requests']) {
      await page.goto(at(path))
      await page.locator('tbody tr').nth(0).locator('a, button').first().waitFor()

      await expect.poll(() => page.evaluate(cutTables), { message: path }).toEqual([])
    }
    await page.goto(at('/jobs'))
    const cancel = await box(page.getByRole('row', { name: /^Deletion/ }).getByRole('button', { name: 'Cancel…' }))
    expect(cancel.x + cancel.width).toBeLessThanOrEqual(390)
    await page.setViewportSize({ width: 1_280, height: 800 })
  })

  test('no table is cut off on a page of 1,024 px; what it leaves out is named, and comes back with more room', async () => {
    const eventTypes = ['projects.created', 'documents.created', 'crm-entities.created']
    await call('POST', '/webhooks', { name: 'Accounting', url: 'https://hooks.acme.example/accounting', eventTypes })
    await call('POST', '/api-keys', { name: 'Accounting', preset: 'read-only' })
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(at('/audit'))
    await page.locator('tbody').locator('a, button').first().waitFor()
    await page.setViewportSize({ width: 1_024, height: 800 })
    await expect.poll(() => page.evaluate(cutTables)).toEqual([])
    for (const path of ['/webhooks', '/audit', '/keys', '/members']) {
      await page.goto(at(path))
      await page.locator('tbody').locator('a, button').first().waitFor()

      await expect.poll(() => page.evaluate(cutTables), { message: path }).toEqual([])
    }
    // Names wrap only where there is no room for them.
    await page.goto(at('/audit'))
    const name = page.locator('tbody button code').first()
    await name.waitFor()
    expect((await box(name)).height).toBeLessThan(20)
    await page.goto(at('/webhooks'))
    const lacking = page.getByText(/^Not shown for lack of space: .*Duration, p95\.$/).filter({ visible: true })
    await lacking.waitFor()
    await page.setViewportSize({ width: 1_280, height: 800 })
    await page.getByRole('columnheader', { name: 'Duration, p95' }).waitFor()
    expect(await lacking.count()).toBe(0)
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
