// `npm run dev` in a copy of this project, started as right after a clone.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { methodOf } from '#contract/operation.ts'
import { pathFor } from '#contract/route-paths.ts'
import { readOptions } from '../../dev/options.ts'
import { eventually } from '../support/eventually.ts'
import { chromiumBinary } from '../support/servers/chromium.ts'
import { freePort } from '../support/servers/server.ts'
import { copyProject, type Program, type WorkingCopy } from './working-copy.ts'

// Several starts of the tiers, on a machine that may be busy.
const readyWithinMs = 300_000
const startWithinMs = readyWithinMs + 30_000
const reloadWithinMs = 120_000

// oxlint-disable-next-line typescript/no-explicit-any
type Json = Readonly<Record<string, any>>

describe('npm run dev', () => {
  let copy: WorkingCopy
  let dev: Program
  let [gateway, console, apiKey, workspaceId, operatorToken] = ['', '', '', '', '']
  const ports: number[] = []

  const start = (more = ''): Program =>
    copy.run(`npm run dev -- --folder sample --port ${ports[0]} --console-port ${ports[1]} ${more}`)
  const ready = (program: Program) =>
    eventually(() => hasEndedOr(program, /^Ready\./m), 'npm run dev to be ready', readyWithinMs).catch(
      (error: unknown) => {
        throw new Error(`npm run dev has said: ${program.output()}`, { cause: error })
      },
    )
  const shown = (name: string): string => new RegExp(`^ {2}${name} +(.*)$`, 'm').exec(dev.output())?.[1] ?? ''

  beforeAll(async () => {
    copy = copyProject()
    ports.push(await freePort(), await freePort(), await freePort())
    dev = start(`--inspect=${ports[2]}`)
    await ready(dev)
    ;[gateway, console] = ports.map((port) => `http://127.0.0.1:${port}`) as [string, string]
    ;[apiKey, workspaceId] = [shown('API key'), shown('Workspace')]
    operatorToken = readFileSync(join(copy.folder, 'sample/operator-token'), 'utf8').trim()
  }, startWithinMs)
  afterAll(() => copy.remove())

  const readAs = async (secret: string, path: string): Promise<Json> => {
    const response = await fetch(gateway + path, { headers: { authorization: `Bearer ${secret}` } })
    return (await response.json()) as Json
  }
  const asOperator = (path: string) => readAs(operatorToken, path)
  const asKey = (path: string) => readAs(apiKey, path)
  const inWorkspace = (path: string) => asOperator(`/settings/api/workspaces/${workspaceId}${path}`)

  test('prints where everything is and how to sign in; the debugger is that of the process that serves the API', async () => {
    const debuggers = await fetch(`http://127.0.0.1:${ports[2]}/json/list`)

    expect([shown('Console'), shown('API')]).toEqual([`${console}/settings/`, `${gateway}/api/v1`])
    expect(shown('Sign in')).toMatch(/^ada@example\.com, .+/)
    expect(apiKey).toMatch(/^wsk_/)
    expect(shown('Debugger')).toBe(String(ports[2]))
    expect(await debuggers.text()).toContain('standalone/main.ts')
  })

  test('the console comes from Vite, with modules that are replaced while they run', async () => {
    const page = await (await fetch(`${console}/settings/w/${workspaceId}/keys`)).text()
    const module = await (await fetch(`${console}/settings/router.tsx`)).text()

    expect(page).toContain('/settings/@vite/client')
    expect(module).toContain('createRouter')
    expect((await fetch(`${console}/settings`)).url).toBe(`${console}/settings/`)
  })

  test('the console’s origin has the API, with cookies and event streams', async () => {
    const email = 'ada@example.com'
    const signedIn = await fetch(`${console}/settings/api/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: console },
      body: JSON.stringify({ email, password: shown('Sign in').replace(`${email}, `, '') }),
    })
    const cookie = signedIn.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ')
    const stream = await fetch(`${console}/settings/api/workspaces/${workspaceId}/deliveries/stream`, {
      headers: { cookie, accept: 'text/event-stream' },
    })
    const first = await stream.body!.getReader().read()

    expect(signedIn.status).toBe(201)
    expect(cookie).toContain(`workspace-session-${ports[1]}=`)
    expect(stream.headers.get('content-type')).toContain('text/event-stream')
    expect(first.value!.length).toBeGreaterThan(0)
    expect((await fetch(`${console}/api/v1/openapi.json`)).status).toBe(200)
  })

  test('the sample data fills every list', async () => {
    const lists = operations.filter((each) => methodOf(each) === 'GET' && hasData(each.output))
    const empty: string[] = []
    for (const operation of lists) {
      const audience = operation.audiences.includes('settings') ? 'settings' : 'api'
      const path = pathFor(operation, audience).replace('{workspaceId}', workspaceId)
      const read = audience === 'settings' ? asOperator : asKey
      const paths = path.includes('{id}') ? await withIds(path, read) : [path]
      const asked = operation.name === 'search.query' ? paths.map((each) => `${each}?q=website`) : paths
      let found = 0
      for (const each of asked) found ||= ((await read(each))['data'] ?? []).length
      if (found === 0) empty.push(operation.name)
    }

    expect(lists.length).toBeGreaterThan(20)
    // Nobody is signed in, the operator holds and deletes nothing, and the inspector is for sandboxes.
    const expected = [
      'legal-holds.list',
      'sessions.list',
      'webhooks.list-inspected-requests',
      'workspace-deletions.list',
    ]
    expect(empty.toSorted()).toEqual(expected)
  })

  async function withIds(path: string, read: (path: string) => Promise<Json>): Promise<string[]> {
    const { data } = await read(`${path.slice(0, path.indexOf('/{id}'))}?limit=100`)
    return (data as { id: string }[]).map(({ id }) => path.replace('{id}', id))
  }

  test('deliveries and keys are of every state, and webhooks wait for every reason that there is', async () => {
    for (const status of ['pending', 'retrying', 'delivered', 'dead_letter', 'cancelled'])
      expect((await inWorkspace(`/deliveries?status=${status}`))['data'], status).not.toEqual([])
    const { data: webhooks } = await inWorkspace('/webhooks')
    const { data: keys } = await inWorkspace('/api-keys')
    const by = (name: string) => webhooks.find((each: Json) => each['name'] === name)

    expect(webhooks.map(({ status }: Json) => status)).toEqual(expect.arrayContaining(['active', 'paused', 'disabled']))
    expect(by('Ledger, in order').stats24h.pending).toBeGreaterThan(1)
    expect(by('Newsletter').stats24h.pending).toBeGreaterThan(0)
    expect(new Set(keys.map(({ status }: Json) => status))).toEqual(
      new Set(['active', 'rotation_due', 'suspended', 'expired', 'revoked']),
    )
  })

  describe.skipIf(chromiumBinary() === null)('in Chromium', () => {
    let browser: Browser
    let page: Page
    const complaints: string[] = []
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: chromiumBinary()!, args: ['--no-sandbox'] })
      page = await browser.newPage({ baseURL: console, viewport: { width: 1_280, height: 800 } })
      page.setDefaultTimeout(60_000)
      page.on('pageerror', (error) => complaints.push(error.message))
      await page.goto('/settings/')
      await page.getByLabel('Email').fill('ada@example.com')
      await page.getByLabel('Password', { exact: true }).fill(shown('Sign in').replace('ada@example.com, ', ''))
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.waitForURL(/\/w\//)
    }, startWithinMs)
    afterAll(() => browser.close())

    test('a change of the console shows without a reload of the page', { timeout: 2 * reloadWithinMs }, async () => {
      // What is changed before Vite's client is connected is not pushed to it.
      await Promise.all([
        page.waitForEvent('console', { predicate: (message) => message.text().includes('[vite] connected') }),
        page.goto(`/settings/w/${workspaceId}/keys`),
      ])
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.evaluate('globalThis.sameWindow = true')
      const file = join(copy.folder, 'console/pages/keys/keys-page.tsx')
      const [written, title] = [readFileSync(file, 'utf8'), 'title={texts.apiKeys}']
      expect(written).toContain(title)
      saveAsEditorsDo(file, written.replace(title, 'title="Replaced while it runs"'))

      const replaced = page.getByRole('heading', { name: 'Replaced while it runs' })
      await replaced.waitFor({ timeout: reloadWithinMs }).catch(async (cause: unknown) => {
        const said = [dev.output().slice(-2_000), ...complaints, await page.locator('body').innerText()]
        throw new Error(said.join('\n'), { cause })
      })
      expect(await page.evaluate('globalThis.sameWindow')).toBe(true)
    })
  })

  const twoReloads = { timeout: 2 * reloadWithinMs }
  test('a change of the service restarts the tiers; one that is broken waits for the next', twoReloads, async () => {
    const file = join(copy.folder, 'service/server.ts')
    const sound = readFileSync(file, 'utf8')
    writeFileSync(file, `${sound}\nthrow new Error('broken on purpose')\n`)
    const said = (words: string) => eventually(() => dev.output().includes(words), words, reloadWithinMs)
    await said('Waiting for the next change')
    const whileBroken = await fetch(`${gateway}/ready`).catch(() => null)
    writeFileSync(file, sound)
    await said('service/server.ts has changed: tiers restarted')

    expect(whileBroken).toBeNull()
    expect((await asKey('/api/v1/projects?limit=3'))['data']).toHaveLength(3)
  })

  test('ends on a signal, and starts again with its data', { timeout: readyWithinMs }, async () => {
    dev.signal('SIGTERM')
    await dev.ended
    dev = start()
    await ready(dev)

    expect(dev.output()).not.toContain('Making sample data')
    expect(shown('Workspace')).toBe(workspaceId)
    expect((await asKey('/api/v1/projects?limit=1'))['data']).toHaveLength(1)
  })

  test('refuses an unknown option and a wrong value by its name', async () => {
    const refusals: readonly (readonly [flag: string, sentence: string])[] = [
      ['--frsh', `Unknown option '--frsh'`],
      ['--port=http', '--port must be a port from 1 to 65535, not http.'],
      ['--inspect=everything', '--inspect must be a port or host:port, not everything.'],
      ['fresh', `Unexpected argument 'fresh'`],
    ]
    for (const [flag, sentence] of refusals) expect(() => readOptions([flag], '.'), flag).toThrow(sentence)

    const program = copy.run('npm run dev -- --frsh')

    expect(await program.ended).toBe(2)
    expect(program.output()).toContain(`Unknown option '--frsh'`)
  })
})

/** In one step: who reads the file meets the old text or the new one, never half of it. */
function saveAsEditorsDo(file: string, text: string): void {
  writeFileSync(`${file}.saved`, text)
  renameSync(`${file}.saved`, file)
}

const hasData = (output: unknown): boolean => {
  const { properties } = output as { readonly properties?: Record<string, { readonly type?: string }> }
  return properties?.['data']?.type === 'array'
}

/** Whether the output matches; throws with all of it where the program has ended. */
async function hasEndedOr(program: Program, pattern: RegExp): Promise<boolean> {
  const ended = await Promise.race([program.ended.then(() => true), Promise.resolve(false)])
  if (ended) throw new Error(`It has ended: ${program.output()}`)
  return pattern.test(program.output())
}
