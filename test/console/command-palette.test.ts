// The command palette and the list of keyboard shortcuts, as somebody uses them who has no mouse.
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { memberOf } from '../support/person.ts'
import { startReceiver } from '../support/receiver.ts'
import { keyboardOf } from './support/keyboard.ts'
import { lookAt } from './support/look-at.ts'
import { consoleStory } from './support/open-console.ts'

consoleStory('the command palette', 'Acme', ({ system, owner, page, visit, at, call, field }) => {
  const finder = () => page.getByRole('combobox', { name: /^Search for a page/ })
  const chosen = () => page.getByRole('option', { selected: true })
  const find = async (text: string): Promise<void> => {
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await finder().fill(text)
  }
  const pathOf = (): string => new URL(page.url()).pathname

  test('from within a field it finds a key by a part of its name, and Escape leads back to the field', async () => {
    const { id, prefix } = await call('POST', '/api-keys', { name: 'CRM import', preset: 'read-only' })
    await call('POST', '/api-keys', { name: 'Dashboard', preset: 'read-only' })
    await page.goto(at('/keys'))
    await field('Name, prefix or scope').focus()

    await find('impo')
    await chosen().getByText('CRM import').waitFor()
    expect(await lookAt(page, 'command-palette')).toEqual([])
    await page.keyboard.press('Escape')
    await expect.poll(() => keyboardOf(page).focused()).toBe('Name, prefix or scope')
    await find(prefix)
    await chosen().getByText('CRM import').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'CRM import', exact: true }).waitFor()
    expect(pathOf()).toBe(at(`/keys/${id}`))
  })

  test('it finds a webhook by its address, a member by a part of the email, and pages by their names, and the arrows choose', async () => {
    await using receiver = await startReceiver()
    const { id } = await call('POST', '/webhooks', { name: 'Receiver', url: receiver.url, eventTypes: ['tasks.*'] })
    await call('POST', '/members', { name: 'Grace Hopper', email: 'grace@palette.example', status: 'active' })
    await page.goto(at('/keys'))

    await find(new URL(receiver.url).host)
    await chosen().getByText('Receiver').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Receiver', exact: true }).waitFor()
    expect(pathOf()).toBe(at(`/webhooks/${id}`))
    await find('grace@pal')
    await chosen().getByText('Grace Hopper').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('table', { name: 'Members' }).getByText('Grace Hopper').waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('grace@palette.example')
    await find('')
    await chosen().getByText('Overview').waitFor()
    await page.keyboard.press('ArrowDown')
    await chosen().getByText('API keys').waitFor()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await chosen().getByText('Account').waitFor()
    await page.keyboard.press('ArrowDown')
    await chosen().getByText('Overview').waitFor()
    await page.keyboard.press('Escape')
  })

  test('an id leads to its delivery and to its request, and any text to the API log', async () => {
    await using receiver = await startReceiver()
    const webhook = await call('POST', '/webhooks', { name: 'Tests', url: receiver.url, eventTypes: ['tasks.*'] })
    const { deliveryId } = await call('POST', `/webhooks/${webhook.id}/test`)
    const { id: keyId, secret } = await call('POST', '/api-keys', { name: 'Sync', scopes: ['projects:read'] })
    const headers = { authorization: `Bearer ${secret}`, 'x-request-id': 'sync-run-7' }
    await system.call('GET', '/api/v1/projects', undefined, headers)
    const [request] = await eventually(async () => {
      const { data } = await call('GET', `/requests?apiKeyId=${keyId}`)
      return data.length > 0 ? data : null
    }, 'the request')

    await find(` ${deliveryId.toUpperCase()} `)
    await page.getByRole('option', { name: 'Delivery of webhooks.test' }).click()
    await page.waitForURL(`**${at(`/deliveries/${deliveryId}`)}`)
    await find(request.id)
    await page.getByRole('option', { name: 'GET /api/v1/projects' }).click()
    await page.waitForURL(`**${at(`/requests/${request.id}`)}`)
    await find('sync-run-7')
    await chosen().getByText('Search the API log for “sync-run-7”').waitFor()
    await page.keyboard.press('Enter')
    const rows = page.getByRole('table', { name: 'Requests, newest first' }).getByRole('row')
    await rows.getByText('GET /api/v1/projects').waitFor()
  })

  test('a viewer is shown what the role may see alone, and what cannot be searched is said', async () => {
    await call('POST', '/api-keys', { name: 'Read by viewers', preset: 'read-only' })
    const viewer = await memberOf(system, owner.workspaceId, 'viewer')
    const theirs = await visit(viewer)
    await theirs.goto(at(''))
    await theirs.getByRole('heading', { level: 1 }).waitFor()
    await theirs.keyboard.press('Control+k')
    const typed = theirs.getByRole('combobox')
    await typed.fill('by viewers')
    await theirs.getByText('1 result', { exact: true }).waitFor()
    for (const page of ['Create key', 'Audit log', 'API log']) {
      await typed.fill(page)
      await theirs.getByText('No results.').waitFor()
    }

    await page.route('**/api-keys?*', (route) => route.abort())
    await page.goto(at('/general'))
    await find('CRM')
    await page.getByText('Keys could not be searched. Close this dialog and try again.').waitFor()
    await page.unroute('**/api-keys?*')
    await page.keyboard.press('Escape')
  })

  test('on a narrow page a button opens it, also from the navigation', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await page.goto(at(''))
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await chosen().getByText('Overview').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Open navigation' }).click()
    expect(await lookAt(page, 'navigation', 390)).toEqual([])
    await page.getByRole('dialog', { name: 'Navigation' }).getByRole('button', { name: 'Search' }).click()
    await chosen().getByText('Overview').waitFor()
    await page.keyboard.press('Enter')
    await finder().waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1_280, height: 800 })
  })

  test('`?` lists the shortcuts, each of which leads where it says', async () => {
    await page.goto(at(''))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    expect(await lookAt(page, 'shortcuts')).toEqual([])
    const lines = await dialog
      .locator('dt')
      .evaluateAll((terms) =>
        (terms as { textContent: string; nextSibling: { textContent: string } }[]).map(
          (term) => [term.textContent, term.nextSibling.textContent] as const,
        ),
      )
    await page.keyboard.press('Escape')
    const pages = lines.filter(([keys]) => keys.startsWith('g'))
    expect(pages.length).toBeGreaterThan(10)

    for (const [keys, says] of pages) {
      for (const key of keys) await page.keyboard.press(key)
      const link = page.getByRole('navigation').getByRole('link', { name: says.replace('Go to ', ''), exact: true })
      await expect.poll(() => link.getAttribute('aria-current'), { timeout: 20_000 }).toBe('page')
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('button', { name: /^Keyboard shortcuts/ }).click()
    await dialog.waitFor()
    await page.keyboard.press('Escape')
  })
})
