// The story of a policy: an owner requires two-factor authentication and sees first whom that stops; a member is led to
// the setup, and is back in the workspace with it.
import { expect, test } from 'vitest'
import { memberOf } from '../support/person.ts'
import { codeFor } from '../support/authenticator.ts'
import { lookAt } from './support/look-at.ts'
import { consoleStory } from './support/open-console.ts'

consoleStory('required two-factor authentication', 'Acme', ({ system, owner, page, visit, at, button, field }) => {
  test('the owner sees who is stopped, gives time, and a member complies', async () => {
    const member = await memberOf(system, owner.workspaceId, 'viewer')
    const theirs = await visit(member)
    await page.goto(at('/policy'))
    await field('Require two-factor authentication').check()
    await page.getByText('This change affects 2 members').waitFor()
    const list = page.getByRole('table', { name: 'List of affected members' })
    await list.getByRole('cell', { name: 'Grace Hopper' }).waitFor()
    await list.getByRole('cell', { name: 'Ada Lovelace (you)' }).waitFor()
    await page.getByText('You are one of them: set up two-factor authentication').waitFor()
    await field('Grace period for members').selectOption('24')
    expect(await lookAt(page, 'policy-members')).toEqual([])
    await button('Save member policy').click()
    await page.getByText('Policy saved').waitFor()

    await theirs.goto(at(''))
    await theirs.getByText('Set up two-factor authentication').first().waitFor()
    await theirs
      .getByRole('heading', { level: 1, name: 'Acme', exact: true })
      .or(theirs.getByRole('heading', { level: 1 }))
      .first()
      .waitFor()
    expect(await lookAt(theirs, 'second-factor-soon')).toEqual([])
    await system.db.workspace.update({
      where: { id: owner.workspaceId },
      data: { requireSecondFactorFrom: new Date(Date.now() - 1) },
    })
    await theirs.goto(at('/members'))
    await theirs.getByRole('heading', { level: 1, name: 'Two-factor authentication required', exact: true }).waitFor()
    expect(await lookAt(theirs, 'second-factor-required')).toEqual([])

    await theirs.getByRole('link', { name: 'Set up two-factor authentication' }).click()
    await theirs.getByRole('button', { name: 'Set up authenticator app' }).click()
    const secret = ((await theirs.locator('[data-secret]').textContent()) ?? '').replaceAll(' ', '')
    await theirs.getByLabel('Authentication code', { exact: true }).fill(await codeFor(secret))
    await theirs.getByRole('button', { name: 'Turn on' }).click()
    await theirs.getByLabel('I have stored the recovery codes').check()
    await theirs.getByRole('button', { name: 'Done' }).click()
    await theirs.getByRole('button', { name: 'Remove authenticator app…' }).click()
    await theirs.getByRole('button', { name: 'Remove', exact: true }).click()
    await theirs.getByText('Acme requires two-factor authentication. Add another second factor first.').waitFor()
    await theirs.goto(at('/members'))
    await theirs.getByRole('heading', { level: 1, name: 'Members', exact: true }).waitFor()
  })
})
