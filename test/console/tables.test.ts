// Long tables: 5,000 keys are counted, sorted and looked through, and those on screen are drawn.
import { beforeAll, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { flawsAsShown, lookAt } from './support/look-at.ts'
import { manyKeys } from './support/many-keys.ts'
import { consoleStory } from './support/open-console.ts'

const many = 5_000
const ofBatch = 250
/** A screen of them, and some around. */
const drawnMax = 60

consoleStory('long tables', 'Acme', ({ system, owner, page, at, call, field, button }) => {
  beforeAll(async () => {
    await manyKeys(system, owner.workspaceId, many, (n) => (n < ofBatch ? `Batch ${n}` : `Key ${n}`))
  })

  const rows = () => page.locator('tbody tr[aria-rowindex]')
  // What runs in the page is text: the tests have none of a browser's types.
  const places = (): Promise<number[]> =>
    page.evaluate(`[...document.querySelectorAll('tbody tr[aria-rowindex]')].map((row) => Number(row.ariaRowIndex))`)
  const scrollTo = (where: string) => page.evaluate(`scrollTo(0, ${where})`)
  const sorted = () => page.locator('th[aria-sort]')
  const sortedTo = async () => [
    await sorted().textContent(),
    await sorted().getAttribute('aria-sort'),
    await page.locator('tbody a').first().textContent(),
  ]

  test('of 5,000 rows those on screen are drawn, wherever one is, and each says which row it is', async () => {
    await page.goto(at('/keys'))
    await page.getByText('5,000 results').waitFor()
    await expect.poll(async () => (await places()).length).toBeGreaterThan(10)
    const atTop = await places()
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('5001')

    // The heights of rows are learnt as they are drawn, and the end moves with them.
    await eventually(async () => {
      await scrollTo('document.body.scrollHeight')
      return (await places()).includes(5_001)
    }, 'the last row')
    const atEnd = await places()
    await page.getByRole('link', { name: 'Batch 0', exact: true }).waitFor()
    await scrollTo('0')
    await page.getByRole('link', { name: 'Key 4999', exact: true }).waitFor()

    expect([atTop[0], atTop.length > 10, atTop.length <= drawnMax]).toEqual([2, true, true])
    expect([atEnd.length > 10, atEnd.length <= drawnMax]).toEqual([true, true])
    expect(await flawsAsShown(page)).toEqual([])
  })

  test('a column sorts one way, the other way and back, with the keyboard; the address says which', async () => {
    await button('Name').focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/keys?sort=name')
    await expect.poll(sortedTo).toEqual(['Name', 'ascending', 'Batch 0'])
    await page.reload()
    await page.getByText('5,000 results').waitFor()
    await expect.poll(sortedTo).toEqual(['Name', 'ascending', 'Batch 0'])

    await button('Name').press('Space')
    await page.waitForURL('**/keys?sort=-name')
    await expect.poll(sortedTo).toEqual(['Name', 'descending', 'Key 4999'])
    await button('Name').press('Enter')
    await page.waitForURL((url) => url.search === '')
    await sorted().waitFor({ state: 'detached' })
  })

  test('a filter counts what fits, keeps the order, and no more than a page is drawn as a whole', async () => {
    await page.goto(at('/keys?sort=name'))
    await field('Name, prefix or scope').fill('batch 1')
    await page.getByText('111 of 5,000 results').waitFor()
    await expect.poll(async () => [await page.locator('tbody tr').count(), await rows().count()]).toEqual([111, 0])
    expect(new URL(page.url()).search).toBe('?sort=name&q=batch+1')

    await field('Name, prefix or scope').fill('batch')
    await page.getByText('250 of 5,000 results').waitFor()
    await expect.poll(async () => (await places()).length).toBeLessThanOrEqual(drawnMax)
    expect(await lookAt(page, 'long-table')).toEqual([])
    await button('Clear').click()
    await page.waitForURL('**/keys?sort=name')
  })

  test('the row with the focus stays, however far one scrolls, and the next row follows it', async () => {
    await page.getByText('5,000 results').waitFor()
    await page.getByRole('link', { name: 'Batch 3', exact: true }).focus()

    await scrollTo('document.body.scrollHeight / 2')
    await eventually(async () => (await places()).some((place) => place > 1_000), 'rows in the middle')
    const focused = await page.evaluate('document.activeElement.textContent')
    const drawn = await places()

    expect([focused, drawn.includes(5)]).toEqual(['Batch 3', true])
    expect(drawn.length).toBeLessThanOrEqual(drawnMax + 1)
  })

  test('all are selected, not only those that are drawn; all are drawn to be printed', async () => {
    await scrollTo('0')
    await field('Select all').check()
    await page.getByText(/5,?000 (keys )?selected/).waitFor()
    await field('Select all').uncheck()

    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
    const printed = await page.locator('tbody tr').count()
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`)

    expect(printed).toBe(many)
    await eventually(async () => (await places()).length > 0, 'the rows on screen')
    await expect.poll(async () => (await places()).length).toBeLessThanOrEqual(drawnMax)
  })

  test('a list that the API sorts is asked for in another order', async () => {
    for (const name of ['Zoe', 'Bea'])
      await call('POST', '/members', { name, email: `${name}@example.com`, role: 'viewer', status: 'active' })
    await page.goto(at('/members'))
    await page.getByText('3 results').waitFor()
    const names = () => page.locator('tbody tr button').allTextContents()
    const byName = await names()

    await button('Added').click()
    await page.waitForURL('**/members?sort=-createdAt')
    await eventually(async () => (await names())[0] === 'Bea', 'the newest first')

    expect(byName.filter((name) => ['Bea', 'Zoe'].includes(name))).toEqual(['Bea', 'Zoe'])
    expect((await names()).slice(0, 2)).toEqual(['Bea', 'Zoe'])
    await expect.poll(() => sorted().getAttribute('aria-sort')).toBe('descending')
  })
})
