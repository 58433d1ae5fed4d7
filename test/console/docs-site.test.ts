// The documentation in a browser: found by words, by keyboard, in both themes, wide and narrow, with no request to
// elsewhere and nothing that the policy refuses. The last test of a story holds these two.
import { expect, test } from 'vitest'
import { readGuides } from '../../gateway/downloads/guides.ts'
import { consoleStory } from './support/open-console.ts'
import { flawsAsShown, lookAt } from './support/look-at.ts'

const narrow = { width: 390, height: 800 }
const wide = { width: 1_280, height: 800 }
const guides = readGuides().pages.map(({ path }) => path)

consoleStory('the documentation', 'Documented', ({ page, owner, call, visit, at }) => {
  const search = () => page.getByRole('searchbox', { name: 'Search the documentation' })
  const found = () => page.getByRole('list', { name: 'Results' })

  test.each(['/docs', '/docs/quick-start', '/docs/webhooks', '/docs/scopes', '/docs/errors/rate_limited'])(
    '%s has no flaw in either theme, wide or narrow',
    async (path) => {
      await page.goto(path)

      expect(await lookAt(page, `docs${path.replaceAll('/', '-')}`)).toEqual([])
    },
  )

  test('the reference shows every operation, finds them by words, and calls this installation with the key', async () => {
    const { secret } = (await call('POST', '/api-keys', { name: 'Reference', scopes: ['tasks:read'] })) as {
      secret: string
    }
    await page.goto('/docs/reference#/me/me.get')
    const operation = page.locator('[id="operations-me-me\\\\.get"]')
    await operation.getByRole('button', { name: 'Try it out' }).waitFor()
    expect(await lookAt(page, 'docs-reference')).toEqual([])

    await page.getByLabel('API key for trying operations').fill(secret)
    await operation.getByRole('button', { name: 'Try it out' }).click()
    await operation.getByRole('button', { name: 'Execute' }).click()

    await operation.locator('.live-responses-table').getByText('"Reference"').first().waitFor()
  })

  test('no page or table is wider than a telephone, or has a flaw there', async () => {
    await page.setViewportSize(narrow)
    const found: [string, number, string[]][] = []
    for (const path of [...guides, '/docs/errors', '/docs/changelog', '/docs/reference']) {
      await page.goto(path)
      const width = await page.evaluate<number>(
        `Math.max(document.scrollingElement.scrollWidth, ...[...document.querySelectorAll('main .table')].map(({ scrollWidth }) => scrollWidth))`,
      )
      // Swagger UI, which the reference is made of, is looked at above.
      found.push([path, width, path === '/docs/reference' ? [] : await flawsAsShown(page)])
    }
    await page.setViewportSize(wide)

    expect(found.length).toBeGreaterThan(25)
    expect(found.filter(([, width, flaws]) => width > narrow.width || flaws.length > 0)).toEqual([])
  })

  test('a page is found by words and opened by keyboard', async () => {
    await page.goto('/docs')
    await page.keyboard.press('/')
    await page.keyboard.type('idempotency')
    await found().getByRole('link').first().waitFor()
    await page.keyboard.press('ArrowDown')
    const href = await page.evaluate<string>('document.activeElement.getAttribute("href")')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${href}`)

    expect((await page.locator('main').textContent())?.toLowerCase()).toContain('idempotency')
  })

  test('the search goes on without a server, finds misspelt words, and says where nothing is found', async () => {
    await page.goto('/docs')
    await search().fill('rotation')
    await found().getByRole('link', { name: 'Rotating keys' }).first().waitFor()
    await page.context().setOffline(true)

    await search().fill('webhok signature')
    await found().getByRole('link', { name: 'Receiving webhooks' }).first().waitFor()
    await search().fill('xyzzy')
    await page.getByText('No results').waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')

    expect(await found().isVisible()).toBe(false)
    await page.context().setOffline(false)
  })

  test('a language that is chosen by keyboard is shown at every sample, and on the next page', async () => {
    await page.goto('/docs/quick-start')
    const tabs = (name: string) => page.getByRole('tab', { name, exact: true })
    await tabs('curl').first().focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.goto('/docs/lists')

    expect(await tabs('Python').first().getAttribute('aria-selected')).toBe('true')
    expect(await page.getByText('import urllib.request').first().isVisible()).toBe(true)
    expect(await page.getByText('curl -s').first().isVisible()).toBe(false)
    await tabs('curl').first().click()
  })

  test('a block of code is copied as it stands, with the address of the installation', async () => {
    await page.goto('/docs/quick-start')
    const block = page.locator('.code', { hasText: '/api/v1/me' }).first()
    await block.getByRole('button', { name: 'Copy' }).click()
    await block.getByRole('button', { name: 'Copied' }).waitFor()

    const origin = new URL(page.url()).origin
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      `curl -s "${origin}/api/v1/me" -H "Authorization: Bearer $WORKSPACE_API_KEY"`,
    )
  })

  test('the theme that was chosen in the workspace settings holds here', async () => {
    await page.goto('/docs')
    const paper = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await paper()
    await page.evaluate(`localStorage.setItem('theme', 'dark')`)
    await page.reload()

    expect(await paper()).not.toBe(light)
    await page.evaluate(`localStorage.removeItem('theme')`)
  })

  test('a reader who is signed in sees their workspace, and the prefix of the key that they choose in samples', async () => {
    const { prefix } = (await call('POST', '/api-keys', { name: 'Docs key', scopes: ['tasks:read'] })) as {
      prefix: string
    }
    await page.goto(at('/keys'))
    await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor()
    await page.goto('/docs/quick-start')
    await page.getByText(owner.workspaceId).waitFor()

    await page.getByLabel('Key').selectOption({ label: `Docs key (${prefix}…)` })
    await page.getByText(`WORKSPACE_API_KEY=${prefix}…`).waitFor()
    await page.goto('/docs/mcp')

    await page.getByText(`Bearer ${prefix}…`).first().waitFor()
  })

  test('nobody else is asked for a session', async () => {
    const stranger = await visit()
    const asked: string[] = []
    stranger.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await stranger.goto('/docs/quick-start', { waitUntil: 'networkidle' })

    expect(asked.filter((path) => !path.startsWith('/docs'))).toEqual([])
    expect(await stranger.locator('.reader').textContent()).toBe('')
  })
})
