// The console as somebody sees it: a browser, and a system behind. Whatever a page says of a mistake, and whatever it
// asks of another address, is noted: tests expect that there was none.
import { setTimeout } from 'node:timers/promises'
import { chromium, type BrowserContext, type Locator, type Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { chromiumBinary } from '../../support/servers/chromium.ts'
import { firstOwner, ownerOf, type Person } from '../../support/person.ts'
import { must, startSystem, type System } from '../../support/system.ts'
import { hasRun } from './hostile-texts.ts'

export type Console = AsyncDisposable & {
  readonly system: System
  /** A browser with which this person is signed in, or nobody. */
  readonly visit: (person?: Person) => Promise<Visit>
}
type Visit = {
  readonly page: Page
  readonly context: BrowserContext
  /** Mistakes of the pages, and requests that left the origin. */
  readonly complaints: readonly string[]
}

// For a machine that has other things to do as well.
const waitMs = 40_000

// With it, tests that read the database before the page has written fail each time, and not once in a hundred.
const slowMs = Number(process.env['SLOW_CALLS'] ?? '0')

/** What the content security policy has refused is a mistake of the page that asked for it. */
const sayViolations = `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  globalThis.console.error('Refused by the policy: ' + violatedDirective + ' ' + blockedURI))`

/** Where there is no Chromium, the tests are skipped by name. */
export function describeConsole(name: string, stories: () => void): void {
  const isLacking = chromiumBinary() === null
  describe.skipIf(isLacking)(`${name}, ${isLacking ? 'skipped: there is no Chromium' : 'in Chromium'}`, () => {
    stories()
  })
}

// Opened when the first story of a worker asks for it. Vitest wants a pattern, even an empty one.
// oxlint-disable-next-line eslint/no-empty-pattern
const sharing = test.extend('console', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const console = await openConsole({ retrySchedule: [] })
  onCleanup(async () => console[Symbol.asyncDispose]())
  await firstOwner(console.system)
  return console
})

type Owner = Awaited<ReturnType<typeof ownerOf>>
type Story = {
  /** Of all stories: other workspaces are others' affair. A failed delivery is not tried again. */
  readonly system: System
  /** Of a workspace of this story. */
  readonly owner: Owner
  /** In the owner's browser, signed in. */
  readonly page: Page
  /** Another browser, with which this person is signed in, or nobody. */
  readonly visit: (person?: Person) => Promise<Page>
  /** A page of the workspace, and a call of the settings API below it, as the owner. */
  readonly at: (path: string) => string
  readonly call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answered>
  readonly field: (label: string) => Locator
  readonly button: (name: string) => Locator
}
type Answered = ReturnType<typeof must>

/** What an owner sees of a workspace, test after test. The last one is that no page of it has complained. */
export function consoleStory(name: string, workspaceName: string, tell: (story: Story) => void): void {
  describeConsole(name, () => {
    const told: { system?: System; owner?: Owner; page?: Page } = {}
    const visits: Visit[] = []
    let open: Console['visit']
    const visit = async (person?: Person): Promise<Page> => {
      const opened = await open(person)
      visits.push(opened)
      return opened.page
    }
    sharing.beforeAll(async ({ console }) => {
      open = console.visit
      const owner = await ownerOf(console.system, workspaceName)
      Object.assign(told, { system: console.system, owner, page: await visit(owner) })
    })
    sharing.afterAll(async () => {
      for (const { context } of visits) await context.close()
    })
    const [system, owner, page] = [late(() => told.system), late(() => told.owner), late(() => told.page)]

    tell({
      system,
      owner,
      page,
      visit,
      at: (path) => `/settings/w/${owner.workspaceId}${path}`,
      call: async (method, path, ...more) =>
        must(await owner.call(method, `/workspaces/${owner.workspaceId}${path}`, ...more)),
      field: (label) => page.getByLabel(label, { exact: true }),
      button: (label) => page.getByRole('button', { name: label, exact: true }),
    })

    test('no page has complained, no request has left the origin, and nothing of others has run', async () => {
      for (const { context } of visits)
        for (const shown of context.pages()) expect(await shown.evaluate(hasRun)).toBe(false)
      expect(visits.flatMap(({ complaints }) => complaints)).toEqual([])
    })
  })
}

/** Looks up each member when it is read: what a story is told with is there once its first hook has run. */
function late<T extends object>(current: () => T | undefined): T {
  const get = (_: T, member: string | symbol): unknown => {
    const object: object | undefined = current()
    if (object === undefined) throw new Error('The story has not begun')
    const value: unknown = Reflect.get(object, member)
    return typeof value === 'function' ? value.bind(object) : value
  }
  // The proxy has no members of its own: each is the current object's.
  return new Proxy({} as T, { get })
}

/** From now on: mistakes of the page, and its requests that leave the origin. */
export function noteComplaints(page: Page, ownOrigin: string): readonly string[] {
  const complaints: string[] = []
  // Passkeys need this machine's name.
  const own = new Set([ownOrigin, ownOrigin.replace('127.0.0.1', 'localhost')])
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    // What the API refuses is no mistake of the page.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (!own.has(origin) && protocol !== 'data:' && protocol !== 'blob:') complaints.push(request.url())
  })
  return complaints
}

export async function openConsole(settings: Parameters<typeof startSystem>[1] = {}): Promise<Console> {
  const system = await startSystem('standalone', settings)
  const browser = await chromium.launch({ executablePath: chromiumBinary() ?? '', args: ['--no-sandbox'] })
  async function visit(person?: Person): Promise<Visit> {
    const context = await browser.newContext({ baseURL: system.url, viewport: { width: 1280, height: 800 } })
    const [name = '', value = ''] = person?.cookie().split('=') ?? []
    if (person !== undefined) await context.addCookies([{ name, value, url: system.url }])
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: system.url })
    context.setDefaultTimeout(waitMs)
    await context.addInitScript(sayViolations)
    if (slowMs > 0) await slowDown(context)
    const page = await context.newPage()
    const complaints = noteComplaints(page, system.url)
    return { page, context, complaints }
  }
  return {
    system,
    visit,
    [Symbol.asyncDispose]: async () => {
      await browser.close()
      await system[Symbol.asyncDispose]()
    },
  }
}

/** Writes wait for the whole time, reads for any part of it, so that they overtake each other. */
function slowDown(context: BrowserContext): Promise<unknown> {
  return context.route(/\/settings\/api\//, async (route) => {
    await setTimeout(route.request().method() === 'GET' ? Math.random() * slowMs : slowMs)
    // The page may have been left in the meantime.
    await route.continue().catch(() => undefined)
  })
}
