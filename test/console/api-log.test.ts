// The API log as a person who is signed in sees it: the requests of the keys, and why each was refused.
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { lookAt } from './support/look-at.ts'
import { consoleStory } from './support/open-console.ts'

consoleStory('the API log in the console', 'Acme', ({ system, owner, page, at, call }) => {
  const makeKey = (name: string, scopes: readonly string[]) => call('POST', '/api-keys', { name, scopes })
  const callWith = (secret: string, path: string) =>
    system.call('GET', `/api/v1${path}`, undefined, { authorization: `Bearer ${secret}` })
  const rows = () => page.getByRole('table', { name: 'Requests, newest first' }).getByRole('row')

  test('a refused request is found by a filter that its address keeps, and its page says why and leads to its key and back', async () => {
    const { id, secret } = await makeKey('Nightly sync', ['projects:read'])
    await callWith(secret, '/projects')
    await callWith(secret, '/tasks')
    await eventually(async () => (await call('GET', `/requests?apiKeyId=${id}`)).data.length === 2, 'both requests')
    await page.goto(at('/requests'))
    await rows().getByText('GET /api/v1/tasks').waitFor()
    expect(await lookAt(page, 'api-log')).toEqual([])

    await page.getByLabel('Outcome', { exact: true }).selectOption('Failed')
    await rows().getByText('GET /api/v1/projects').waitFor({ state: 'detached' })
    await page.reload()
    await rows().getByRole('link', { name: 'GET /api/v1/tasks' }).click()
    await page.getByText('The request requires the scope tasks:read.').waitFor()
    const advice = page.getByRole('link', { name: 'What insufficient_scope means and what to do' })
    expect(await advice.getAttribute('href')).toBe('/docs/errors/insufficient_scope')
    expect(await lookAt(page, 'api-log-request')).toEqual([])

    await page.getByRole('link', { name: /^Nightly sync/ }).click()
    await page.getByRole('link', { name: 'Requests by this key' }).click()
    await page.getByRole('button', { name: /^Remove the filter API key: / }).waitFor()
    expect(new URL(page.url()).search).toBe(`?key=${id}`)
    await rows().getByText('GET /api/v1/projects').waitFor()
    await page.getByRole('button', { name: /^Remove the filter API key: / }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('')
  })

  test('the search finds a path, and what one request has in common with others is a link away', async () => {
    const { id, secret } = await makeKey('Reports', ['tasks:read'])
    const missing = '0192f0c1-0000-7000-8000-00000000000a'
    await callWith(secret, `/tasks/${missing}`)
    await eventually(async () => (await call('GET', `/requests?apiKeyId=${id}`)).data.length === 1, 'the request')
    await page.goto(at('/requests'))
    await page.getByLabel('Path, operation, code or request ID').fill('not_found')
    await rows()
      .getByRole('link', { name: `GET /api/v1/tasks/${missing}` })
      .click()

    await page.getByRole('link', { name: 'About this object', exact: true }).click()
    await page.getByRole('button', { name: `Remove the filter Object: ${missing.slice(0, 8)}…` }).waitFor()
    expect(new URL(page.url()).search).toBe(`?object=${missing}`)
    await rows().getByText(missing).waitFor()
  })

  test('a member leads to the requests of their keys, and a request of another workspace is not there', async () => {
    await page.goto(at('/members'))
    await page.getByRole('table', { name: 'Members' }).locator('tbody').getByRole('button').first().click()
    await page.getByRole('link', { name: 'Requests with keys of this member' }).click()
    await page.getByRole('button', { name: /^Remove the filter Member: / }).waitFor()
    expect(new URL(page.url()).pathname).toContain(owner.workspaceId)

    const other = await system.tenant()
    await other.api('GET', '/api/v1/projects')
    const [theirs] = await eventually(async () => {
      const { data } = (await other.settings('GET', '/requests')).body
      return data.length > 0 ? data : null
    }, 'the request')
    await page.goto(at(`/requests/${theirs.id}`))
    await page.getByRole('alert').getByRole('button', { name: 'Copy request ID' }).waitFor()
  })
})
