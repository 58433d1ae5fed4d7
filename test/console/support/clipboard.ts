// What a page has copied. A page writes to the clipboard after the click has ended, so it is emptied first and read
// until there is something. What runs in the page is text: the tests have none of a browser's types.
import type { Page } from 'playwright-core'
import { eventually } from '../../support/eventually.ts'

/** The text that `press` has copied, by mouse or keyboard. */
export async function copiedBy(page: Page, press: () => Promise<unknown>): Promise<string> {
  await page.evaluate('navigator.clipboard.writeText("")')
  await press()
  return eventually(async () => {
    const text = await page.evaluate<string>('navigator.clipboard.readText()')
    return text === '' ? null : text
  }, 'a text on the clipboard')
}
