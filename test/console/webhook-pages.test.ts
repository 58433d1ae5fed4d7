// Webhooks, deliveries and events as a person who is signed in sees them.
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventCatalogue } from '#contract/api.ts'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { must } from '../support/system.ts'
import { keyboardOf } from './support/keyboard.ts'
import { lookAt } from './support/look-at.ts'
import { consoleStory } from './support/open-console.ts'

consoleStory('webhooks in the console', 'Acme', ({ system, owner, page, at, call }) => {
  let receiver: Receiver
  let status = 200
  beforeAll(async () => {
    receiver = await startReceiver(() => status)
  })
  afterAll(() => receiver?.[Symbol.asyncDispose]())

  test('a webhook is made, its address checked while it is typed, and a test is seen to arrive, signed with the secret that was shown', async () => {
    await page.goto(at('/webhooks/new'))
    await page.getByLabel('Name').fill('Not wanted')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('No webhooks yet').waitFor()
    // The empty list has one way to a new webhook, not two.
    await page.getByRole('link', { name: 'Create webhook' }).click()
    await page.getByText('Example payload for tasks.updated:').waitFor()
    await page.getByLabel('Name').fill('Receiver')
    await page.getByLabel('Endpoint URL').fill('https://user:secret@10.0.0.1/')
    await page.getByText('Must not hold a user name or password.').waitFor()
    await page.getByLabel('Endpoint URL').fill(receiver.url)
    await page.getByText('This URL can be used.').waitFor()
    await page.getByLabel('All event types, including future ones').check()
    await page.getByLabel('Custom headers').fill('x-own: a value')
    expect(await lookAt(page, 'webhook-new')).toEqual([])
    await page.getByRole('button', { name: 'Create webhook' }).click()

    const secret = page.locator('[data-secret]')
    const shown = await secret.textContent()
    await page.getByRole('group', { name: 'Secret of Receiver' }).and(page.locator(':focus')).waitFor()
    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByText('Succeeded: the endpoint returned 200.').waitFor()
    const sent = page.getByRole('link', { name: 'View request and response' })
    expect(await sent.getAttribute('href')).toContain(at('/deliveries/'))
    const [{ body, headers } = { body: '', headers: {} }] = await receiver.count(1)
    const webhook = new Webhook(shown ?? '')
    expect(webhook.verify(body, headers as Record<string, string>)).toMatchObject({ type: 'webhooks.test' })
    expect(await lookAt(page, 'webhook-secret')).toEqual([])
    await page.getByLabel('I have stored the secret').check()
    await page.getByRole('button', { name: 'View webhook' }).click()
    await page.getByRole('heading', { level: 1, name: 'Receiver', exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Last 24 hours' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Secrets' }).waitFor()
    expect(await secret.count()).toBe(0)
    await page.getByText('All event types', { exact: true }).waitFor()
    expect(await lookAt(page, 'webhook')).toEqual([])
  })

  test('a rotated secret takes the focus, and is neither left nor reloaded away without a question', async () => {
    await page.getByRole('button', { name: 'Rotate…' }).click()
    await page.getByRole('button', { name: 'Rotate secret' }).click()
    await page.getByRole('group', { name: 'Secret of Receiver' }).and(page.locator(':focus')).waitFor()
    const secret = page.locator('[data-secret]')
    const shown = await secret.textContent()

    await page.getByRole('link', { name: 'Deliveries', exact: true }).click()
    const question = page.getByRole('alertdialog', { name: 'Leave without storing the secret?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    const asked = page.waitForEvent('dialog')
    // A reload that is refused never ends, and `page.reload` would wait for its end.
    const reload = page.evaluate('location.reload()')
    const dialog = await asked
    expect(dialog.type()).toBe('beforeunload')
    await dialog.dismiss()
    await reload

    expect(await secret.textContent()).toBe(shown)
    await page.getByLabel('I have stored the secret').check()
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Deliveries', exact: true }).waitFor()
  })

  test('the access of a webhook is shown with who granted it, revoked, and granted again', async () => {
    const made = await call('POST', '/webhooks', { name: 'Granted', url: receiver.url, eventTypes: ['projects.*'] })
    await page.goto(at(`/webhooks/${made.id}`))
    const access = page.getByRole('region', { name: 'Access' })
    await access.getByText('Ada Lovelace').first().waitFor()

    await access.getByRole('button', { name: 'Revoke access…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke access' }).click()
    await access.getByText('The webhook has no access to: projects:read.').waitFor()
    expect((await call('GET', `/webhooks/${made.id}`)).grants.scopes).toEqual([])
    await access.getByRole('button', { name: 'Grant access' }).click()

    await access.getByText('Some of the event types are not delivered').waitFor({ state: 'detached' })
    expect((await call('GET', `/webhooks/${made.id}`)).grants.scopes).toEqual(['projects:read'])
    await call('DELETE', `/webhooks/${made.id}`)
  })

  test('in a sandbox the inspector shows what it received, with what was found of the signatures', async () => {
    const { workspaceId: id } = owner
    await system.db.workspace.update({ where: { id }, data: { sandbox: false } })
    await page.goto(at('/webhooks/new'))
    await page.getByLabel('Endpoint URL').fill('https://inspector.invalid/?status=418')
    await page.getByText('The inspector (the built-in test endpoint) receives webhooks of sandboxes only.').waitFor()
    await system.db.workspace.update({ where: { id }, data: { sandbox: true } })
    const url = 'https://inspector.invalid/?failures=1'
    const made = await call('POST', '/webhooks', { name: 'Inspected', url, eventTypes: ['jobs.*'] })

    await page.goto(at(`/webhooks/${made.id}`))
    await page.getByText('No requests received').waitFor()
    await page.getByRole('button', { name: 'Send test' }).click()
    const received = page.getByRole('list', { name: 'Received requests' }).getByRole('listitem')
    await received.getByText('webhooks.test').click()
    await received.getByText('Signatures valid').waitFor()
    await received.getByText('Returned 500').waitFor()
    await received.getByText('webhook-signature', { exact: true }).waitFor()
    await received.getByText(`"workspaceId":"${id}"`).first().waitFor()

    expect(await lookAt(page, 'webhook-inspected')).toEqual([])
    await system.db.workspace.update({ where: { id }, data: { sandbox: false } })
  })

  test('in a sandbox alone an event is triggered for a webhook, of a type that it subscribes to, and seen to arrive or to be left out', async () => {
    const { workspaceId: id } = owner
    const eventTypes = ['projects.*', 'tasks.created']
    const made = await call('POST', '/webhooks', { name: 'On demand', url: receiver.url, eventTypes })
    const section = page.getByRole('region', { name: 'Trigger an event' })
    await page.goto(at(`/webhooks/${made.id}`))
    await page.getByRole('button', { name: 'Send test' }).waitFor()
    expect(await section.count()).toBe(0)
    await system.db.workspace.update({ where: { id }, data: { sandbox: true } })

    await page.reload()
    const choice = section.getByLabel('Event type')
    await choice.selectOption('tasks.created')
    const offered = await choice.locator('option').allTextContents()
    await section.getByRole('button', { name: 'Trigger event' }).click()
    await section.getByText('Succeeded: the endpoint returned 200.').waitFor()

    const subscribed = eventCatalogue
      .map(({ type }) => type)
      .filter((type) => /^projects\.|^tasks\.created$/.test(type))
    expect(offered).toEqual(subscribed)
    const [delivery] = (await call('GET', `/deliveries?webhookId=${made.id}`)).data
    expect(delivery).toMatchObject({ eventType: 'tasks.created', status: 'delivered' })
    const link = section.getByRole('link', { name: 'View request and response' })
    expect(await link.getAttribute('href')).toContain(at(`/deliveries/${delivery.id}`))
    expect((await call('GET', `/events/${delivery.eventId}`)).origin).toBe('trigger')
    expect(await lookAt(page, 'webhook-trigger')).toEqual([])

    const { secret } = await call('POST', '/api-keys', { name: 'Filter', scopes: ['projects:write'] })
    const authorization = `Bearer ${secret}`
    const project = must(await system.call('POST', '/api/v1/projects', { name: 'Only this' }, { authorization }))
    await call('PATCH', `/webhooks/${made.id}`, { filter: { projectIds: [project.id] } })
    await page.reload()
    await choice.selectOption('tasks.created')
    await section.getByRole('button', { name: 'Trigger event' }).click()
    await section.getByText('The filters of this webhook may exclude the event').waitFor()

    await system.db.workspace.update({ where: { id }, data: { sandbox: false } })
    await section.getByRole('button', { name: 'Trigger event' }).click()
    await section.getByText('Events can be triggered in sandboxes only.').waitFor()
  })

  test('a delivery comes live, is explained, and is sent again by keyboard', async () => {
    status = 503
    await page.goto(at('/deliveries'))
    await page.getByText('Live', { exact: true }).waitFor()
    await call('POST', '/members', { name: 'Alan Turing', email: 'x@example.com', role: 'viewer', status: 'active' })
    const row = page.getByRole('row', { name: /members\.added/ })
    await row.getByText('Failed', { exact: true }).waitFor()
    expect(await lookAt(page, 'deliveries')).toEqual([])
    await row.getByRole('link', { name: 'members.added' }).click()
    await page.getByText('The endpoint returned 503, a server error.').first().waitFor()
    expect(await lookAt(page, 'delivery')).toEqual([])

    status = 200
    await keyboardOf(page).use('Resend')
    await page.getByText('Delivered. No further attempts are made.').waitFor()
    await page.getByText('Attempt 2').waitFor()
  })

  test('several are sent again after they were counted', async () => {
    await page.goto(at('/deliveries'))
    await page.getByLabel('Select all').check()
    await page.getByRole('button', { name: 'Resend selected…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Resend deliveries' })
    await dialog.getByText(/will be resent\.$/).waitFor()
    await dialog.getByText(/of the selected deliveries (?:was|were) already delivered\.$/).waitFor()
    expect(await lookAt(page, 'deliveries-resend')).toEqual([])
    await dialog.getByRole('button', { name: /^Resend \d+$/ }).click()
    await dialog.getByText(/Done\.$/).waitFor()
    await page.keyboard.press('Escape')
  })

  test('once a key has called and a webhook has delivered, the overview shows that, and nothing is left to be begun', async () => {
    const { secret } = await call('POST', '/api-keys', { name: 'First', preset: 'read-only' })
    must(await system.call('GET', '/api/v1/me', undefined, { authorization: `Bearer ${secret}` }))
    await page.goto(at(''))
    await page.getByText(/^[1-9]\d* delivered · \d+ failed · /).waitFor()

    await page.getByRole('region', { name: 'Get started' }).waitFor({ state: 'detached' })
  })

  test('events come live, with what has changed', async () => {
    await page.goto(at('/events'))
    await page.getByText('Live', { exact: true }).waitFor()
    const { data } = await call('GET', '/members')
    await call('PATCH', `/members/${data[0].id}`, { name: 'Ada King' })
    await page.getByRole('button', { name: 'members.updated' }).first().click()
    await page.getByRole('dialog').getByText('Ada King').first().waitFor()
    expect(await lookAt(page, 'events')).toEqual([])
  })
})
