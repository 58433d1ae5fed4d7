// One story with one browser: the first run, a key from its making to its end, and what must never be seen meanwhile.
import axe from 'axe-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, setupToken } from '../support/person.ts'
import { describeConsole, openConsole, type Console, type Visit } from './support/open-console.ts'

const hostileNames = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  '{{constructor.constructor("alert(1)")()}}',
  "javascript:alert('1')//",
]

describeConsole('keys in the console', () => {
  let console: Console
  let visit: Visit
  beforeAll(async () => {
    console = await openConsole()
    visit = await console.visit()
  })
  afterAll(() => console?.[Symbol.asyncDispose]())

  const at = (path: string): string => `${console.system.url}/settings${path}`
  const field = (label: string) => visit.page.getByLabel(label, { exact: true })
  const button = (name: string) => visit.page.getByRole('button', { name, exact: true })
  /** At the side: the overview leads there as well. */
  const toKeys = () => visit.page.getByRole('navigation').getByRole('link', { name: 'Keys', exact: true })
  const call = (secret: string) =>
    console.system.call('GET', '/api/v1/me', undefined, { authorization: `Bearer ${secret}` })
  let secret = ''

  test('whoever has the link of the first start makes the first account, and the token leaves the address', async () => {
    const { page } = visit
    const token = await setupToken(console.system)
    await page.goto(at(`/setup#${token}`))
    await field('Your name').fill(ada.name)
    expect(page.url()).toBe(at('/setup'))

    await button('Make the account').click()
    await page.getByText('This is needed.').first().waitFor()
    await field('E-mail').fill(ada.email)
    await field('Password').fill(ada.password)
    await button('Make the account').click()

    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForURL('**/w/**')
    await page.goto(at('/setup'))
    await page.getByText('This is set up').waitFor()
  })

  test('signing out and in leads back to the page that was asked for', async () => {
    const { page } = visit
    await page.goto(at(''))
    await page.waitForURL('**/w/**')
    await toKeys().click()
    await page.getByText('No keys yet').waitFor()
    const asked = `${page.url()}?status=active`
    await page.getByRole('button', { name: ada.email }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()

    await page.goto(asked)
    await field('E-mail').fill(ada.email)
    await field('Password').fill('not the password')
    await button('Sign in').click()
    await page.getByRole('alert').waitFor()
    await field('Password').fill(ada.password)
    await button('Sign in').click()

    await page.waitForURL(asked)
  })

  test('a key is made, after the password was given again, and its secret is shown once', async () => {
    const { page } = visit
    await console.system.db.session.updateMany({ data: { confirmedAt: null } })
    await toKeys().click()
    await page.getByRole('link', { name: 'Create key' }).click()
    await field('Name').fill('CRM import')
    await page.getByRole('button', { name: /^Read only/ }).click()
    await button('Create key').click()

    await page.getByRole('dialog', { name: 'Confirm that it is you' }).waitFor()
    await field('Password').fill(ada.password)
    await button('Confirm').click()
    await page.getByRole('heading', { name: 'The key is made' }).waitFor()
    await button('Copy secret').click()
    secret = await copied()

    expect(await page.locator('[data-secret]').textContent()).toBe(secret)
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByText('200: the key works').waitFor()
    expect(await call(secret)).toMatchObject({ status: 200, body: { apiKey: { name: 'CRM import' } } })
    await console.photograph(page, 'secret')
  })

  test('a reload never shows the secret again, and nothing in the browser has kept it', async () => {
    const { page } = visit
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByRole('heading', { name: 'Create a key' }).waitFor()

    const kept: string = await page.evaluate(
      'JSON.stringify([localStorage, sessionStorage, history.state, location.href])',
    )
    expect(await page.content()).not.toContain(secret)
    expect(kept).not.toContain(secret)
  })

  test('a key that is rotated with an overlap has two secrets that work', async () => {
    const { page } = visit
    await toKeys().click()
    await page.getByRole('link', { name: 'CRM import' }).click()
    await button('Rotate').click()
    await button('Make a new secret').click()
    const next = (await page.locator('[data-secret]').textContent()) ?? ''

    expect(next).not.toBe(secret)
    expect([(await call(secret)).status, (await call(next)).status]).toEqual([200, 200])
    await field('I stored it').check()
    await button('Done').click()
    await page.getByText('The old secret works until').waitFor()
  })

  test('a key is revoked by typing its name, and its calls are refused from then on', async () => {
    const { page } = visit
    await button('Revoke').click()
    expect(await button('Revoke the key').isDisabled()).toBe(true)
    await page.getByLabel('Type “CRM import” to confirm').fill('CRM import')
    await button('Revoke the key').click()

    await page.getByText('Revoked by').waitFor()
    expect((await call(secret)).status).toBe(401)
  })

  test('a key is made with the keyboard alone', async () => {
    const { page } = visit
    await page.goto(at(''))
    await page.waitForURL('**/w/**')
    await toKeys().waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('k')
    await page.getByRole('link', { name: 'Create key' }).waitFor()
    await page.keyboard.press('n')
    await page.getByRole('heading', { name: 'Create a key' }).waitFor()
    await tabTo('Name')
    await page.keyboard.type('By hand')
    await tabTo('projects:read')
    await page.keyboard.press('Space')
    await tabTo('Create key')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'The key is made' }).waitFor()
    await tabTo('Copy secret')
    await page.keyboard.press('Enter')
    await tabTo('I stored it')
    await page.keyboard.press('Space')
    await tabTo('Done')
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { name: 'By hand' }).waitFor()
    expect((await call(await copied())).status).toBe(200)
    await tabTo('Revoke')
    await page.keyboard.press('Enter')
    await page.getByRole('alertdialog').waitFor()
    await page.keyboard.press('Escape')
    expect(await focused()).toBe('Revoke')
  })

  test('filters stand in the address: back and reload keep them', async () => {
    const { page } = visit
    await toKeys().click()
    await field('Status').selectOption('revoked')
    await page.waitForURL('**/keys?status=revoked')
    await page.getByRole('link', { name: 'CRM import' }).waitFor()
    expect(await page.getByRole('link', { name: 'By hand' }).count()).toBe(0)

    await page.reload()
    await page.getByRole('link', { name: 'CRM import' }).click()
    await page.getByText('Revoked by').waitFor()
    await page.goBack()

    expect(await field('Status').inputValue()).toBe('revoked')
    await field('Name, prefix or scope').fill('no such key')
    await page.getByText('Nothing fits this filter').waitFor()
  })

  test('a name is shown as it is written, whatever it is written in', async () => {
    const { page } = visit
    const workspaceId = /\/w\/([^/]+)/.exec(page.url())?.[1] ?? ''
    for (const name of hostileNames)
      await console.system.operator('POST', `/settings/api/workspaces/${workspaceId}/api-keys`, {
        name,
        scopes: ['projects:read'],
      })
    await page.goto(at(`/w/${workspaceId}/keys`))

    for (const name of hostileNames) await page.getByRole('link', { name, exact: true }).waitFor()
    await page.getByRole('link', { name: hostileNames[0] ?? '', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: hostileNames[0] ?? '', exact: true }).waitFor()
  })

  test.each(['light', 'dark'] as const)('no page has a barrier that axe finds, %s', async (colorScheme) => {
    const { page } = visit
    const keyPath = new URL(page.url()).pathname
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const path of [
      keyPath,
      keyPath.replace(/[^/]+$/, 'new'),
      keyPath.replace(/\/[^/]+$/, ''),
      '/settings/account',
    ]) {
      await page.goto(console.system.url + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      await page.evaluate(axe.source)
      const found: { violations: { id: string; nodes: { html: string }[] }[] } = await page.evaluate('axe.run()')

      expect(found.violations.map(({ id, nodes }) => [path, id, nodes.map(({ html }) => html)])).toEqual([])
      await console.photograph(page, `${path.split('/').at(-1)}-${colorScheme}`)
    }
    await page.goto(console.system.url + keyPath)
  })

  test('no page has complained, and no request has left the origin', () => {
    expect(visit.complaints).toEqual([])
  })

  // What runs in the page is text: the tests have none of a browser's types.
  const copied = (): Promise<string> => visit.page.evaluate('navigator.clipboard.readText()')
  const focused = (): Promise<string> =>
    visit.page.evaluate(
      `(({ labels, ariaLabel, textContent }) => (labels?.[0]?.textContent || ariaLabel || textContent).trim())(document.activeElement)`,
    )

  async function tabTo(name: string): Promise<void> {
    for (let presses = 0; presses < 80; presses += 1) {
      await visit.page.keyboard.press('Tab')
      if ((await focused()) === name) return
    }
    throw new Error(`No way by Tab to ${name}`)
  }
})
