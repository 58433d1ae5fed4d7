// What a person sees of email: a forgotten password, an invitation and a new address, each from the page to the email
// and back by its link; and what the pages say where no email is sent.
import { expect, test } from 'vitest'
import { ada, memberOf, visitorOf } from '../support/person.ts'
import { tokenIn } from '../support/servers/smtp-server.ts'
import { describeConsoleWithEmail } from './support/console-with-email.ts'
import { lookAt } from './support/look-at.ts'
import { consoleStory } from './support/open-console.ts'

const newPassword = 'nine quiet otters swim'
const origin = 'https://workspace.example'

describeConsoleWithEmail('email in the console', ({ smtp, console, owner }) => {
  test('a forgotten password: from the sign-in page to the email, by its link to a new one', async () => {
    const person = await memberOf(console.system, owner.workspaceId, 'viewer')
    const { page, complaints } = await console.visit()
    await page.goto('/settings/sign-in')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    const send = page.getByRole('button', { name: 'Send link' })
    await send.click()
    await page.getByText('This field is required.').waitFor()
    const flaws = await lookAt(page, 'forgot-password')
    await page.getByLabel('Email', { exact: true }).fill(person.email)
    await send.click()
    await page.getByText('Check your email').waitFor()
    flaws.push(...(await lookAt(page, 'forgot-password-sent')))

    const mail = await smtp.mailTo(person.email)
    await page.goto(`/settings/reset-access#${tokenIn(mail, `${origin}/settings/reset-access`)}`)
    await page.getByLabel('New password', { exact: true }).fill(newPassword)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview', exact: true }).waitFor()

    expect(flaws).toEqual([])
    expect(complaints).toEqual([])
    expect((await visitorOf(console.system).signIn(person.email, newPassword)).status).toBe(201)
  })

  test('an invitation is sent; the link is shown as well', async () => {
    const { page, complaints } = await console.visit(owner)
    await page.goto(`/settings/w/${owner.workspaceId}/members`)
    await page.getByRole('button', { name: 'Invite member' }).click()
    await page.getByText('The invitation is sent to this address.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Grace Hopper')
    await page.getByLabel('Email', { exact: true }).fill('grace@example.com')
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByRole('alertdialog', { name: 'Invitation sent to Grace Hopper' }).waitFor()
    await page.getByText('We sent the link to grace@example.com.').waitFor()
    const shown = await page.locator('[data-invitation]').textContent()
    const flaws = await lookAt(page, 'dialog-invitation-sent')

    const token = tokenIn(await smtp.mailTo('grace@example.com'), `${origin}/settings/invitation`)
    expect(shown).toBe(`${console.system.url}/settings/invitation#${token}`)
    expect(flaws).toEqual([])
    expect(complaints).toEqual([])
  })

  test('a new address is confirmed by the button behind its link, and not by the visit', async () => {
    const person = await memberOf(console.system, owner.workspaceId, 'viewer')
    const { page, complaints } = await console.visit(person)
    await page.goto('/settings/account')
    await page.getByLabel('Email', { exact: true }).fill('new@example.com')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('We sent a link to the new address. Open it to confirm.').waitFor()
    const token = tokenIn(await smtp.mailTo('new@example.com'), `${origin}/settings/confirm-email`)
    await page.goto(`/settings/confirm-email#${token}`)
    const confirm = page.getByRole('button', { name: 'Confirm', exact: true })
    await confirm.waitFor()
    expect(page.url()).not.toContain(token)
    expect(await console.system.db.account.count({ where: { email: 'new@example.com' } })).toBe(0)
    const flaws = await lookAt(page, 'confirm-email')
    await confirm.click()
    await page.getByText('You now sign in with new@example.com.').waitFor()

    expect(flaws).toEqual([])
    expect(complaints).toEqual([])
    const again = (await console.visit()).page
    await again.goto(`/settings/confirm-email#${token}`)
    await again.getByRole('button', { name: 'Confirm', exact: true }).click()
    await again.getByText('This link was used or replaced, or is too old.', { exact: false }).waitFor()
  })
})

consoleStory('where no email is sent', 'Acme', ({ page, visit, at, button, field }) => {
  test('whoever has forgotten the password is told whom to ask', async () => {
    const guest = await visit()
    await guest.goto('/settings/sign-in')
    await guest.getByRole('link', { name: 'Forgot your password?' }).click()
    await guest.getByText('Ask the operator for a link').waitFor()

    expect(await lookAt(guest, 'forgot-password-operator')).toEqual([])
    await guest.getByRole('link', { name: 'Back to sign-in' }).click()
    await guest.getByLabel('Password').waitFor()
  })

  test('an invitation is a link to pass on', async () => {
    await page.goto(at('/members'))
    await button('Invite member…').click()
    await field('Name').fill(ada.name)
    await field('Email').fill('ada.king@example.com')
    await button('Create invitation link').click()
    await page.getByRole('alertdialog', { name: `Invitation link for ${ada.name}` }).waitFor()
    await page.getByText('No email is sent.', { exact: false }).waitFor()
  })
})
