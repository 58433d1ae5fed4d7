// Trying the API from the console: with a key that stays in the page, and as oneself.
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { run } from '../support/run-program.ts'
import { must } from '../support/system.ts'
import { hostileTexts } from './support/hostile-texts.ts'
import { keyboardOf } from './support/keyboard.ts'
import { copiedBy } from './support/clipboard.ts'
import { lookAt } from './support/look-at.ts'
import { consoleStory } from './support/open-console.ts'

consoleStory('trying the API', 'Acme', ({ system, page, at, call, field, button }) => {
  const newKey = async (scopes: readonly string[]): Promise<string> =>
    (await call('POST', '/api-keys', { name: scopes.join(' '), scopes })).secret
  const api = async (secret: string, method: string, path: string, body?: unknown) =>
    must(await system.call(method, `/api/v1${path}`, body, { authorization: `Bearer ${secret}` }))
  const tryOperation = async (name: string, secret?: string): Promise<void> => {
    await page.goto(at(`/try?operation=${name}`))
    if (secret !== undefined) await field('API key').fill(secret)
  }
  const send = () => button('Send request').click()
  const response = () => page.getByRole('region', { name: 'Response' })
  const status = (code: number) => response().getByText(String(code), { exact: true }).waitFor()
  const body = () => page.getByLabel('response body', { exact: true }).textContent()
  const question = () => page.getByRole('alertdialog')
  let secret = ''

  test('the palette leads there; an operation is found by its words, read, and its sample is the same call', async () => {
    secret = await newKey(['projects:write', 'projects:delete', 'files:write'])
    await page.goto(at(''))
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('try it')
    await page.getByRole('option', { name: 'Try it', selected: true }).waitFor()
    await page.keyboard.press('Enter')
    await field('Search operations').fill('list projects')
    await page.getByRole('link', { name: 'List projects' }).waitFor()
    expect(await lookAt(page, 'try-operations')).toEqual([])
    await page.getByRole('link', { name: 'List projects' }).click()
    await field('API key').fill(secret)
    await page.getByText('Optional parameters').click()
    await field('limit').fill('1')
    await send()

    await status(200)
    expect(JSON.parse((await body()) ?? '')).toMatchObject({ data: [], page: { limit: 1 } })
    expect(await lookAt(page, 'try-answer')).toEqual([])
    const command = await copiedBy(page, () => button('Copy curl sample').click())
    const { code, output } = await run('.', 'sh', ['-c', command], { WORKSPACE_API_KEY: secret })
    expect([code, JSON.parse(output)]).toMatchObject([0, { data: [], page: { limit: 1 } }])
    expect(await page.getByRole('tab').allTextContents()).toEqual(['curl', 'TypeScript', 'Python', 'Go'])
  })

  test('the request ID leads to the request in the API log', async () => {
    const id = await response().getByRole('link').first().textContent()
    await eventually(() => system.db.apiCall.findFirst({ where: { requestId: id ?? '' } }), 'the request to be logged')
    await response().getByRole('link').first().click()
    await page.getByRole('link', { name: 'GET /api/v1/projects' }).waitFor()
    await page.getByText('1 result').waitFor()
  })

  test('a project is created from fields; what is missing or no JSON is said before it is sent', async () => {
    await tryOperation('projects.create', secret)
    await send()
    await page.getByText('Required').waitFor()
    await expect.poll(() => keyboardOf(page).focused()).toBe('name')
    await field('name').fill(hostileTexts[0])
    await page.getByText('Optional fields').click()
    await field('labels').fill('[web')
    await send()
    await page.getByText('Not valid JSON').waitFor()
    await field('labels').fill('["web"]')
    await send()

    await status(201)
    expect(JSON.parse((await body()) ?? '')).toMatchObject({ name: hostileTexts[0], labels: ['web'] })
    const { data } = await api(secret, 'GET', '/projects')
    expect(data).toMatchObject([{ name: hostileTexts[0], labels: ['web'] }])
  })

  test('the example fills the fields, and the body can be written as JSON', async () => {
    await tryOperation('projects.create', secret)
    await button('Use the example values').click()
    await button('Edit as JSON').click()
    const example = JSON.parse(await field('Body').inputValue())
    await field('Body').fill(JSON.stringify({ ...example, name: 'Written' }))
    expect(await lookAt(page, 'try-json')).toEqual([])
    await send()

    await status(201)
    expect((await api(secret, 'GET', '/projects?q=Written&limit=1')).data).toMatchObject([{ name: 'Written' }])
  })

  test('a deletion asks first where the workspace is no sandbox, and is sent only then', async () => {
    const { id } = await api(secret, 'POST', '/projects', { name: 'To go' })
    await tryOperation('projects.delete', secret)
    await field('id').fill(id)
    await send()
    await question().waitFor()
    expect(await lookAt(page, 'try-question')).toEqual([])
    await question().getByRole('button', { name: 'Cancel' }).click()
    expect((await api(secret, 'GET', `/projects/${id}`)).deletedAt).toBeNull()
    await send()
    await question().getByRole('button', { name: 'Send request' }).click()

    await status(204)
    await page.getByText('The response has no body.').waitFor()
    const gone = await system.call('GET', `/api/v1/projects/${id}`, undefined, { authorization: `Bearer ${secret}` })
    expect(gone.status).toBe(404)
  })

  test('in a sandbox nothing is asked', async () => {
    const made = must(await system.operator('POST', '/settings/api/workspaces', { name: 'Samples', sandbox: true }))
    const scopes = ['projects:delete']
    const path = `/settings/api/workspaces/${made.id}/api-keys`
    const key = must(await system.operator('POST', path, { name: 'Trial', scopes }))
    const { data } = await api(key.secret, 'GET', '/projects?limit=1')
    await tryOperation('projects.delete', key.secret)
    await page.getByText('The key is for another workspace').waitFor()
    await field('id').fill(data[0].id)
    await send()

    await status(204)
    expect(await question().count()).toBe(0)
  })

  test('what a key may not do is said before, and the refusal leads to the page about it', async () => {
    const reading = await newKey(['projects:read'])
    await tryOperation('projects.create', reading)
    await page.getByText('The key lacks a scope').waitFor()
    await page.getByText('projects:write').first().waitFor()
    await field('name').fill('No')
    await send()

    await status(403)
    await response().getByRole('link', { name: 'insufficient_scope' }).click()
    await page.waitForURL('**/docs/errors/insufficient_scope')
    await page.getByRole('heading', { level: 1 }).waitFor()
  })

  test('text of others stays text, bytes are stored and not shown, and a file is not sent from here', async () => {
    for (const name of hostileTexts) await api(secret, 'POST', '/projects', { name })
    await tryOperation('projects.list', secret)
    await send()
    await status(200)
    for (const name of hostileTexts) expect(await body()).toContain(JSON.stringify(name))

    const content = new TextEncoder().encode(hostileTexts[0])
    const { id } = await api(secret, 'POST', '/files', {
      name: 'page.html',
      type: 'text/html',
      bytes: content.length,
    })
    await fetch(`${system.url}/api/v1/files/${id}/content`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/octet-stream' },
      body: content,
    })
    await tryOperation('files.download', secret)
    await field('id').fill(id)
    await send()
    await page.getByText(`a file of ${content.length} bytes`).waitFor()
    const [stored] = await Promise.all([page.waitForEvent('download'), button('Download').click()])
    expect(stored.suggestedFilename()).toBe('response')

    await tryOperation('files.upload', secret)
    await page.getByText('This page does not send files').waitFor()
    expect(await button('Send request').count()).toBe(0)
  })

  test('as oneself: an operation of the settings, after the password where that is needed', async () => {
    await page.goto(at('/try'))
    await field('Send with').selectOption('me')
    await field('Search operations').fill('audit entries')
    await page.getByRole('link', { name: 'List audit entries' }).click()
    await send()
    await status(200)
    const actions = JSON.parse((await body()) ?? '').data.map((entry: { action: string }) => entry.action)
    expect(actions).toContain('api-keys.create')

    await system.db.session.updateMany({ data: { confirmedAt: null } })
    await page.goto(at('/try?as=me&operation=api-keys.create'))
    await field('name').fill('Tried')
    await page.getByText('Optional fields').click()
    await field('preset').selectOption('read-only')
    await send()
    await page.getByRole('dialog', { name: 'Confirm your identity' }).waitFor()
    await page.keyboard.press('Escape')
    await status(403)
  })

  test('the key is kept in no storage and no address, and is gone with a reload', async () => {
    await tryOperation('projects.list', secret)
    await send()
    await status(200)
    const kept: string = await page.evaluate(
      'JSON.stringify([localStorage, sessionStorage, history.state, location.href, document.cookie])',
    )
    expect(kept).not.toContain(secret)
    await page.reload()

    expect(await field('API key').inputValue()).toBe('')
    expect(await button('Send request').isDisabled()).toBe(true)
  })
})
