// Text that others write stays text, wherever the console shows it: names, addresses, headers, payloads, answers,
// programs.
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { firstOwner, type Person } from '../support/person.ts'
import { must } from '../support/system.ts'
import { hasRun, hostileTexts } from './support/hostile-texts.ts'
import { describeConsole, openConsole, type Console, type Visit } from './support/open-console.ts'

/** All of them at once, for what is long enough. */
const all = hostileTexts.join(' ')

describeConsole('hostile text in the console', () => {
  let console: Console
  let visit: Visit
  let page: Page
  let receiver: Server
  let owner: Person & { readonly workspaceId: string }
  beforeAll(async () => {
    console = await openConsole({ retrySchedule: [] })
    owner = await firstOwner(console.system, { workspaceName: hostileTexts[0] })
    visit = await console.visit(owner)
    page = visit.page
    // Refuses with all of them, in a header and in the body.
    receiver = createServer((_request, response) =>
      response.writeHead(500, { 'x-answer': encodeURI(all), 'x-raw': hostileTexts[0] }).end(all),
    ).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
  })
  afterAll(async () => {
    receiver?.closeAllConnections()
    receiver?.close()
    await console?.[Symbol.asyncDispose]()
  })

  const call = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    must(await owner.call(method, `/workspaces/${owner.workspaceId}${path}`, body, headers))
  const open = (path: string) => page.goto(`/settings/w/${owner.workspaceId}${path}`)

  test('names of keys, where they are listed, on their own pages and in the title', async () => {
    for (const name of hostileTexts)
      await call('POST', '/api-keys', { name, description: all, scopes: ['projects:read'] }, { 'user-agent': name })
    await open('/keys')

    for (const name of hostileTexts) await page.getByRole('link', { name, exact: true }).waitFor()
    await page.getByRole('link', { name: hostileTexts[6], exact: true }).click()
    await page.getByRole('heading', { level: 1, name: hostileTexts[6], exact: true }).waitFor()
    await page.getByText(all, { exact: true }).waitFor()
    expect(await page.title()).toBe(`${hostileTexts[6]} · Workspace settings`)
    await page.getByRole('button', { name: 'Revoke' }).click()
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
    const { port } = receiver.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/?to=${encodeURIComponent(all)}`
    const made = await call('POST', '/webhooks', {
      name: hostileTexts[1],
      url,
      eventTypes: ['*'],
      headers: { 'x-own': hostileTexts[0] },
    })
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
    await page
      .getByRole('row', { name: /members\.added/ })
      .first()
      .getByText('Dead letter')
      .waitFor()
    expect(await page.getByLabel('Webhook', { exact: true }).locator('option').allTextContents()).toContain(
      hostileTexts[1],
    )
    await page.getByRole('link', { name: 'members.added' }).first().click()
    await page.getByText('The receiver returned 500').first().waitFor()

    const response = page.getByRole('region', { name: 'Response' })
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
    expect(await details.getByText(hostileTexts[3], { exact: true }).count()).toBe(2)
  })

  test('nothing of it has run, and nothing was asked of another address', async () => {
    expect(await page.evaluate(hasRun)).toBe(false)
    expect(visit.complaints).toEqual([])
  })
})
