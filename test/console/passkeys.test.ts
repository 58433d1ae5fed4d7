// Passkeys with Chromium's virtual authenticator: a person adds one, signs in and confirms with it alone, and removes
// it. A copy of it that has signed less often is refused.
import type { CDPSession, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { ada } from '../support/person.ts'
import { must } from '../support/system.ts'
import { lookAt } from './support/look-at.ts'
import { consoleStory } from './support/open-console.ts'

const device = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

type Device = { readonly cdp: CDPSession; readonly authenticatorId: string }

/** A device that has nothing yet, at this page. */
async function deviceAt(page: Page): Promise<Device> {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options: device })
  return { cdp, authenticatorId }
}

const credentialsOf = async ({ cdp, authenticatorId }: Device) =>
  (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials

consoleStory('passkeys', 'Acme', ({ system, owner, visit }) => {
  // Browsers allow passkeys under a name only, and this machine has one.
  const at = (path: string): string => `${system.url.replace('127.0.0.1', 'localhost')}${path}`
  const told = { page: null as Page | null, device: null as Device | null, copies: [] as object[] }
  const used = (): { page: Page; device: Device } => {
    if (told.page === null || told.device === null) throw new Error('The first test has not added a passkey')
    return { page: told.page, device: told.device }
  }
  const field = (page: Page, label: string) => page.getByLabel(label, { exact: true })
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
  async function signInWithPassword(page: Page): Promise<void> {
    await page.goto(at('/settings/sign-in'))
    await field(page, 'Email').fill(owner.email)
    await field(page, 'Password').fill(ada.password)
    await button(page, 'Sign in').click()
  }
  const factors = async () => must(await owner.call('GET', '/second-factors'))

  test('a passkey is added after a name, and recovery codes come with the first', async () => {
    const page = await visit()
    const added = await deviceAt(page)
    Object.assign(told, { page, device: added })
    await signInWithPassword(page)
    await page.waitForURL('**/settings/w/**')
    await page.goto(at('/settings/account'))
    await button(page, 'Add passkey').click()
    await field(page, 'Passkey name').fill('Laptop')
    expect(await page.getByText('No passkeys').count()).toBe(0)
    expect(await lookAt(page, 'passkey-name')).toEqual([])
    await button(page, 'Continue').click()

    await page.getByRole('heading', { level: 1, name: 'Recovery codes', exact: true }).waitFor()
    await field(page, 'I have stored the recovery codes').check()
    await button(page, 'Done').click()
    await page
      .getByRole('table', { name: 'List of passkeys' })
      .getByRole('cell', { name: 'Laptop', exact: true })
      .waitFor()
    expect(await lookAt(page, 'passkeys')).toEqual([])
    const [credential, ...others] = await credentialsOf(added)
    expect([credential?.isResidentCredential, credential?.rpId, others]).toEqual([true, 'localhost', []])
    if (credential !== undefined) told.copies.push(credential)
  })

  test('the same device takes no second passkey for the account', async () => {
    const { page } = used()
    await button(page, 'Add passkey').click()
    await field(page, 'Passkey name').fill('Laptop again')
    await button(page, 'Continue').click()

    await page.getByRole('alert').getByText('This device already has a passkey for this account.').waitFor()
    await button(page, 'Cancel').click()
  })

  test('it signs in alone, without an email or a password, and so does the second step after a password', async () => {
    const { page } = used()
    await page.context().clearCookies()
    await page.goto(at('/settings/sign-in'))
    expect(await lookAt(page, 'sign-in-passkey')).toEqual([])
    await button(page, 'Sign in with a passkey').click()
    await page.waitForURL('**/settings/w/**')
    await page.goto(at('/settings/account'))
    await page.getByRole('table', { name: 'Sessions' }).getByRole('cell', { name: 'Passkey', exact: true }).waitFor()
    await page.getByText('Laptop', { exact: true }).first().waitFor()
    expect(await page.getByText('Never', { exact: true }).count()).toBe(0)

    await page.context().clearCookies()
    await signInWithPassword(page)
    await page.getByText('Use your passkey.').waitFor()
    expect(await page.getByLabel('Authentication code').count()).toBe(0)
    expect(await lookAt(page, 'sign-in-second-passkey')).toEqual([])
    await button(page, 'Use a passkey').click()
    await page.waitForURL('**/settings/w/**')
  })

  test('it confirms in the place of the password', async () => {
    const { page } = used()
    await system.db.session.updateMany({ data: { confirmedAt: null } })
    await page.goto(at(`/settings/w/${owner.workspaceId}/keys/new`))
    await field(page, 'Name').fill('Confirmed by passkey')
    await page.getByRole('button', { name: /^Read only/ }).click()
    await button(page, 'Create key').click()
    await page.getByRole('dialog', { name: 'Confirm your identity' }).waitFor()
    expect(await lookAt(page, 'dialog-passkey')).toEqual([])
    await button(page, 'Use a passkey').click()

    await page.locator('[data-secret]').waitFor()
    await field(page, 'I have stored the secret').check()
    await button(page, 'Done').click()
  })

  test('a device that does not make sure of the person signs nobody in', async () => {
    const {
      page,
      device: { cdp, authenticatorId },
    } = used()
    await page.context().clearCookies()
    await page.goto(at('/settings/sign-in'))
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await button(page, 'Sign in with a passkey').click()

    await page.getByRole('alert').getByText('The passkey was not used').waitFor()
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
  })

  test('a copy that has signed less often than the passkey is refused, and the passkey goes on', async () => {
    const { page, device: original } = used()
    const [copied] = told.copies
    const other = await visit()
    const copy = await deviceAt(other)
    await copy.cdp.send('WebAuthn.addCredential', {
      authenticatorId: copy.authenticatorId,
      credential: copied as never,
    })
    await other.goto(at('/settings/sign-in'))
    await button(other, 'Sign in with a passkey').click()

    await other.getByRole('alert').getByText('The passkey was not accepted.').waitFor()
    await page.goto(at('/settings/sign-in'))
    await button(page, 'Sign in with a passkey').click()
    await page.waitForURL('**/settings/w/**')
    expect((await credentialsOf(original))[0]?.signCount).toBeGreaterThan(1)
  })

  test('one that was removed signs in no more, and the password alone does', async () => {
    const { page } = used()
    await page.goto(at('/settings/account'))
    await button(page, 'Remove Laptop…').click()
    await page.getByText('This is your only second factor.', { exact: false }).waitFor()
    expect(await lookAt(page, 'dialog-remove-passkey')).toEqual([])
    await button(page, 'Remove').click()
    await page.getByText('No passkeys').waitFor()
    expect(await factorsLeft()).toEqual({ passkeys: [], recoveryCodes: 0 })

    await page.context().clearCookies()
    await page.goto(at('/settings/sign-in'))
    await button(page, 'Sign in with a passkey').click()
    await page.getByRole('alert').getByText('The passkey was not accepted.').waitFor()
    await signInWithPassword(page)
    await page.waitForURL('**/settings/w/**')
  })

  /** Of the owner, whose first session has ended with the first passkey. */
  async function factorsLeft() {
    must(await owner.signIn(owner.email))
    const { passkeys, recoveryCodes } = await factors()
    return { passkeys, recoveryCodes }
  }
})
