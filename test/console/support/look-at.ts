// A page in both themes, wide and narrow: pictures for people to look at, in an ignored folder, and what axe-core has against
// any of them.
import axe from 'axe-core'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const pictures = join(import.meta.dirname, '../../../screens')

const looks = [
  { theme: 'light', width: 1_280 },
  { theme: 'dark', width: 1_280 },
  { theme: 'light', width: 390 },
] as const

/** Takes a picture of each look, and returns what axe-core has against any of them. */
export async function lookAt(page: Page, name: string): Promise<string[]> {
  mkdirSync(pictures, { recursive: true })
  const flaws: string[] = []
  for (const { theme, width } of looks) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.evaluate(drawnTwice)
    await page.screenshot({ path: join(pictures, `${name}-${theme}-${width}.png`), fullPage: true })
    flaws.push(...(await flawsOf(page)).map((flaw) => `${theme} ${width}: ${flaw}`))
  }
  return flaws
}

/** Colours that follow the theme are those of the frame that is drawn after the one that noticed the change. */
const drawnTwice = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))'

type Axe = { readonly run: () => Promise<{ readonly violations: readonly Violation[] }> }
type Violation = { readonly id: string; readonly nodes: readonly { readonly target: unknown }[] }

/** By the debugger, which the page's own policy does not bind. */
async function flawsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: Axe }).axe.run())
  return violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => JSON.stringify(target)).join(', ')}`)
}
