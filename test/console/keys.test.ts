// One story with one browser: a key from its making to its end, and what must never be seen meanwhile.
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { ada } from '../support/person.ts'
import { run } from '../support/run-program.ts'
import { copiedBy } from './support/clipboard.ts'
import { keyboardOf } from './support/keyboard.ts'
import { lookAt } from './support/look-at.ts'
import { consoleStory } from './support/open-console.ts'

consoleStory('keys in the console', 'Acme', ({ system, owner, page, field, button }) => {
  /** At the side: the overview leads there as well. */
  const toKeys = () => page.getByRole('navigation').getByRole('link', { name: 'API keys', exact: true })
  const callWith = (secret: string) =>
    system.call('GET', '/api/v1/me', undefined, { authorization: `Bearer ${secret}` })
  let secret = ''
  let renewed = ''

  test('signing out and in leads back to the page that was asked for', async () => {
    await page.goto('/settings')
    await page.waitForURL('**/w/**')
    await toKeys().click()
    await page.getByText('No keys yet').waitFor()
    const asked = `${page.url()}?status=active`
    await page.getByRole('button', { name: owner.email }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor()

    await page.goto(asked)
    await field('Email').waitFor()
    expect(await lookAt(page, 'sign-in')).toEqual([])
    await field('Email').fill(owner.email)
    await field('Password').fill('not the password')
    await button('Sign in').click()
    await page.getByRole('alert').waitFor()
    await field('Password').fill(ada.password)
    await button('Sign in').click()

    await page.waitForURL(asked)
  })

  test('a key is made, after the password was given again, and its secret is shown once, beside a sample that is a first call', async () => {
    await system.db.session.updateMany({ data: { confirmedAt: null } })
    await toKeys().click()
    await page.getByRole('link', { name: 'Create key' }).click()
    await field('Name').fill('CRM import')
    await page.getByRole('button', { name: /^Read only/ }).click()
    await button('Create key').click()

    await page.getByRole('dialog', { name: 'Confirm your identity' }).waitFor()
    await field('Password').fill(ada.password)
    await button('Confirm').click()
    await page.getByRole('heading', { name: 'Key created' }).waitFor()
    expect(await lookAt(page, 'key-secret')).toEqual([])
    const sample = await copiedBy(page, () => button('Copy curl sample').click())
    const { code, output } = await run('.', 'sh', ['-c', sample], {})
    expect([code, JSON.parse(output)]).toMatchObject([0, { apiKey: { name: 'CRM import' } }])
    secret = await copiedBy(page, () => button('Copy secret').click())

    expect(await page.locator('[data-secret]').textContent()).toBe(secret)
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByText('200: the key works').waitFor()
  })

  test('a reload never shows the secret again, and nothing in the browser has kept it', async () => {
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByRole('heading', { name: 'Create key' }).waitFor()

    const kept: string = await page.evaluate(
      'JSON.stringify([localStorage, sessionStorage, history.state, location.href])',
    )
    expect(await page.content()).not.toContain(secret)
    expect(kept).not.toContain(secret)
  })

  test('a key that is rotated with an overlap has two secrets that work', async () => {
    await toKeys().click()
    await page.getByRole('link', { name: 'CRM import' }).click()
    await button('Rotate…').click()
    await button('Rotate key').click()
    const next = (await page.locator('[data-secret]').textContent()) ?? ''

    expect(next).not.toBe(secret)
    expect([(await callWith(secret)).status, (await callWith(next)).status]).toEqual([200, 200])
    await field('I have stored the secret').check()
    await button('Done').click()
    await page.getByText('Old secret expires').waitFor()
    renewed = next
  })

  test('the page says that the old secret is still used, and ends it after a question; the new one goes on working', async () => {
    const reported = () => system.db.apiKey.findFirst({ where: { previousSecretRequests: { gt: 0 } } })
    await eventually(reported, 'the use of the previous secret to be reported')
    await page.reload()
    await page.getByText('The old secret is in use').waitFor()
    await page.getByText('1 request since the rotation').waitFor()
    expect(await lookAt(page, 'previous-secret')).toEqual([])
    await toKeys().click()
    await page.getByText('Old secret in use').waitFor()
    await page.getByRole('link', { name: 'CRM import' }).click()

    await button('Expire now…').click()
    const question = page.getByRole('alertdialog', { name: 'Expire the old secret?' })
    await question.getByText('1 request since the rotation').waitFor()
    expect((await callWith(secret)).status).toBe(200)
    expect(await lookAt(page, 'expire-previous-secret')).toEqual([])
    await button('Expire secret').click()

    await page.getByText('The old secret is in use').waitFor({ state: 'detached' })
    expect([(await callWith(secret)).status, (await callWith(renewed)).status]).toEqual([401, 200])
  })

  test('a key is made, and revoked by typing its name, with the keyboard alone; its calls are refused from then on', async () => {
    const keyboard = keyboardOf(page)
    await page.goto('/settings')
    await page.waitForURL('**/w/**')
    await toKeys().waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('k')
    await page.getByRole('link', { name: 'Create key' }).waitFor()
    await page.keyboard.press('n')
    await page.getByRole('heading', { name: 'Create key' }).waitFor()
    await keyboard.tabTo('Name')
    await page.keyboard.type('By hand')
    await keyboard.use('projects:read', 'Space')
    await keyboard.use('Create key')
    await page.getByRole('heading', { name: 'Key created' }).waitFor()
    const copied = await copiedBy(page, () => keyboard.use('Copy secret'))
    await keyboard.use('I have stored the secret', 'Space')
    await keyboard.use('Done')

    await page.getByRole('heading', { name: 'By hand' }).waitFor()
    expect((await callWith(copied)).status).toBe(200)
    await keyboard.use('Revoke…')
    expect(await button('Revoke key').isDisabled()).toBe(true)
    await keyboard.tabTo('Type “By hand” to confirm')
    await page.keyboard.type('By hand')
    await page.keyboard.press('Enter')
    await page.getByText('Revoked by', { exact: true }).waitFor()
    expect((await callWith(copied)).status).toBe(401)
  })

  test('an agent’s key is for MCP alone, and its samples are of what it can do', async () => {
    await toKeys().click()
    await page.getByRole('link', { name: 'Create key' }).click()
    await field('Name').fill('Assistant')
    await page.getByRole('button', { name: /^Agent/ }).click()
    expect([await field('HTTP API').isChecked(), await field('MCP (AI assistants)').isChecked()]).toEqual([false, true])
    await button('Create key').click()
    await page.getByRole('heading', { name: 'Key created' }).waitFor()

    await page.getByText('claude mcp add').waitFor()
    expect(await page.getByRole('tab').allTextContents()).toEqual(['MCP'])
    expect(await button('Try it').count()).toBe(0)
    await field('I have stored the secret').check()
    await button('Done').click()
    await page.getByRole('heading', { level: 1, name: 'Assistant', exact: true }).waitFor()
  })

  test('a form that was changed is not left unasked, and one that was not is', async () => {
    await toKeys().click()
    await page.getByRole('link', { name: 'Create key' }).click()
    await field('Name').waitFor()
    await toKeys().click()
    await page.getByRole('link', { name: 'Create key' }).click()
    await field('Name').fill('Half of a key')

    await toKeys().click()
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect(await field('Name').inputValue()).toBe('Half of a key')
    await page.goBack()
    await question.getByRole('button', { name: 'Discard changes' }).click()

    await page.getByRole('heading', { level: 1, name: 'API keys', exact: true }).waitFor()
  })

  test('a page that cannot be loaded says that the connection is gone, and is there once it is back', async () => {
    const { browser, storageState } = {
      browser: page.context().browser(),
      storageState: await page.context().storageState(),
    }
    const context = await browser?.newContext({ storageState, baseURL: system.url })
    const offline = await context?.newPage()
    if (context === undefined || offline === undefined) throw new Error('There is no browser')
    await offline.goto('/settings')
    await offline.getByRole('navigation').getByRole('link', { name: 'API keys', exact: true }).waitFor()
    await context.setOffline(true)
    await offline.getByRole('navigation').getByRole('link', { name: 'Audit log' }).click()
    await offline.getByRole('heading', { name: 'No connection' }).waitFor()
    await offline.getByRole('button', { name: 'Try again' }).click()
    await offline.getByText('The server still cannot be reached.').waitFor()

    await context.setOffline(false)
    await offline.getByRole('button', { name: 'Try again' }).click()

    await offline.getByRole('heading', { level: 1, name: 'Audit log', exact: true }).waitFor()
    await context.close()
  })

  test('the page says that it is loading before its script is there', async () => {
    const slow = await page.context().newPage()
    const { promise, resolve } = Promise.withResolvers<void>()
    await slow.route('**/*.js', async (route) => {
      await promise
      await route.continue()
    })
    await slow.goto('/settings', { waitUntil: 'commit' })
    await slow.getByText('Loading the workspace settings…').waitFor()

    resolve()

    await slow.getByRole('navigation').getByRole('link', { name: 'API keys', exact: true }).waitFor()
    await slow.close()
  })

  test('no page has a barrier that axe finds', async () => {
    await toKeys().click()
    await page.getByRole('link', { name: 'By hand' }).click()
    await page.getByRole('heading', { level: 1, name: 'By hand', exact: true }).waitFor()
    const key = new URL(page.url()).pathname
    const keys = key.replace(/\/[^/]+$/, '')
    const paths = { 'key-by-hand': key, 'key-new': `${keys}/new`, keys, account: '/settings/account' }
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      expect([name, ...(await lookAt(page, name))]).toEqual([name])
    }
  })
})
