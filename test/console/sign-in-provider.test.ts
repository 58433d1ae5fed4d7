// The first start, and signing in at a provider, as somebody does it: in a browser, with a real provider.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ada, setupToken } from '../support/person.ts'
import { freePort } from '../support/servers/server.ts'
import { startSignInProvider, type SignInProvider } from '../support/servers/sign-in-provider.ts'
import { lookAt } from './support/look-at.ts'
import { describeConsole, openConsole, type Console } from './support/open-console.ts'

const groupRoles = [{ group: 'staff', role: 'admin', workspaceId: null }] as const

describeConsole('the first start, and signing in at a provider in the console', () => {
  let provider: SignInProvider
  let console: Console
  beforeAll(async () => {
    // The provider has to know it before the console does.
    const port = await freePort()
    const publicUrl = `http://127.0.0.1:${port}`
    provider = await startSignInProvider(`${publicUrl}/settings/sign-in/callback`)
    console = await openConsole({ port, publicUrl, oidc: { ...provider.config, isOnly: true, groupRoles } })
  }, 60_000)
  afterAll(async () => {
    await console?.[Symbol.asyncDispose]()
    await provider?.[Symbol.asyncDispose]()
  })

  /** A browser that is known to the provider as this person. */
  const visitAs = async (sub: string) => {
    const visit = await console.visit()
    await visit.page.route(`${provider.issuer}/auth?*`, (route) =>
      route.continue({ url: `${route.request().url()}&login_hint=${sub}` }),
    )
    return visit
  }

  test('the link of the first start makes the first account, once; its token leaves the address', async () => {
    const { page, complaints } = await console.visit()
    const field = (label: string) => page.getByLabel(label, { exact: true })
    const create = () => page.getByRole('button', { name: 'Create account' }).click()
    await page.goto(`/settings/setup#${await setupToken(console.system)}`)
    await field('Your name').fill(ada.name)
    expect(page.url()).toBe(`${console.system.url}/settings/setup`)
    await create()
    await page.getByText('This field is required.').first().waitFor()
    expect(await lookAt(page, 'setup')).toEqual([])
    await field('Email').fill(ada.email)
    await field('Password').fill(ada.password)
    await page.getByLabel(/^Workspace name/).fill('Acme')
    await create()

    await page.waitForURL('**/w/**')
    await page.getByRole('region', { name: 'Get started' }).getByText('0 of 4 done').waitFor()
    await page.goto('/settings/setup')
    await page.getByText('Setup is complete').waitFor()
    expect(complaints).toEqual([])
  })

  test('the button leads to the provider and back to the page that was asked for; a key is made after confirming there', async () => {
    provider.person({ sub: 'ada', email: 'new@example.com', email_verified: true, name: 'New One', groups: ['staff'] })
    const { page, complaints } = await visitAs('ada')
    const createKey = async () => {
      await page.getByLabel('Name', { exact: true }).fill('CRM import')
      await page.getByRole('button', { name: /^Read only/ }).click()
      await page.getByRole('button', { name: 'Create key', exact: true }).click()
    }
    const { id } = await console.system.db.workspace.findFirstOrThrow()
    const asked = `${console.system.url}/settings/w/${id}/keys?status=active`

    await page.goto(asked)
    const button = page.getByRole('button', { name: 'Continue with Example ID' })
    await button.waitFor()
    const flaws = await lookAt(page, 'sign-in-provider')
    expect(await page.getByLabel('Password').count()).toBe(0)
    await button.click()
    await page.waitForURL(asked)

    await page.goto(`${console.system.url}/settings/w/${id}/keys/new`)
    await createKey()
    await page.getByRole('heading', { name: 'Confirm your identity' }).waitFor()
    // The page that is left has the address of the one that comes.
    const isBack = page.waitForEvent('framenavigated', (frame) => frame.url().includes('/sign-in/callback'))
    await button.click()
    await isBack
    await page.waitForURL('**/keys/new')
    await createKey()
    await page
      .getByText(/wsk_\w{50}/)
      .first()
      .waitFor()

    expect(flaws).toEqual([])
    expect(complaints.filter((each) => !each.startsWith(provider.issuer))).toEqual([])
  })

  test('who is refused is told why, with the code, and nothing of the answer stays in the address', async () => {
    provider.person({ sub: 'eve', email: 'eve@evil.example', email_verified: true, groups: ['staff'] })
    const { page } = await visitAs('eve')

    await page.goto(`${console.system.url}/settings/sign-in`)
    await page.getByRole('button', { name: 'Continue with Example ID' }).click()
    await page.getByText('email_domain_not_allowed').waitFor()

    expect(await lookAt(page, 'sign-in-refused')).toEqual([])
    expect(page.url()).toBe(`${console.system.url}/settings/sign-in/callback`)
    await page.goto(`${console.system.url}/settings/sign-in/callback?code=x&state=y`)
    await page.getByText('The sign-in was not started in this tab').waitFor()
    expect(page.url()).toBe(`${console.system.url}/settings/sign-in/callback`)
  })
})
