// Two-factor authentication as a person meets it: they set up an app, store the recovery codes, sign in and confirm
// with codes, and turn it off.
import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ada } from '../support/person.ts'
import { codeFor, wrongCodeFor } from '../support/authenticator.ts'
import { lookAt } from './support/look-at.ts'
import { consoleStory } from './support/open-console.ts'

consoleStory('two-factor authentication', 'Acme', ({ system, owner, page, visit, at, field, button }) => {
  const told = { secret: '', codes: [] as string[] }
  /** A code is good once, and the next one thirty seconds away. */
  const forgetSteps = () => system.db.authenticator.updateMany({ data: { lastStep: 0 } })
  const forgetConfirmation = () => system.db.session.updateMany({ data: { confirmedAt: null } })
  const factors = (): Locator => page.getByRole('region', { name: 'Two-factor authentication' })

  async function enterPassword(browser: Page): Promise<void> {
    await browser.goto('/settings/sign-in')
    await browser.getByLabel('Email', { exact: true }).fill(owner.email)
    await browser.getByLabel('Password', { exact: true }).fill(ada.password)
    await browser.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  async function enterCode(browser: Page, label: string, code: string): Promise<void> {
    await browser.getByLabel(label, { exact: true }).fill(code)
    await browser.getByRole('button', { name: 'Verify', exact: true }).click()
  }

  test('an app is set up by a QR code or its key, and the recovery codes are shown once', async () => {
    await page.goto('/settings/account')
    await button('Set up authenticator app').click()
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    expect(await lookAt(page, 'two-factor-setup')).toEqual([])
    told.secret = ((await page.locator('[data-secret]').textContent()) ?? '').replaceAll(' ', '')
    await field('Authentication code').fill(await wrongCodeFor(told.secret))
    await button('Turn on').click()
    await page.getByRole('alert').getByText('The code is wrong or was used before.').waitFor()
    await field('Authentication code').fill(await codeFor(told.secret))
    await button('Turn on').click()

    await page.getByRole('heading', { level: 1, name: 'Recovery codes', exact: true }).waitFor()
    told.codes = ((await page.locator('[data-secret]').textContent()) ?? '').split('\n')
    expect([told.codes.length, await button('Done').isDisabled()]).toEqual([10, true])
    expect(await lookAt(page, 'two-factor-codes')).toEqual([])
    const [download] = await Promise.all([page.waitForEvent('download'), button('Download recovery-codes.txt').click()])
    expect(readFileSync(await download.path(), 'utf8')).toBe(`${told.codes.join('\n')}\n`)
    await field('I have stored the recovery codes').check()
    await button('Done').click()
    await factors().getByText('On', { exact: true }).waitFor()
    expect(await factors().getByText('10', { exact: true }).count()).toBe(1)
    expect(await lookAt(page, 'two-factor-on')).toEqual([])
  })

  test('signing in takes the password and then a code, or a recovery code', async () => {
    await forgetSteps()
    const browser = await visit()
    await enterPassword(browser)
    await browser.getByLabel('Authentication code', { exact: true }).waitFor()
    expect(await lookAt(browser, 'sign-in-code')).toEqual([])
    await enterCode(browser, 'Authentication code', await wrongCodeFor(told.secret))
    await browser.getByRole('alert').getByText('The code is wrong or was used before.').waitFor()
    await enterCode(browser, 'Authentication code', await codeFor(told.secret))
    await browser.waitForURL('**/settings/w/**')
    await browser.goto('/settings/account')
    await browser.getByRole('cell', { name: 'Password and authenticator app' }).waitFor()

    const other = await visit()
    await enterPassword(other)
    await other.getByRole('button', { name: 'Use a recovery code' }).click()
    await enterCode(other, 'Recovery code', told.codes[0] ?? '')
    await other.waitForURL('**/settings/w/**')
  })

  test('a sign-in that is over starts again with the password', async () => {
    const browser = await visit()
    await enterPassword(browser)
    await browser.getByLabel('Authentication code', { exact: true }).waitFor()
    await system.db.factorChallenge.deleteMany()
    await enterCode(browser, 'Authentication code', '123456')

    await browser.getByRole('alert').getByText('Sign in again.').waitFor()
    expect(await browser.getByLabel('Password', { exact: true }).inputValue()).toBe('')
  })

  test('what needs a confirmation asks for the password and a code', async () => {
    await forgetSteps()
    await forgetConfirmation()
    await page.goto(at('/keys/new'))
    await field('Name').fill('Confirmed')
    await page.getByRole('button', { name: /^Read only/ }).click()
    await button('Create key').click()
    await page.getByRole('dialog', { name: 'Confirm your identity' }).waitFor()
    expect(await lookAt(page, 'dialog-two-factor')).toEqual([])
    await field('Password').fill(ada.password)
    await button('Confirm').click()
    await page.getByText('This field is required.').waitFor()
    await field('Authentication code').fill(await codeFor(told.secret))
    await button('Confirm').click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('[data-secret]').waitFor()
    await field('I have stored the secret').check()
    await button('Done').click()
  })

  test('new codes replace the old ones, and without the app the password alone signs in', async () => {
    await page.goto('/settings/account')
    await button('Generate new recovery codes…').click()
    await button('Generate').click()
    await page.getByRole('heading', { level: 1, name: 'Recovery codes', exact: true }).waitFor()
    expect((await page.locator('[data-secret]').textContent())?.includes(told.codes[1] ?? '')).toBe(false)
    await field('I have stored the recovery codes').check()
    await button('Done').click()
    await button('Remove authenticator app…').click()
    expect(await lookAt(page, 'dialog-remove-app')).toEqual([])
    await button('Remove').click()

    await button('Set up authenticator app').waitFor()
    const browser = await visit()
    await enterPassword(browser)
    await browser.waitForURL('**/settings/w/**')
  })
})
