// A page as somebody uses it who has no mouse.
import type { Page } from 'playwright-core'

export type Keyboard = {
  /** What the focus is on, by its label or its text. */
  readonly focused: () => Promise<string>
  /** Goes on by Tab until it is there. */
  readonly tabTo: (name: string) => Promise<void>
  /** Goes to it by Tab and presses the key: Enter, where none is said. */
  readonly use: (name: string, key?: string) => Promise<void>
}

const tabsMax = 80

// What runs in the page is text: the tests have none of a browser's types.
const nameOfFocused = `(({ labels, ariaLabel, textContent }) => (labels?.[0]?.textContent || ariaLabel || textContent).trim())(document.activeElement)`

export function keyboardOf(page: Page): Keyboard {
  const focused = (): Promise<string> => page.evaluate(nameOfFocused)
  async function tabTo(name: string): Promise<void> {
    for (let presses = 0; presses < tabsMax; presses += 1) {
      await page.keyboard.press('Tab')
      if ((await focused()) === name) return
    }
    throw new Error(`No way by Tab to ${name}`)
  }
  async function use(name: string, key = 'Enter'): Promise<void> {
    await tabTo(name)
    await page.keyboard.press(key)
  }
  return { focused, tabTo, use }
}
