// Alarms as a person sees them: on the overview, with the page where each is settled, and the settings of who gets
// emails about what.
import { expect, test } from 'vitest'
import { emitExpiring } from '../../service/alarms/due-keys.ts'
import { changeDeps } from '../support/change-deps.ts'
import { memberOf } from '../support/person.ts'
import { must } from '../support/system.ts'
import { describeConsoleWithEmail } from './support/console-with-email.ts'
import { lookAt } from './support/look-at.ts'
import { consoleStory } from './support/open-console.ts'

const dayMs = 86_400_000

describeConsoleWithEmail('alarms and notifications', ({ smtp, console, owner }) => {
  test('what needs attention stands first on the overview, leads to where it is settled, and can be dismissed', async () => {
    const { db } = console.system
    const expiresAt = new Date(Date.now() + 3 * dayMs)
    const key = { name: 'CRM import', scopes: ['projects:read'], expiresAt }
    const { id } = must(await owner.call('POST', `/workspaces/${owner.workspaceId}/api-keys`, key))
    await db.apiKey.updateMany({ where: { id }, data: { createdAt: new Date(Date.now() - 100 * dayMs) } })
    await emitExpiring(changeDeps(db))
    const { page, complaints } = await console.visit(owner)
    await page.goto(`/settings/w/${owner.workspaceId}`)
    const alarms = page.getByRole('region', { name: 'Needs attention' })
    await alarms.getByText(/^API key CRM import expires on/).waitFor()
    const flaws = await lookAt(page, 'overview-alarms')
    await alarms.getByRole('link', { name: 'View CRM import' }).click()
    await page.waitForURL(`**/keys/${id}`)
    await page.goBack()
    await alarms.getByRole('button', { name: /^Dismiss/ }).click()
    await alarms.waitFor({ state: 'detached' })

    expect(flaws).toEqual([])
    expect(complaints).toEqual([])
  })

  test('a person chooses what they get emails about, and sends themself one', async () => {
    const { page, complaints } = await console.visit(owner)
    await page.goto('/settings/account')
    const denied = page.getByLabel('Many denied requests of an API key', { exact: true })
    await denied.uncheck()
    await page.getByText('Notifications saved').waitFor()
    await page.reload()
    await denied.waitFor()
    expect(await denied.isChecked()).toBe(false)
    expect(await page.getByLabel('New owner', { exact: true }).isChecked()).toBe(true)
    const flaws = await lookAt(page, 'account-notifications')
    await page.getByRole('button', { name: 'Send test email' }).click()
    await page.getByText('Test email sent to ada@example.com').waitFor()

    expect((await smtp.mailTo('ada@example.com')).subject).toMatch(/Test email|CRM import/)
    expect(flaws).toEqual([])
    expect(complaints).toEqual([])
  })

  test('an admin chooses for the workspace; a viewer sees it and cannot change it', async () => {
    const { page, complaints } = await console.visit(owner)
    await page.goto(`/settings/w/${owner.workspaceId}/general`)
    await page.getByLabel('Recipients', { exact: true }).selectOption('Owners')
    await page.getByText('Notifications saved').waitFor()
    const flaws = await lookAt(page, 'general-notifications')
    const admin = await memberOf(console.system, owner.workspaceId, 'admin')
    const adminPage = (await console.visit(admin)).page
    await adminPage.goto('/settings/account')
    await adminPage.getByText('Only owners of this workspace get emails').waitFor()
    const viewer = await memberOf(console.system, owner.workspaceId, 'viewer')
    const viewerPage = (await console.visit(viewer)).page
    await viewerPage.goto(`/settings/w/${owner.workspaceId}/general`)
    const recipients = viewerPage.getByLabel('Recipients', { exact: true })
    await recipients.waitFor()

    expect(await recipients.isDisabled()).toBe(true)
    expect(flaws).toEqual([])
    expect(complaints).toEqual([])
  })
})

consoleStory('notifications where no email is sent', 'Acme', ({ page, at }) => {
  test('the pages say that alarms are on the overview', async () => {
    await page.goto('/settings/account')
    await page.getByText('This installation does not send email').waitFor()
    await page.goto(at('/general'))
    await page.getByText('Notifications are shown on the Overview page only').waitFor()
    expect(await page.getByLabel('Recipients').count()).toBe(0)

    expect(await lookAt(page, 'general-no-email')).toEqual([])
  })
})
