// Members, invitations and the key policy in the console, with a browser for each of the people.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { ada, memberOf } from '../support/person.ts'
import { must } from '../support/system.ts'
import { copiedBy } from './support/clipboard.ts'
import { lookAt } from './support/look-at.ts'
import { consoleStory } from './support/open-console.ts'

const hostile = '<img src=x onerror="globalThis.ran=true">'
const grace = { email: 'grace@example.com', password: 'compilers like long walks' }

consoleStory('members and policy', 'Acme', ({ system, owner, page, visit, at, call }) => {
  let guest: Page
  let link = ''
  beforeAll(async () => {
    guest = await visit()
  })

  const memberNamed = async (text: string) => (await call('GET', `/members?q=${text}`)).data[0]
  const looked = async (shown: Page, name: string): Promise<void> => {
    expect(await lookAt(shown, name)).toEqual([])
  }
  test('an owner invites somebody, after the password was given again, and gets a link that is shown once', async () => {
    for (const [name, role, status] of [
      ['Alan Turing', 'admin', 'active'],
      [hostile, 'viewer', 'invited'],
      ['Katherine Johnson', 'member', 'active'],
    ])
      await call('POST', '/members', { name, role, status, email: `${role}@example.com` })
    await system.db.session.updateMany({ data: { confirmedAt: null } })
    await page.goto(at('/members'))
    await page.getByRole('button', { name: hostile, exact: true }).waitFor()
    await page.getByRole('button', { name: 'Invite member' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Grace Hopper')
    await page.getByLabel('Email', { exact: true }).fill(grace.email)
    await page.getByRole('radio', { name: 'Viewer' }).check()
    await looked(page, 'members-invite')
    await page.getByRole('button', { name: 'Create invitation link' }).click()

    await page.getByLabel('Password', { exact: true }).fill(ada.password)
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByText(/^The link can be used once and expires in 7 days, on \d/).waitFor()
    link = await copiedBy(page, () => page.getByRole('button', { name: 'Copy link' }).click())
    expect(link).toBe(await page.locator('[data-invitation]').textContent())

    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Grace Hopper', exact: true }).waitFor()
    expect(await page.content()).not.toContain(link.split('#')[1])
  })

  test('whoever has the link makes an account, joins, and sees what a viewer sees; used, or cut short, the link says so', async () => {
    const shown = guest
    await shown.goto(link)
    await shown.getByRole('heading', { name: 'Join Acme' }).waitFor()
    expect(shown.url()).toBe(link.split('#')[0])
    await looked(shown, 'invitation')
    await shown.getByLabel('Password').fill(grace.password)
    await shown.getByRole('button', { name: 'Create account and join' }).click()
    await shown.waitForURL(`**${at('')}`)

    await shown.getByRole('link', { name: 'Members' }).click()
    await shown.getByRole('button', { name: 'Grace Hopper', exact: true }).click()
    await shown.getByText('Only admins and owners can manage members.').waitFor()
    await shown.getByRole('button', { name: 'Close' }).click()
    expect(await shown.getByRole('button', { name: 'Invite member' }).count()).toBe(0)
    await shown.getByRole('link', { name: 'Audit log' }).click()
    await shown.getByRole('heading', { name: 'You do not have access' }).waitFor()
    await shown.getByText(/requires the role owner or admin/).waitFor()
    await shown.getByRole('link', { name: 'Policy' }).click()
    await shown.getByText('Only admins and owners can change the policy.').waitFor()
    expect(await shown.getByRole('checkbox').count()).toBe(0)

    await shown.goto(link)
    await shown.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
    await shown.goto('/settings/invitation')
    await shown.getByRole('heading', { name: 'The link is incomplete' }).waitFor()
  })

  test('an owner sets the default country; a code that is none is refused at its field, and a viewer only reads', async () => {
    await page.goto(at('/general'))
    await page.getByLabel('Country').fill('xx')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText(/Must be a country of ISO 3166/).waitFor()
    await page.getByLabel('Country').fill('de')
    await page.getByText(/^Germany\. Used for phone numbers/).waitFor()
    await looked(page, 'general')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Settings saved').waitFor()
    expect(await call('GET', '')).toMatchObject({ defaultCountry: 'DE', name: 'Acme' })

    await guest.goto(at('/general'))
    await guest.getByText('Only admins and owners can change them.').waitFor()
    expect(await guest.getByLabel('Country').isDisabled()).toBe(true)
  })

  test('who follows a link to a form without the right to it is told so, and sees no form', async () => {
    for (const path of ['/keys/new', '/webhooks/new']) {
      await guest.goto(at(path))
      await guest.getByRole('heading', { name: 'You do not have access' }).waitFor()
      expect(await guest.getByRole('textbox').count()).toBe(0)
    }
  })

  // Filling it takes some seconds, and more where other tests run.
  const whileFilling = { timeout: 90_000 }

  test('an owner makes a sandbox, whose pages say that it is one, and puts it back', async () => {
    await page.goto(at('/general'))
    await page.getByRole('button', { name: 'Create sandbox' }).click()
    await page.getByLabel('Name', { exact: true }).last().fill('Trying things')
    await looked(page, 'sandbox-new')
    await page.getByRole('dialog').getByRole('button', { name: 'Create sandbox' }).click(whileFilling)
    await page.getByRole('button', { name: 'Trying things Sandbox' }).waitFor(whileFilling)
    expect(page.url()).not.toContain(owner.workspaceId)

    await page.goto(`${page.url().replace(/\/$/, '')}/general`)
    await page.getByRole('button', { name: 'Reset sandbox…' }).click()
    await looked(page, 'sandbox-reset')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Reset sandbox' }).click(whileFilling)
    await page.getByText('Sandbox reset').first().waitFor(whileFilling)

    await page.goto(at('/general'))
    await page.getByText('1 of 5 are in use.').waitFor()
  }, 300_000)

  test('an owner lets files wait for a scanner, after the password was given again; other settings need none', async () => {
    await system.db.session.updateMany({ data: { confirmedAt: null } })
    await page.goto(at('/general'))
    await page.getByLabel('Currency').fill('chf')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Settings saved').waitFor()
    await page.getByRole('checkbox', { name: 'Hold uploaded files for a virus scanner' }).check()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByLabel('Password', { exact: true }).fill(ada.password)
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await eventually(
      async () => (await call('GET', '')).holdFiles === true || undefined,
      'the setting that was saved after the password',
    )

    expect(await call('GET', '')).toMatchObject({ defaultCurrency: 'CHF', holdFiles: true })
  })

  test('whoever is signed in accepts with that account, or is told why not', async () => {
    const other = await system.tenant()
    const { id } = must(await other.settings('POST', '/members', { name: hostile, email: 'other@example.com' }))
    const { path } = must(await other.settings('POST', '/invitations', { memberId: id }))
    const { id: memberId } = await memberNamed('Turing')
    const again = (await call('POST', '/invitations', { memberId })).path
    const shown = guest

    // Another link in the same tab changes the part behind # alone.
    await shown.goto(again)
    await shown.getByText('You are signed in as Grace Hopper (grace@example.com).').waitFor()
    await shown.getByRole('button', { name: 'Join with this account' }).click()
    await shown.getByText('This account is a member of the workspace already.').waitFor()
    await shown.goto(path)
    await shown.getByText(`This invitation was created for ${hostile} (other@example.com).`).waitFor()
    await shown.getByRole('button', { name: 'Join with this account' }).click()

    await shown.waitForURL(`**/settings/w/${other.workspaceId}`)
  })

  test('whoever has an account signs in on the page of the invitation, and then accepts', async () => {
    const person = await memberOf(system, owner.workspaceId, 'member')
    const other = await system.tenant()
    const { id } = must(await other.settings('POST', '/members', { name: 'Grace', email: person.email }))
    const { path } = must(await other.settings('POST', '/invitations', { memberId: id }))
    const shown = await visit()

    await shown.goto(path)
    await shown.getByLabel('Password').fill(grace.password)
    await shown.getByRole('button', { name: 'Create account and join' }).click()
    await shown.getByText('Sign in to accept the invitation').waitFor()
    await shown.getByLabel('Password').fill(ada.password)
    await shown.getByRole('button', { name: 'Sign in', exact: true }).click()
    await shown.getByRole('button', { name: 'Join with this account' }).click()

    await shown.waitForURL(`**/settings/w/${other.workspaceId}`)
  })

  test('a role is changed, a member shut out and removed, and owners are the affair of owners', async () => {
    await page.goto(at('/members'))
    await page
      .getByRole('row', { name: /Ada Lovelace/ })
      .getByText('You')
      .waitFor()
    await looked(page, 'members')
    await page.getByRole('button', { name: 'Alan Turing' }).click()
    const details = page.getByRole('dialog', { name: 'Member' })
    await details.getByRole('radio', { name: 'Owner' }).check()
    await looked(page, 'member')
    await details.getByRole('button', { name: 'Create new link' }).click()
    await details.getByText(/^The link can be used once/).waitFor()
    await details.getByRole('button', { name: 'Change role' }).click()
    await page.getByText('Role of Alan Turing changed to Owner').waitFor()
    const { id } = await memberNamed('Turing')
    await call('POST', '/api-keys', { name: 'Import', preset: 'read-only', ownerId: id })
    await details.getByRole('button', { name: 'Suspend' }).click()
    await page.getByRole('alertdialog').getByText('1 key: Import').waitFor()
    await looked(page, 'member-suspend')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend member' }).click()
    await details.getByRole('button', { name: 'Reactivate' }).waitFor()
    expect(await memberNamed('Turing')).toMatchObject({ role: 'owner', status: 'suspended' })

    const shown = await visit(await memberOf(system, owner.workspaceId, 'admin'))
    await shown.goto(at('/members'))
    await shown.getByRole('button', { name: 'Alan Turing' }).click()
    await shown.getByText('Only owners can change or remove owners.').waitFor()

    await details.getByRole('button', { name: 'Remove' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByLabel('1 key: Import').selectOption('transfer')
    await question.getByLabel('Transfer to').selectOption({ label: 'Ada Lovelace (you)' })
    await looked(page, 'member-remove')
    await question.getByRole('button', { name: 'Remove member' }).click()
    await page.getByText('Alan Turing removed').waitFor()
    expect(await memberNamed('Turing')).toBeUndefined()
    const [key] = (await call('GET', '/api-keys')).data
    expect(key).toMatchObject({ name: 'Import', status: 'active', ownerId: (await memberNamed('Lovelace')).id })
    await call('DELETE', `/api-keys/${key.id}`)
  })

  test('a member asks for a new email on the page of the account, and an owner confirms it', async () => {
    const person = await memberOf(system, owner.workspaceId, 'viewer')
    const theirs = await visit(person)
    await theirs.goto('/settings/account')
    await theirs.getByLabel('Email', { exact: true }).fill('new-address@example.com')
    await theirs.getByRole('button', { name: 'Save' }).click()
    await theirs.getByText('new-address@example.com needs confirmation').waitFor()
    await looked(theirs, 'account-email-waits')

    await page.goto(at('/members'))
    await page.getByText('Grace Hopper wants to change their email address to new-address@example.com').waitFor()
    await looked(page, 'members-email-change')
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByText('Email address of Grace Hopper changed to new-address@example.com').waitFor()

    expect(must(await person.call('GET', '/sessions/current')).account.email).toBe('new-address@example.com')
  })

  test('before a policy is saved it is said which keys it would stop, and those it stops then', async () => {
    const secrets: string[] = []
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
    for (const key of [
      { name: hostile },
      { name: 'Reports', expiresAt },
      { name: 'CRM', ipAllowlist: ['127.0.0.0/8'] },
    ])
      secrets.push((await call('POST', '/api-keys', { preset: 'read-only', ...key })).secret)
    await page.goto(at('/policy'))
    await page.getByRole('heading', { name: 'All keys comply with this policy' }).waitFor()
    await looked(page, 'policy')
    await page.getByLabel('Require an expiration date').check()
    await page.getByText('This change affects 2 keys').waitFor()
    await page.getByLabel('Require an IP allowlist').check()
    await page.getByText('This change affects 3 keys').waitFor()
    const rows = page.getByRole('table', { name: 'Affected keys' }).getByRole('row')
    const [first] = await rows.filter({ has: page.getByRole('link', { name: hostile, exact: true }) }).allTextContents()
    expect(first).toMatch(/The key has no IP allowlist. The key never expires.\d+ \w+ \d{4}$/)
    await looked(page, 'policy-preview')
    await page.getByLabel('Require an IP allowlist').uncheck()
    await page.getByLabel('Grace period').selectOption('0')
    await page.getByText('This change affects 2 keys').waitFor()
    await rows.getByText('Immediately').first().waitFor()
    await page.getByRole('button', { name: 'Save key policy' }).click()
    await page.getByText('This policy affects 2 keys').waitFor()
    await rows.getByText('Already denied').first().waitFor()

    const answers = await Promise.all(
      secrets.map((secret) => system.call('GET', '/api/v1/me', undefined, { authorization: `Bearer ${secret}` })),
    )
    expect(answers.map(({ status }) => status)).toEqual([403, 200, 403])
  })

  test('an age that is none is refused by the page, and what was typed can be taken back', async () => {
    const age = page.getByLabel('Maximum secret age (days)')
    await age.fill('400')
    await page.getByRole('button', { name: 'Save key policy' }).click()
    await page.getByText('Enter a number of days from 1 to 365, or leave empty.').waitFor()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    expect(await age.inputValue()).toBe('')

    // With the time to comply that is offered first.
    await age.fill('30')
    await page.getByRole('button', { name: 'Save key policy' }).click()
    await page.getByText(/^Grace period for existing keys ends on \d/).waitFor()
  })
})
