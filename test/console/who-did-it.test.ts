// Who did it, as a person who is signed in finds out: by the filters of events and of the audit log, by all activity of
// an object, on the page of a key; and the audit log as a file, and its verification.
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { memberOf } from '../support/person.ts'
import { flawsAsShown, lookAt } from './support/look-at.ts'
import { consoleStory } from './support/open-console.ts'

/** A page that has to be moved sideways to be read. */
const isTooWide = (page: Page) => page.evaluate(`document.documentElement.scrollWidth > innerWidth`)

consoleStory('who did it, in the console', 'Acme', ({ system, owner, page, visit, at, call }) => {
  const makeKey = (name: string, ...scopes: readonly string[]) => call('POST', '/api-keys', { name, scopes })
  const callWith = (secret: string, method: string, path: string, body?: object) =>
    system.call(method, `/api/v1${path}`, body, { authorization: `Bearer ${secret}` })
  const events = () => page.getByRole('table', { name: 'Events, newest first' })
  const entries = () => page.getByRole('table', { name: 'Audit entries, newest first' })
  const nav = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true })

  test('two clicks from the overview say which key has changed an object', async () => {
    const { secret } = await makeKey('Nightly sync', 'projects:write')
    await callWith(secret, 'POST', '/projects', { name: 'Website relaunch' })
    await page.goto(at(''))

    await nav('Events').click()
    await events()
      .getByRole('row', { name: /Website relaunch/ })
      .getByRole('button', { name: 'projects.created' })
      .click()
    const details = page.getByRole('dialog', { name: 'Event' })
    await details.getByRole('link', { name: 'Nightly sync' }).waitFor()
    expect(await flawsAsShown(page)).toEqual([])
    await page.keyboard.press('Escape')
  })

  test('events are filtered by actor, by text and by object, which their address keeps, and a new one comes only where it fits', async () => {
    const [one, two] = [await makeKey('Importer', 'projects:write'), await makeKey('Cleaner', 'projects:write')]
    const { body: shop } = await callWith(one.secret, 'POST', '/projects', { name: 'Shop' })
    await callWith(two.secret, 'POST', '/projects', { name: 'Attic' })
    await page.goto(at('/events'))
    await page.getByText('Live', { exact: true }).waitFor()

    await page.getByLabel('Actor', { exact: true }).selectOption(one.id)
    await events().getByRole('cell', { name: 'Attic' }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByText('Live', { exact: true }).waitFor()
    await events().getByText('Shop', { exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe(`?actor=${one.id}`)
    await callWith(two.secret, 'POST', '/projects', { name: 'Cellar' })
    await callWith(one.secret, 'PATCH', `/projects/${shop.id}`, { name: 'Store' })
    await events().getByRole('button', { name: 'projects.updated' }).waitFor()
    expect(await events().getByText('Cellar').count()).toBe(0)

    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByLabel('Name, ID or any text').fill('aTTic')
    await events().getByText('Attic').first().waitFor()
    await events().getByRole('button', { name: 'projects.updated' }).waitFor({ state: 'detached' })
    await page.goto(at(`/events?object=${shop.id}`))
    await events().getByRole('button', { name: 'projects.updated' }).waitFor()
    expect(await events().getByRole('row').count()).toBe(3)
    expect(await lookAt(page, 'events-filtered')).toEqual([])
    await page.getByRole('button', { name: `Remove the filter Object: project ${shop.id.slice(0, 8)}…` }).click()
    await expect.poll(() => new URL(page.url()).search).toBe('')
  })

  test('all activity of an object is one click from an event, an audit entry, a request and a delivery', async () => {
    const { id: keyId, secret } = await makeKey('Shop sync', 'projects:write', 'projects:read')
    const url = 'https://hooks.example.com/in'
    await call('POST', '/webhooks', { name: 'Receiver', url, eventTypes: ['projects.*'] })
    const { body: project } = await callWith(secret, 'POST', '/projects', { name: 'Bridge' })
    await callWith(secret, 'PATCH', `/projects/${project.id}`, { name: 'Long bridge' })
    const { data: deliveries } = await eventually(async () => {
      const found = await call('GET', '/deliveries?eventTypes=projects.updated')
      return found.data.length > 0 ? found : null
    }, 'the delivery')
    const { data: requests } = await eventually(async () => {
      const found = await call('GET', `/requests?objectId=${project.id}`)
      return found.data.length > 0 ? found : null
    }, 'the request')
    const activity = () => page.getByRole('link', { name: 'All activity of this object' })
    const isShown = async () => {
      await page.getByRole('heading', { level: 1, name: 'Long bridge', exact: true }).waitFor()
      await events().getByRole('button', { name: 'projects.updated' }).waitFor()
      await events().getByRole('button', { name: 'projects.created' }).waitFor()
      await events().getByRole('link', { name: 'Shop sync' }).first().waitFor()
    }

    await page.goto(at(`/events?object=${project.id}`))
    await events().getByRole('button', { name: 'projects.updated' }).click()
    await activity().click()
    await isShown()
    await page.goto(at(`/deliveries/${deliveries[0].id}`))
    await activity().click()
    await isShown()
    await page.goto(at(`/requests/${requests[0].id}`))
    await activity().click()
    await isShown()
    expect(await page.getByRole('heading', { name: 'Audit log' }).count()).toBe(0)
    expect(await lookAt(page, 'object')).toEqual([])
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await isTooWide(page)).toBe(false)
    await page.setViewportSize({ width: 1_280, height: 800 })

    await page.goto(at(`/audit?target=${keyId}`))
    await entries().getByRole('button', { name: 'api-keys.create' }).click()
    await page.getByRole('insertion').first().waitFor()
    expect(await page.getByRole('deletion').count()).toBe(0)
    await activity().click()
    await page.getByRole('heading', { level: 1, name: 'Shop sync', exact: true }).waitFor()
    await events().getByRole('button', { name: 'api-keys.created' }).waitFor()
    await entries().getByRole('button', { name: 'api-keys.create' }).waitFor()
  })

  test('two clicks from the overview say who has revoked a key, whose page has its changes and what it has done', async () => {
    const { id, secret } = await makeKey('Old importer', 'projects:write')
    await call('PATCH', `/api-keys/${id}`, { name: 'Retired importer' })
    await callWith(secret, 'POST', '/projects', { name: 'Archive' })
    await call('DELETE', `/api-keys/${id}`)
    await page.goto(at(''))

    await nav('Audit log').click()
    const revoked = entries()
      .getByRole('row', { name: /api-keys\.revoke/ })
      .first()
    await revoked.getByText('Retired importer').waitFor()
    await revoked.getByText('Ada Lovelace').waitFor()
    await page.goto(at(''))
    await nav('API keys').click()
    await page.getByRole('link', { name: 'Retired importer' }).click()
    await page.getByText('Revoked by', { exact: true }).waitFor()
    expect(await page.getByText('Expires', { exact: true }).count()).toBe(0)
    const changes = page.getByRole('region', { name: 'Changes to this key' })
    for (const action of ['api-keys.revoke', 'api-keys.update', 'api-keys.create'])
      await changes
        .getByRole('row', { name: new RegExp(action) })
        .getByText('Ada Lovelace')
        .waitFor()
    expect(await lookAt(page, 'key-changes')).toEqual([])

    await page.getByRole('link', { name: 'Events by this key' }).click()
    await events().getByText('Archive').first().waitFor()
    expect(new URL(page.url()).search).toBe(`?actor=${id}`)
    await page.goBack()
    await page.getByRole('link', { name: 'Audit entries by this key' }).click()
    await page.getByRole('heading', { name: 'No results' }).waitFor()
  })

  test('the audit log is filtered by actor, category and text, a row leads to all of its actor, and both themes and widths read', async () => {
    await page.goto(at('/audit'))
    await page.getByLabel('Category', { exact: true }).selectOption('Webhooks')
    await entries().getByRole('button', { name: 'webhooks.create' }).first().waitFor()
    await entries().getByRole('button', { name: 'api-keys.create' }).first().waitFor({ state: 'detached' })
    await page.getByLabel('Actor, target, action or IP address').fill('no such text')
    await page.getByRole('heading', { name: 'No results' }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    const ada = page.getByLabel('Actor', { exact: true }).getByRole('option', { name: 'Ada Lovelace' })
    await page.getByLabel('Actor', { exact: true }).selectOption((await ada.getAttribute('value')) ?? '')
    await entries().getByRole('button', { name: 'webhooks.create' }).first().click()
    expect(await lookAt(page, 'audit-entry')).toEqual([])
    const details = page.getByRole('dialog', { name: 'Audit entry' })
    await details.getByRole('link', { name: 'All entries of this actor' }).click()
    await details.waitFor({ state: 'detached' })

    expect(await lookAt(page, 'audit-filtered')).toEqual([])
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await isTooWide(page)).toBe(false)
    await page.setViewportSize({ width: 1_280, height: 800 })
  })

  test('a sign-in is found in the log, with address and browser', async () => {
    const person = await memberOf(system, owner.workspaceId, 'viewer')
    await person.signIn(person.email)
    const signIns = '/audit-entries?action=sessions.create'
    await eventually(async () => (await call('GET', signIns)).data.length > 0, 'the sign-in')
    await page.goto(at('/audit'))
    await page.getByLabel('Category', { exact: true }).selectOption('Sign-ins')
    await page.getByLabel('Outcome', { exact: true }).selectOption('Succeeded')

    await entries().getByRole('button', { name: 'sessions.create' }).first().click()
    const details = page.getByRole('dialog', { name: 'Audit entry' })
    await details.getByText('127.0.0.1').waitFor()
    await details.getByText('User agent').waitFor()
    await page.keyboard.press('Escape')
  })

  test.each(['CSV', 'NDJSON'])('the log is downloaded as %s, with the filters of the page', async (format) => {
    await page.goto(at('/audit?category=webhooks'))
    await entries().getByRole('button', { name: 'webhooks.create' }).first().waitFor()

    await page.getByRole('button', { name: 'Download' }).click()
    if (format === 'CSV') expect(await flawsAsShown(page)).toEqual([])
    const coming = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: format, exact: true }).click()
    const download = await coming

    expect(download.suggestedFilename()).toMatch(new RegExp(`^audit-log-[\\d-]{10}\\.${format.toLowerCase()}$`))
    const lines = (await readFile((await download.path()) ?? '', 'utf8')).trim().split('\n')
    const rows = format === 'CSV' ? lines.slice(1) : lines
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter((row) => !row.includes('webhooks.'))).toEqual([])
  })

  test('the verification is a page that says what was checked, since when and up to which entry', async () => {
    await page.goto(at('/audit'))
    await page.getByRole('link', { name: 'Verify log' }).click()
    await page.getByText('The audit log is intact').waitFor()
    await page.getByText('Each entry matches its own hash.').waitFor()
    const { lastHash, checked } = await call('GET', '/audit-entries/verify')
    await page.getByText(lastHash).waitFor()
    expect(new URL(page.url()).pathname).toBe(at('/audit/verify'))
    await page.getByText(`All ${checked.toLocaleString('en')} entries are as they were written`).waitFor()
    expect(await lookAt(page, 'audit-verified')).toEqual([])
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await isTooWide(page)).toBe(false)
    await page.setViewportSize({ width: 1_280, height: 800 })

    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('navigation').first().isVisible()).toBe(false)
    await page.getByText('The audit log is intact').waitFor()
    await page.emulateMedia({ media: 'screen' })
  })

  test('a log that was tampered with says at which entry, what that means and what to do', async () => {
    const { workspaceId } = owner
    await system.db.$executeRawUnsafe('ALTER TABLE audit_entry DISABLE TRIGGER audit_entry_append_only')
    await system.db.$executeRaw`
      UPDATE audit_entry SET action = 'api-keys.update' WHERE workspace_id = ${workspaceId}::uuid AND number = 2`
    await system.db.$executeRawUnsafe('ALTER TABLE audit_entry ENABLE TRIGGER audit_entry_append_only')
    await page.goto(at('/audit/verify'))

    await page.getByRole('alert').getByText('The audit log is broken at entry 2').waitFor()
    await page.getByText('Entry 2 does not match its hash: it was changed after it was written.').waitFor()
    const stored = page.getByRole('region', { name: 'Entry 2 as it is stored now' })
    await stored.getByText('api-keys.update').waitFor()
    expect(await page.getByRole('region', { name: 'What to do' }).getByRole('listitem').count()).toBe(6)
    expect(await lookAt(page, 'audit-broken')).toEqual([])
    await page.setViewportSize({ width: 390, height: 800 })
    expect(await isTooWide(page)).toBe(false)
    await page.setViewportSize({ width: 1_280, height: 800 })
  })

  test('a viewer sees the events of an object, and is offered nothing of the audit log', async () => {
    const theirs = await visit(await memberOf(system, owner.workspaceId, 'viewer'))
    const { data } = await call('GET', '/events/search?eventTypes=projects.created')
    await theirs.goto(at(`/objects/${data[0].resource.id}`))

    await theirs.getByRole('button', { name: 'projects.created' }).waitFor()
    expect(await theirs.getByRole('heading', { level: 2, name: 'Audit log' }).count()).toBe(0)
    await theirs.goto(at('/audit'))
    await theirs.getByRole('heading', { name: 'You do not have access' }).waitFor()
    expect(await theirs.getByRole('button', { name: 'Download' }).count()).toBe(0)
  })
})
