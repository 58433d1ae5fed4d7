// The page for developers, and changing keys and webhooks while somebody else does.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { latencyBucketsCount } from '#contract/internal/reports.ts'
import type { Webhook } from '#contract/webhook-schema.ts'
import { addWebhookActivity } from '../../dispatcher/results/activity-rows.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { copiedBy } from './support/clipboard.ts'
import { keyboardOf } from './support/keyboard.ts'
import { lookAt } from './support/look-at.ts'
import { consoleStory } from './support/open-console.ts'

consoleStory('developers, and changing what is there', 'Acme', ({ system, owner, page, at, call }) => {
  let receiver: Receiver
  beforeAll(async () => {
    receiver = await startReceiver()
  })
  afterAll(() => receiver?.[Symbol.asyncDispose]())

  const save = () => page.getByRole('button', { name: 'Save changes' }).click()
  const copied = (name: string) => copiedBy(page, () => page.getByRole('button', { name }).click())

  test('the page for developers leads to all that needs no key, and says how clients are connected', async () => {
    await page.goto(at('/developers'))
    await page.getByText(/^API available, \d+ ms$/).waitFor()
    const files = await page.getByRole('main').locator('a[href^="/"]:not([href^="/settings/w/"])').all()
    const hrefs = await Promise.all(files.map(async (file) => (await file.getAttribute('href')) ?? ''))
    expect(hrefs).toHaveLength(16)
    for (const href of hrefs) expect([href, (await page.request.get(href)).status()]).toEqual([href, 200])
    expect(await lookAt(page, 'developers')).toEqual([])

    expect(await copied('Copy curl sample')).toContain(`curl -s '${system.url}/api/v1/me'`)
    await page.getByRole('tab', { name: 'VS Code' }).click()
    expect(JSON.parse(await copied('Copy VS Code configuration')).servers['workspace-api'].url).toBe(
      `${system.url}/api/mcp`,
    )
  })

  test('of two who change a key, the second is told what the first has changed, and gives way or loses nothing', async () => {
    const { id } = await call('POST', '/api-keys', { name: 'Shared', preset: 'read-only' })
    await page.goto(at(`/keys/${id}/edit`))
    await page.getByLabel('Name', { exact: true }).fill('Mine')
    await call('PATCH', `/api-keys/${id}`, { name: 'Theirs' })
    await save()
    await page.getByText('Changed by both of you: Name.').waitFor()
    expect(await page.getByRole('button', { name: 'Save changes' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Discard my changes' }).click()
    await page.getByRole('heading', { level: 1, name: 'Edit Theirs', exact: true }).waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Theirs')

    await page.getByLabel('Name', { exact: true }).fill('Shared, by me')
    await call('PATCH', `/api-keys/${id}`, { description: 'By somebody else.' })
    await save()
    await page.getByText('Changed by someone else: Description.').waitFor()
    await page.getByText('Changed only by you: Name.').waitFor()
    expect(await call('GET', `/api-keys/${id}`)).toMatchObject({ name: 'Theirs', version: 3 })
    expect(await lookAt(page, 'key-edit-conflict')).toEqual([])
    await page.getByRole('button', { name: 'Save my changes' }).click()

    await page.getByRole('heading', { level: 1, name: 'Shared, by me', exact: true }).waitFor()
    const both = { name: 'Shared, by me', description: 'By somebody else.', version: 4 }
    expect(await call('GET', `/api-keys/${id}`)).toMatchObject(both)
  })

  test('before a key is saved its page says what the change widens and what it narrows', async () => {
    const { id } = await call('POST', '/api-keys', { name: 'Access', scopes: ['tasks:read', 'projects:read'] })
    await page.goto(at(`/keys/${id}/edit`))
    await page.getByLabel('Name', { exact: true }).waitFor()
    const told = page.getByRole('status', { name: 'What this change does' })
    expect(await told.textContent()).toBe('')

    await page.getByRole('textbox', { name: /^Addresses and ranges/ }).fill('192.0.2.7')
    await told.getByText('The key can be used from 192.0.2.7 only.').waitFor()
    await told.getByText('The key has not been used yet.').waitFor()
    await page.getByRole('checkbox', { name: 'documents:read' }).check()
    await told.getByText('The key gets the scope documents:read.').waitFor()
    expect(await lookAt(page, 'key-edit-changes')).toEqual([])
    await save()
    await page.getByRole('heading', { level: 1, name: 'Access', exact: true }).waitFor()
    expect((await call('GET', `/api-keys/${id}`)).scopes).toContain('documents:read')
  })

  test('a webhook is changed; what it had, headers too, stays, until it goes to another host and gets a new secret, shown once', async () => {
    const hook = { name: 'Hook', url: receiver.url, eventTypes: ['crm-entities.*'], headers: { 'x-tenant': 'acme' } }
    const made: Webhook = await call('POST', '/webhooks', hook)
    await page.goto(at(`/webhooks/${made.id}`))
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByText('This URL can be used.').waitFor()
    await page.getByText('Current headers: x-tenant').waitFor()
    await page.getByLabel('Deals').check()
    const { use, tabTo, focused } = keyboardOf(page)
    const conditions = page.getByRole('group', { name: /^condition \d$/ })
    await use('Add condition')
    await use('Add condition')
    await conditions.first().getByLabel('Field').selectOption('stage')
    await conditions.first().getByLabel('Operator').selectOption('changed to')
    await save()
    await conditions.first().getByText('Enter at least one value.').waitFor()
    expect(await lookAt(page, 'webhook-edit')).toEqual([])
    await page.keyboard.type('won, lost')
    await tabTo('Remove condition 2')
    await page.keyboard.press('Enter')
    await expect.poll(async () => [await conditions.count(), await focused()]).toEqual([1, 'Add condition'])
    await save()

    await page.getByRole('heading', { name: 'Configuration' }).waitFor()
    await page.getByText('stage changed to won, lost').waitFor()
    const { id, url, eventTypes, headerNames, secrets } = made
    const stays = { url, eventTypes, headerNames, secrets }
    const filter = { kinds: ['deal'], values: { stage: { to: ['won', 'lost'] } } }
    expect(await call('GET', `/webhooks/${id}`)).toMatchObject({ ...stays, filter, version: 2 })

    await page.goto(at(`/webhooks/${id}/edit`))
    await page.getByLabel('Endpoint URL').fill('http://127.0.0.1:1024/moved')
    await page.getByText('Changing the host creates a new signing secret').waitFor()
    await save()
    const secret = page.locator('[data-secret]')
    await secret.waitFor()
    await page.getByLabel('I have stored the secret').check()
    await page.getByRole('button', { name: 'View webhook' }).click()
    await page.getByRole('heading', { level: 1, name: 'Hook', exact: true }).waitFor()
    expect(await secret.count()).toBe(0)
    expect(await call('GET', `/webhooks/${id}`)).toMatchObject({ headerNames: [], url: 'http://127.0.0.1:1024/moved' })
  })

  test('a webhook shows how its receiver has answered, in charts and request by request', async () => {
    const { id } = await call('POST', '/webhooks', { name: 'Busy', url: receiver.url, eventTypes: ['members.*'] })
    const tallies = { workspaceId: owner.workspaceId, webhookId: id, until: new Date().toISOString() }
    const latency = Array.from({ length: latencyBucketsCount }, (_, n) => (n > 5 && n < 12 ? 3 : 0))
    await addWebhookActivity(system.db, [{ ...tallies, statuses: [12, 0, 2, 1, 3, 4], latency }])
    await call('POST', '/members', { name: 'Grace', email: 'grace@example.com', role: 'viewer', status: 'active' })
    await page.goto(at(`/webhooks/${id}`))
    await page.getByRole('table', { name: 'Recent attempts' }).getByText('members.added').waitFor()
    await page.getByText('Show as table').first().click()
    const days = page.getByRole('region', { name: 'Requests by day, as table' }).getByRole('row')
    expect(await days.last().getByRole('cell').allTextContents()).toEqual(['12', '0', '2', '1', '3', '4'])
    await page.getByText('Show as table').first().click()
    expect(await lookAt(page, 'webhook-usage')).toEqual([])
  })
})
