// The console as somebody sees it: a browser, and a system of its own behind. Whatever a page says of a mistake, and
// whatever it asks of another address, is noted: tests expect that there was none.
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { describe } from 'vitest'
import { chromiumBinary } from '../../support/servers/chromium.ts'
import type { Person } from '../../support/person.ts'
import { startSystem, type System } from '../../support/system.ts'

export type Console = AsyncDisposable & {
  readonly system: System
  /** A browser with which this person is signed in, or nobody. */
  readonly visit: (person?: Person) => Promise<Visit>
}
export type Visit = {
  readonly page: Page
  readonly context: BrowserContext
  /** Mistakes of the pages, and requests that left the origin. */
  readonly complaints: readonly string[]
}

// For a machine that has other things to do as well.
const waitMs = 20_000

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
    const complaints: string[] = []
    const page = await context.newPage()
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => {
      // What the API refuses is no mistake of the page.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        complaints.push(message.text())
    })
    page.on('request', (request) => {
      const { origin, protocol } = new URL(request.url())
      if (origin !== system.url && protocol !== 'data:' && protocol !== 'blob:') complaints.push(request.url())
    })
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
