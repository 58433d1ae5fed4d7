// What all tiers log, at the level that logs the most, and what they export of traces, holds none of the secrets.
import { expect, test } from 'vitest'
import { logger } from '#runtime/log.ts'
import { freshDatabase } from '../support/database.ts'
import { codeFor } from '../support/authenticator.ts'
import { ada, setupToken, visitorOf, type Person } from '../support/person.ts'
import { startReceiver } from '../support/receiver.ts'
import { startCollector } from '../support/servers/collector.ts'
import { startSignInProvider, type SignInProvider } from '../support/servers/sign-in-provider.ts'
import { describeMode, modes, must, startSystem, type System } from '../support/system.ts'
import { tracingTo } from '../support/tracing.ts'

const publicUrl = 'http://127.0.0.1:8080'
const redirectUri = `${publicUrl}/settings/sign-in/callback`
const groupRoles = [{ group: 'staff', role: 'member', workspaceId: null }] as const
const newPassword = 'compilers like long walks'
const wrongPassword = 'typed into the wrong field'

const tokenOf = (person: Person): string => person.cookie().split('=')[1] ?? ''

/** From the first account to keys, webhooks and invitations. Returns each secret by what it is. */
async function signInAndMakeSecrets(system: System, receiverUrl: string): Promise<Record<string, string>> {
  const owner = visitorOf(system)
  const setup = await setupToken(system)
  const { workspaces } = must(await owner.call('POST', '/setup', { token: setup, ...ada, workspaceName: 'Acme' }))
  const path = `/workspaces/${workspaces[0].workspaceId}`
  const again = visitorOf(system)
  await again.signIn(ada.email, wrongPassword)
  await again.signIn()
  await again.call('POST', '/sessions/current/confirm', { password: wrongPassword })
  must(await again.call('POST', '/sessions/current/confirm', { password: ada.password }))
  const key = must(await owner.call('POST', `${path}/api-keys`, { name: 'Mine', preset: 'sync' }))
  const rotated = must(await owner.call('POST', `${path}/api-keys/${key.id}/rotate`, {}))
  const header = 'a-secret-that-receivers-ask-for'
  const url = `${receiverUrl}?token=of-the-address`
  const hook = { name: 'Mine', url, eventTypes: ['projects.*'], headers: { 'X-Key': header } }
  const webhook = must(await owner.call('POST', `${path}/webhooks`, hook))
  const resealed = must(await owner.call('POST', `${path}/webhooks/${webhook.id}/rotate-secret`))
  must(await system.call('POST', '/api/v1/projects', { name: 'Told' }, { authorization: `Bearer ${rotated.secret}` }))
  await system.call('GET', '/api/v1/me?key=x', undefined, { authorization: `Bearer ${key.secret}x` })
  const member = must(await owner.call('POST', `${path}/members`, { name: 'Grace', email: 'grace@example.com' }))
  const invitation = must(await owner.call('POST', `${path}/invitations`, { memberId: member.id }))
  const guest = visitorOf(system)
  const person = { name: 'Grace', email: 'grace@example.com', password: newPassword }
  must(await guest.call('POST', '/invitations/accept', { token: invitation.token, ...person }))
  const reset = must(await system.operator('POST', '/settings/api/accounts/reset-access', { email: person.email }))
  must(await guest.call('POST', '/accounts/recover', { token: reset.token, newPassword: `${newPassword} again` }))
  const factors = await useSecondFactor(system, guest, person.email)
  const sessions = { session: tokenOf(owner), sessionAgain: tokenOf(again), sessionOfGuest: tokenOf(guest) }
  const ofKeys = { key: key.secret, rotatedKey: rotated.secret, webhook: webhook.secret, resealed: resealed.secret }
  const links = { setup, invitation: invitation.token, reset: reset.token }
  const ofDeployment = { operatorToken: system.operatorToken, internalSecret: system.settings.internalSecret }
  const typed = { password: ada.password, newPassword, wrongPassword, header, ofAddress: 'of-the-address' }
  return { ...sessions, ...ofKeys, ...links, ...ofDeployment, ...typed, ...factors }
}

/** Sets up an authenticator app and signs in with a recovery code, after a wrong one. */
async function useSecondFactor(system: System, person: Person, email: string): Promise<Record<string, string>> {
  const { setup, secret } = must(await person.call('POST', '/second-factors/authenticator', {}))
  const enabled = { setup, code: await codeFor(secret) }
  const { recoveryCodes } = must(await person.call('POST', '/second-factors/authenticator/enable', enabled))
  const browser = visitorOf(system)
  const { signIn } = must(await browser.signIn(email, `${newPassword} again`))
  const wrongCode = 'not-a-recovery-code'
  await browser.call('POST', '/sessions/second-factor', { signIn, code: wrongCode })
  must(await browser.call('POST', '/sessions/second-factor', { signIn, code: recoveryCodes[0] }))
  return { setup, secret, signIn, wrongCode, recoveryCode: recoveryCodes[0], unusedCode: recoveryCodes[1] }
}

/** Signs in at the provider, is refused, and comes back with what is not to be believed. */
async function signInAtProvider(system: System, provider: SignInProvider): Promise<Record<string, string>> {
  provider.person({ sub: 'staff', email: 'staff@example.com', email_verified: true, groups: ['staff'] })
  provider.person({ sub: 'eve', email: 'eve@evil.example', email_verified: true })
  const secrets: Record<string, string> = { clientSecret: provider.clientSecret }
  type Complete = (flow: string, back: URL, guest: Person) => Promise<unknown>
  async function way(name: string, sub: string, complete: Complete) {
    const guest = visitorOf(system)
    const { flow, url } = must(await guest.call('POST', '/sessions/provider', {}))
    const back = await provider.visit(url, sub)
    await complete(flow, back, guest)
    secrets[`${name} flow`] = flow
    secrets[`${name} code`] = back.searchParams.get('code') ?? ''
    for (const part of ['state', 'nonce']) secrets[`${name} ${part}`] = new URL(url).searchParams.get(part) ?? ''
    if (guest.cookie() !== '') secrets[`${name} session`] = tokenOf(guest)
  }
  const send = (flow: string, search: string, guest: Person) =>
    guest.call('POST', '/sessions/provider/complete', { flow, search })
  await way('in', 'staff', async (flow, { search }, guest) => must(await send(flow, search, guest)))
  await way('refused', 'eve', (flow, { search }, guest) => send(flow, search, guest))
  await way('wrong', 'staff', (flow, { search }, guest) => send(flow, `${search}&state=x`, guest))
  await way('unbelieved', 'staff', (flow, { search }, guest) => {
    provider.forge((claims) => ({ ...claims, nonce: 'another' }))
    return send(flow, search, guest)
  })
  provider.forge(null)
  await way('away', 'staff', async (flow, { search }, guest) => {
    await provider[Symbol.asyncDispose]()
    await send(flow, search, guest)
  })
  return secrets
}

describeMode('what is logged and exported', modes.at(-1) ?? 'standalone', (mode) => {
  test('at the level trace holds no password, token, secret or code', async () => {
    const lines: string[] = []
    const log = logger('trace', 'test', { write: (line) => void lines.push(line) })
    const provider = await startSignInProvider(redirectUri)
    await using hook = await startReceiver()
    await using collector = await startCollector()
    const { tracing, exporter, flush } = await tracingTo(collector.url)
    const database = await freshDatabase(mode === 'standalone' ? 'pglite' : 'postgres', { traced: true })
    const system = await startSystem(
      mode,
      { publicUrl, oidc: { ...provider.config, groupRoles }, tracing },
      log,
      database,
    )
    const secrets: Record<string, string> = {}
    try {
      Object.assign(secrets, await signInAndMakeSecrets(system, hook.url), await signInAtProvider(system, provider))
      await hook.count(1)
    } finally {
      await system[Symbol.asyncDispose]()
      await flush()
    }

    const exported = collector.requests.map(({ body }) => body.toString('latin1'))
    const found = Object.entries(secrets).filter(([, secret]) =>
      [...lines, ...exported].some((text) => text.includes(secret)),
    )
    expect(found.map(([what]) => what)).toEqual([])
    expect(exporter.counts().exported).toBeGreaterThan(100)
    expect(Object.entries(secrets).filter(([, secret]) => secret.length < 12)).toEqual([])
    for (const message of ['"msg":"request"', '"msg":"call"', 'signing in at the provider has failed'])
      expect(lines.filter((line) => line.includes(message)).length).toBeGreaterThan(0)
  }, 60_000)
})
