// A page in both themes, wide and narrow: pictures for people to look at, in an ignored folder, and what axe-core has
// against any of them.
import axe from 'axe-core'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

const pictures = join(import.meta.dirname, '../../../screens')

type Look = { readonly theme: 'light' | 'dark'; readonly width: number; readonly rules: object }

/** Colours are looked at in both themes, and all else, which no theme changes, in one. */
const looks: readonly Look[] = [
  { theme: 'light', width: 1_280, rules: {} },
  { theme: 'light', width: 390, rules: { rules: { 'color-contrast': { enabled: false } } } },
  { theme: 'dark', width: 1_280, rules: { runOnly: ['color-contrast'] } },
]
/** For somebody who looks at all pages (`ALL_LOOKS=1`): a telephone, a small window and a large one. */
const allWidths = [390, 1_024, 1_440]
const inBothThemes = (width: number): Look[] => [
  { theme: 'light', width, rules: {} },
  { theme: 'dark', width, rules: {} },
]
const looksAt = (onlyWidth: number | undefined): readonly Look[] => {
  if (onlyWidth !== undefined) return inBothThemes(onlyWidth)
  return process.env['ALL_LOOKS'] === '1' ? allWidths.flatMap(inBothThemes) : looks
}
const [usualWidth, height] = [1_280, 900]

/**
 * Takes a picture of each look, and returns what axe-core has against any of them. Leaves the page light and wide.
 * `onlyWidth`: of what is seen at that width alone, which the page keeps.
 */
export async function lookAt(page: Page, name: string, onlyWidth?: number): Promise<string[]> {
  mkdirSync(pictures, { recursive: true })
  const flaws: string[] = []
  for (const { theme, width, rules } of looksAt(onlyWidth)) {
    await show(page, theme, width)
    await page.screenshot({ path: join(pictures, `${name}-${theme}-${width}.png`), fullPage: true })
    flaws.push(...(await flawsOf(page, rules)).map((flaw) => `${theme} ${width}: ${flaw}`))
  }
  await show(page, 'light', onlyWidth ?? usualWidth)
  return flaws
}

async function show(page: Page, theme: Look['theme'], width: number): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await page.evaluate(drawnTwice)
}

/** Colours that follow the theme are those of the frame that is drawn after the one that noticed the change. */
const drawnTwice = 'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))'

type Axe = { readonly run: (rules: object) => Promise<{ readonly violations: readonly Violation[] }> }
type Violation = { readonly id: string; readonly nodes: readonly { readonly target: unknown }[] }

/** What axe-core has against the page as it is shown, colours included. */
export const flawsAsShown = (page: Page): Promise<string[]> => flawsOf(page, {})

/** By the debugger, which the page's own policy does not bind. */
async function flawsOf(page: Page, rules: object): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (rules) => (globalThis as unknown as { axe: Axe }).axe.run({ resultTypes: ['violations'], ...rules }),
    rules,
  )
  return violations.map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => JSON.stringify(target)).join(', ')}`)
}
