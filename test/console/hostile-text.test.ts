// Text that others write stays text, wherever the console shows it.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startReceiver, type Receiver } from '../support/receiver.ts'
import { hostileTexts } from './support/hostile-texts.ts'
import { consoleStory } from './support/open-console.ts'

/** All of them at once, for what is long enough. */
const all = hostileTexts.join(' ')

consoleStory('hostile text in the console', hostileTexts[0], ({ page, at, call }) => {
  let receiver: Receiver
  beforeAll(async () => {
    // Refuses with all of them, in a header and in the body.
    const headers = { 'x-answer': encodeURI(all), 'x-raw': hostileTexts[0] }
    receiver = await startReceiver(() => ({ status: 500, headers, body: all }))
  })
  afterAll(() => receiver?.[Symbol.asyncDispose]())

  const open = (path: string) => page.goto(at(path))

  test('names of keys, where they are listed, on their own pages and in the title', async () => {
    for (const name of hostileTexts)
      await call('POST', '/api-keys', { name, description: all, scopes: ['projects:read'] }, { 'user-agent': name })
    await open('/keys')

    for (const name of hostileTexts) await page.getByRole('link', { name, exact: true }).waitFor()
    await page.getByRole('link', { name: hostileTexts[6], exact: true }).click()
    await page.getByRole('heading', { level: 1, name: hostileTexts[6], exact: true }).waitFor()
    await page.getByText(all, { exact: true }).waitFor()
    expect(await page.title()).toBe(`${hostileTexts[6]} · Workspace settings`)
    await page.getByRole('button', { name: 'Revoke…' }).click()
    await page.getByLabel(`Type “${hostileTexts[6]}” to confirm`).waitFor()
    await page.keyboard.press('Escape')
  })

  test('a filter that came with the address', async () => {
    await open(`/keys?q=${encodeURIComponent(hostileTexts[1])}`)
    await page.getByRole('link', { name: hostileTexts[1], exact: true }).waitFor()

    expect(await page.getByLabel('Name, prefix or scope').inputValue()).toBe(hostileTexts[1])
    expect(await page.getByRole('row').count()).toBe(2)
  })

  test('the name and the address of a webhook, and a filter of it', async () => {
    const url = `${receiver.url}?to=${encodeURIComponent(all)}`
    const hook = { name: hostileTexts[1], url, eventTypes: ['*'], headers: { 'x-own': hostileTexts[0] } }
    const made = await call('POST', '/webhooks', hook)
    await open('/webhooks')

    await page.getByRole('link', { name: hostileTexts[1], exact: true }).click()
    await page.getByRole('heading', { level: 1, name: hostileTexts[1], exact: true }).waitFor()
    await page.getByText(made.url, { exact: true }).first().waitFor()
  })

  test('an event: who did it, what it is called, and what has changed', async () => {
    for (const name of hostileTexts.slice(0, 3)) {
      const email = `${hostileTexts.indexOf(name)}@example.com`
      const { id } = await call('POST', '/members', { name, email, role: 'viewer', status: 'active' })
      await call('PATCH', `/members/${id}`, { name: all.slice(0, 100) })
    }
    await open('/events')

    await page.getByRole('button', { name: 'members.updated' }).first().click()
    const details = page.getByRole('dialog', { name: 'Event' })
    await details.getByText(hostileTexts[2], { exact: true }).waitFor()
    await details.getByText(all.slice(0, 100), { exact: true }).waitFor()
  })

  test('a delivery: what was sent, the headers and the body that came back', async () => {
    await open('/deliveries')
    const row = page.getByRole('row', { name: /members\.added/ }).first()
    await row.getByText('Failed', { exact: true }).waitFor()
    const webhooks = page.getByLabel('Webhook', { exact: true }).locator('option')
    await expect.poll(() => webhooks.allTextContents()).toContain(hostileTexts[1])
    await page.getByRole('link', { name: 'members.added' }).first().click()
    await page.getByText('The endpoint returned 500').first().waitFor()

    const response = page.getByRole('region', { name: 'Response', exact: true })
    await response.getByText(all, { exact: true }).waitFor()
    await response.getByText(hostileTexts[0], { exact: true }).waitFor()
    const request = page.getByRole('region', { name: 'Request' })
    await request.getByText(/webhooks?-id/).waitFor()
    expect(await request.textContent()).toContain(hostileTexts[2])
  })

  test('the audit log: names, programs and refused calls', async () => {
    await open('/audit')
    await page.getByRole('cell', { name: hostileTexts[0], exact: true }).first().waitFor()
    await page.getByRole('row').filter({ hasText: hostileTexts[3] }).getByRole('button').first().click()

    const details = page.getByRole('dialog', { name: 'Audit entry' })
    // As the program that called, and as the name that the key was given.
    await details.getByText(hostileTexts[3], { exact: true }).first().waitFor()
    await expect.poll(() => details.getByText(hostileTexts[3], { exact: true }).count()).toBe(2)
  })
})
