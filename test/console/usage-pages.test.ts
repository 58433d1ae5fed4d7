// The overview, and the page of a key with what it was used for, as a person who is signed in sees them.
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { must } from '../support/system.ts'
import { lookAt } from './support/look-at.ts'
import { useForAMonth } from './support/month-of-use.ts'
import { consoleStory } from './support/open-console.ts'

consoleStory('how the API is used', 'Acme', ({ system, owner, page, at, call }) => {
  const makeKey = (name: string) => call('POST', '/api-keys', { name, preset: 'read-only' })

  test('the overview says where to call, and the first steps turn done by themselves', async () => {
    await page.goto(at(''))
    const steps = page.getByRole('region', { name: 'Get started' })

    await steps.getByText('0 of 4 done').waitFor()
    await steps.getByRole('link', { name: 'Create key' }).waitFor()
    await page.getByText(`${system.url}/api/v1`, { exact: true }).waitFor()
    await page.getByText(`${system.url}/api/mcp`, { exact: true }).waitFor()
    await page.getByText(owner.workspaceId, { exact: true }).waitFor()
    expect(await lookAt(page, 'overview-empty')).toEqual([])

    const { secret } = await makeKey('First')
    await steps.getByText('Waiting for your first request…').waitFor()
    await steps.getByText('1 of 4 done').waitFor()
    must(await system.call('GET', '/api/v1/me', undefined, { authorization: `Bearer ${secret}` }))
    await steps.getByText('2 of 4 done').waitFor()
  })

  test('the overview shows the last day and the keys at risk', async () => {
    const { id } = await makeKey('Busy')
    await useForAMonth(system.db, id, owner.workspaceId)
    await page.goto(at(''))

    await page.getByText('429: 1 · other 4xx: 2 · 5xx: 1').waitFor()
    await page.getByText(/^\d active keys? in total\.$/).waitFor()
    expect(await page.getByRole('link', { name: /No IP allowlist/ }).textContent()).toContain('Review')
    expect(await page.getByRole('link', { name: /Not used for 90 days/ }).textContent()).toContain('None')
    expect(await lookAt(page, 'overview')).toEqual([])
  })

  test('a key shows what it was used for, in charts and in tables', async () => {
    const { id } = await makeKey('Nightly export')
    await useForAMonth(system.db, id, owner.workspaceId)
    const { secret } = await call('POST', `/api-keys/${id}/rotate`, {})
    await page.goto(at(`/keys/${id}`))

    await page.getByRole('figure', { name: 'Requests by day' }).waitFor()
    await page.getByText('Show as table').first().click()
    const days = page.getByRole('region', { name: 'Requests by day, as table' }).getByRole('row')
    expect(await days.count()).toBe(31)
    expect(await days.last().getByRole('cell').allTextContents()).toEqual(['20', '1', '2', '1', '1'])
    await page.getByText('Show as table').first().click()
    await page.getByRole('table', { name: 'Most used operations' }).getByText('tasks.list').waitFor()
    const requests = page.getByRole('table', { name: 'Recent requests' }).getByRole('row')
    await requests.getByText('GET /api/v1/tasks').first().waitFor()
    expect(await lookAt(page, 'key')).toEqual([])

    await page.getByRole('button', { name: 'Show more' }).click()
    expect(await requests.count()).toBe(101)
    await system.call('POST', '/api/v1/projects', {}, { authorization: `Bearer ${secret}` })
    const denied = () => call('GET', `/audit-entries?outcome=denied&actorId=${id}`)
    await eventually(async () => (await denied()).data.length > 0, 'the audit log to have the denied call')
    await page.getByRole('tab', { name: 'Denied requests' }).click()
    await page.getByText('insufficient_scope').waitFor()
    await page.getByRole('button', { name: '48 hours' }).click()
    await page.getByRole('figure', { name: 'Requests by hour' }).waitFor()
  })

  test('a key that was never used says what would be here', async () => {
    const { id } = await makeKey('Unused')
    await page.goto(at(`/keys/${id}`))

    await page.getByText('No requests in this period').waitFor()
    await page.getByText('No requests yet').waitFor()
    expect(await lookAt(page, 'key-unused')).toEqual([])
    await page.getByRole('tab', { name: 'Denied requests' }).click()
    await page.getByText('No denied requests').waitFor()
  })

  test('a key of another workspace is as one that is not there, with a request ID to quote', async () => {
    const other = await system.tenant()
    await page.goto(at(`/keys/${other.keyId}`))

    await page.getByRole('alert').getByRole('button', { name: 'Copy request ID' }).waitFor()
    expect(await lookAt(page, 'key-not-found')).toEqual([])
  })
})
