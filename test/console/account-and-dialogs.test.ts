// What a person does around the pages: the theme, another workspace, the account; and every dialog, by
// keyboard as well: it has no barrier, it closes on Escape, and the focus goes back to what has opened it.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ada, visitorOf } from '../support/person.ts'
import { must } from '../support/system.ts'
import { keyboardOf } from './support/keyboard.ts'
import { lookAt } from './support/look-at.ts'
import { consoleStory } from './support/open-console.ts'

const newPassword = 'eight large turtles hum'
const afterReset = 'nine quiet otters swim'

consoleStory('the account and the dialogs', 'Acme', ({ system, owner, page, at, call, field, button }) => {
  const makeKey = (name: string) => call('POST', '/api-keys', { name, preset: 'read-only' })
  const choose = async (item: string): Promise<void> => {
    await page.getByRole('button', { name: owner.email }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const theme = (): Promise<string | undefined> => page.evaluate('document.documentElement.dataset.theme')

  test('the theme that was chosen is kept by a reload, until the system decides again', async () => {
    await page.goto(at(''))
    await page.getByRole('heading', { level: 1 }).waitFor()
    const paper = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await paper()
    await choose('Dark')
    expect(await theme()).toBe('dark')
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await theme()).toBe('dark')
    expect(await paper()).not.toBe(light)

    await choose('System')
    expect(await theme()).toBeUndefined()
    expect(await paper()).toBe(light)
  })

  test('another workspace is one choice away', async () => {
    const { workspaceId, settings, api } = await system.tenant()
    must(await api('PATCH', '/api/v1/workspaces/current', { name: 'Globex' }))
    const given = { name: ada.name, email: 'ada@globex.example', status: 'active' }
    const { id } = must(await settings('POST', '/members', given))
    const { id: accountId } = await system.db.account.findFirstOrThrow({ where: { email: owner.email } })
    await system.db.member.update({ where: { workspaceId_id: { workspaceId, id } }, data: { accountId } })
    await page.goto(at('/keys'))

    await page.getByRole('button', { name: /Acme/ }).click()
    await page.getByRole('menuitem', { name: 'Globex' }).click()
    await page.waitForURL(`**/w/${workspaceId}`)
    await page.getByText(workspaceId, { exact: true }).waitFor()
  })

  test('the account: a name, a password that is checked, and the end of other sessions', async () => {
    const elsewhere = visitorOf(system)
    must(await elsewhere.signIn(owner.email))
    await page.goto('/settings/account')
    await field('Name').fill('Ada King')
    await field('Email').fill('no address')
    await button('Save').click()
    await page.getByText('Enter a valid email address.').waitFor()
    await expect.poll(() => keyboardOf(page).focused()).toBe('Email')
    await field('Email').fill(owner.email)
    await button('Save').click()
    await page.getByText('Account saved').waitFor()

    await field('Current password').fill('not the password')
    await field('New password').fill(newPassword)
    await button('Change password').click()
    await page.getByRole('alert').waitFor()
    await field('Current password').fill(ada.password)
    await button('Change password').click()
    await page.getByText('Password changed').waitFor()
    expect((await elsewhere.call('GET', '/sessions')).status).toBe(401)
    await expect.poll(() => page.getByRole('table', { name: 'Sessions' }).getByRole('row').count()).toBe(2)
  })

  test('dialogs and a menu have no barrier, close on Escape and give the focus back', async () => {
    const { id } = await makeKey('CRM import')
    const keyboard = keyboardOf(page)
    const dialogs = [
      { path: `/keys/${id}`, opener: 'Rotate…', title: 'Rotate CRM import?' },
      { path: `/keys/${id}`, opener: 'Revoke…', title: 'Revoke CRM import?' },
      { path: '/deliveries', opener: 'Resend…', title: 'Resend deliveries' },
      { path: '/audit', opener: 'api-keys.create', title: 'Audit entry' },
    ]
    for (const { path, opener, title } of dialogs) {
      if (new URL(page.url()).pathname !== at(path)) await page.goto(at(path))
      await button(opener).first().waitFor()
      await keyboard.use(opener)
      const dialog = page.locator('dialog[open]')
      await dialog.waitFor()
      await page.getByRole(opener === 'Revoke…' ? 'alertdialog' : 'dialog', { name: title }).waitFor()
      expect([title, ...(await lookAt(page, `dialog-${opener.split(/\W/)[0]}`))]).toEqual([title])
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => keyboard.focused()).toBe(opener)
    }

    await page.getByRole('button', { name: owner.email }).click()
    await page.getByRole('menuitem', { name: 'Dark' }).waitFor()
    expect(await lookAt(page, 'menu')).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('menuitem', { name: 'Dark' }).waitFor({ state: 'detached' })
    await expect.poll(() => keyboard.focused()).toContain(owner.email)
  })

  test('the secret comes as a file as well; whoever cancels the password is left with the form', async () => {
    await system.db.session.updateMany({ data: { confirmedAt: null } })
    await page.goto(at('/keys/new'))
    await field('Name').fill('By file')
    await page.getByRole('button', { name: /^Read only/ }).click()
    await button('Create key').click()
    await page.getByRole('dialog', { name: 'Confirm your identity' }).waitFor()
    expect(await lookAt(page, 'dialog-password')).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('alert').waitFor()
    expect(await field('Name').inputValue()).toBe('By file')

    await button('Create key').click()
    await field('Password').fill(newPassword)
    await button('Confirm').click()
    const secret = await page.locator('[data-secret]').textContent()
    const [download] = await Promise.all([page.waitForEvent('download'), button('Download .env').click()])
    expect(readFileSync(await download.path(), 'utf8')).toBe(
      `WORKSPACE_API_URL=${system.url}\nWORKSPACE_API_KEY=${secret}\n`,
    )
    await field('I have stored the secret').check()
    await button('Done').click()
    await page.getByRole('heading', { level: 1, name: 'By file', exact: true }).waitFor()
  })

  test('several keys are revoked together with the keyboard alone, by typing a word', async () => {
    await makeKey('Old one')
    await makeKey('Old two')
    await page.goto(at('/keys?q=old'))
    const keyboard = keyboardOf(page)
    await field('Select Old one').waitFor()
    await keyboard.use('Select all', 'Space')
    await page.getByText('2 keys selected').waitFor()
    await keyboard.use('Revoke…')
    await keyboard.tabTo('Type “revoke” to confirm')
    await page.keyboard.type('revoke')
    await page.keyboard.press('Enter')

    await page.getByText('2 keys revoked').waitFor()
    await page.getByRole('cell', { name: 'Revoked' }).nth(1).waitFor()
    expect(await field('Select Old one').isDisabled()).toBe(true)
    await page.getByRole('link', { name: 'Old one' }).click()
    await page.getByText('The key is not active, so requests with it are denied.').waitFor()
    expect(await page.getByText('curl').count()).toBe(0)
  })

  test('by a link of the operator’s a new password is set, and whoever has set it is signed in', async () => {
    const { email } = owner
    const { path, token } = must(await system.operator('POST', '/settings/api/accounts/reset-access', { email }))
    await page.goto(path)
    await button('Set password').waitFor()
    expect(page.url()).not.toContain(token)
    expect(await lookAt(page, 'reset-access')).toEqual([])
    await field('New password').fill(afterReset)
    await button('Set password').click()

    await page.getByRole('heading', { level: 1, name: 'Overview', exact: true }).waitFor()
    expect((await visitorOf(system).signIn(email, afterReset)).status).toBe(201)
  })
})
