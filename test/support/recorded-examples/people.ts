// What the operations of accounts, sessions and invitations answer, told as one story: the first account is made, signs
// in, invites somebody, and comes back by links. They act on whoever is signed in, so that their order matters.
import type { OperationName } from '#contract/api.ts'
import { makeEmailToken } from '../../../service/identity/accounts/rows.ts'
import { codeFor } from '../authenticator.ts'
import { passkeyDevice } from '../passkey-device.ts'
import { ada, setupToken, visitorOf, type Person } from '../person.ts'
import type { SignInProvider } from '../servers/sign-in-provider.ts'
import { must, type System } from '../system.ts'

/** Calls the operation with the body of its example; `replaced` stands in place of what is named. */
export type AsPerson = (
  name: OperationName,
  person: Person,
  path: string,
  replaced?: Readonly<Record<string, unknown>>,
) => Promise<Readonly<Record<string, unknown>>>

type Asked = {
  readonly setup: string
  readonly options: { readonly challenge: string; readonly rp: { readonly id: string } }
}
type Challenged = {
  readonly challenge: string
  readonly options: { readonly challenge: string; readonly rpId: string }
}

export async function recordPeople(
  system: System,
  { provider, publicUrl }: { readonly provider: SignInProvider; readonly publicUrl: string },
  record: AsPerson,
): Promise<void> {
  const asOperator: Person = {
    ...visitorOf(system),
    call: (method, path, body, headers) => system.operator(method, `/settings/api${path}`, body, headers),
  }
  const visitor = () => visitorOf(system)
  await record('setup.get', visitor(), '/setup')
  const owner = visitor()
  const { workspaces } = await record('setup.complete', owner, '/setup', { token: await setupToken(system) })
  const [{ workspaceId } = { workspaceId: '' }] = workspaces as { readonly workspaceId: string }[]
  const workspace = `/workspaces/${workspaceId}`
  await record('sessions.methods', visitor(), '/sessions/methods')
  await record('sessions.create', owner, '/sessions')
  await record('sessions.confirm', owner, '/sessions/current/confirm')
  await record('sessions.current', owner, '/sessions/current')
  await record('sessions.list', owner, '/sessions')
  await record('account.update', owner, '/account')

  await record('alarms.preferences', owner, `${workspace}/alarms/preferences`)
  await record('alarms.update-preferences', owner, `${workspace}/alarms/preferences`)
  await record('alarms.send-test', owner, `${workspace}/alarms/test-email`)
  await record('second-factors.get', owner, '/second-factors')
  const app = await record('second-factors.begin-authenticator', owner, '/second-factors/authenticator')
  const { setup, secret } = app as { readonly setup: string; readonly secret: string }
  const enabled = { setup, code: await codeFor(secret) }
  await record('second-factors.enable-authenticator', owner, '/second-factors/authenticator/enable', enabled)
  await record('second-factors.regenerate-recovery-codes', owner, '/second-factors/recovery-codes')
  const { signIn } = must(await visitor().signIn('ada@acme.example'))
  await system.db.authenticator.updateMany({ data: { lastStep: 0 } })
  const code = { signIn, code: await codeFor(secret) }
  await record('sessions.complete-with-code', visitor(), '/sessions/second-factor', code)
  await record('second-factors.remove-authenticator', owner, '/second-factors/authenticator')
  const device = passkeyDevice(publicUrl)
  const { setup: asked, options } = (await record('passkeys.begin', owner, '/passkeys/registration')) as Asked
  await record('passkeys.create', owner, '/passkeys', { setup: asked, credential: device.create(options) })
  const browserWithPasskey = visitor()
  const proof = (await record('sessions.begin-with-passkey', browserWithPasskey, '/sessions/passkey')) as Challenged
  const given = { challenge: proof.challenge, credential: device.get(proof.options) }
  await record('sessions.complete-with-passkey', browserWithPasskey, '/sessions/passkey/complete', given)
  await record('accounts.remove-second-factors', asOperator, '/accounts/remove-second-factors')
  must(await owner.signIn('ada@acme.example'))

  const grace = { name: 'Grace Hopper', email: 'grace@acme.example' }
  const { id } = must(await owner.call('POST', `${workspace}/members`, { ...grace, role: 'admin' }))
  const { token } = must(await asOperator.call('POST', `${workspace}/invitations`, { memberId: id }))
  await record('invitations.get', visitor(), '/invitations/get', { token })
  await record('sessions.begin-at-provider', visitor(), '/sessions/provider', { invitation: token })
  await record('invitations.accept', visitor(), '/invitations/accept', { token })

  const sub = 'lovelace'
  const email = 'ada@acme.example'
  provider.person({ sub, email, email_verified: true, name: ada.name })
  const browser = visitor()
  const begun = must(await browser.call('POST', '/sessions/provider', {}))
  const { search } = await provider.visit(begun.url, sub)
  await record('sessions.complete-at-provider', browser, '/sessions/provider/complete', { flow: begun.flow, search })

  const { token: recovery } = await record('accounts.reset-access', asOperator, '/accounts/reset-access')
  const recovered = visitor()
  await record('accounts.recover', recovered, '/accounts/recover', { token: recovery })
  must(await recovered.call('PATCH', '/account', { email: 'ada.lovelace@acme.example' }))
  await record('email-changes.list', asOperator, `${workspace}/email-changes`)
  await record('accounts.confirm-email', asOperator, '/accounts/confirm-email')
  await record('email-changes.confirm-by-link', visitor(), '/email-changes/confirm', {
    token: await linkToNewEmail(system, recovered, 'ada.byron@acme.example'),
  })
}

/** The token of the link that would be sent there. */
async function linkToNewEmail({ db }: System, person: Person, email: string): Promise<string | null> {
  const { id: accountId } = must(await person.call('PATCH', '/account', { email }))
  return await makeEmailToken(db, { accountId, email }, new Date())
}
