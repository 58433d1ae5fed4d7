// A provider of OpenID Connect from npm, on loopback: people are those that a test names, and each sign-in is that of
// the person whom `login_hint` names. It can be made to hang, and to say in ID token and userinfo what it should not.
import { once } from 'node:events'
import { createPrivateKey, createSign, generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'
import type { OidcConfig } from '../../../service/identity/oidc/settings.ts'

type Claims = Readonly<Record<string, unknown>>
type Forgery = (claims: Claims) => Claims
export type SignInProvider = AsyncDisposable & {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** What the service is told of it, but for the roles of groups. */
  readonly config: Omit<OidcConfig, 'groupRoles'>
  /** Adds somebody, or changes them. `sub` names them. */
  readonly person: (claims: Claims & { readonly sub: string }) => void
  /** Goes there as a browser that is signed in as nobody yet. Resolves to where it is sent back to. */
  readonly visit: (url: string, sub: string) => Promise<URL>
  /** Until it is called again with null, what the ID token says is changed. */
  readonly forge: (change: Forgery | null) => void
  /** The same for userinfo. */
  readonly forgeUserInfo: (change: Forgery | null) => void
  /** All that is asked waits, until what it returns is called. */
  readonly hang: () => () => void
}

const scopes = 'openid profile email'

export async function startSignInProvider(redirectUri: string): Promise<SignInProvider> {
  const people = new Map<string, Claims>()
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' })
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: 'first', use: 'sig', alg: 'RS256' }
  const [clientId, clientSecret] = ['workspace-settings', 'a-client-secret-of-the-test+/=']
  let [forged, forgedInfo] = [null, null] as (Forgery | null)[]
  let held: Promise<void> | null = null

  let handle = (_request: IncomingMessage, response: ServerResponse): unknown => response.end()
  const server = createServer(
    (request, response) => void (held ?? Promise.resolve()).then(() => handle(request, response)),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    jwks: { keys: [jwk] as never },
    cookies: { keys: ['of the test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    ttl: { Session: 60, Interaction: 60, Grant: 60, AccessToken: 60, AuthorizationCode: 60, IdToken: 60 },
    findAccount: (_call, sub) => ({ accountId: sub, claims: () => ({ ...people.get(sub), sub }) }),
    interactions: { url: (_call, { uid }) => `/interaction/${uid}` },
    // Nobody is asked whether this installation may know who they are.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({ clientId, accountId: oidc.session?.accountId ?? '' })
      grant.addOIDCScope(scopes)
      await grant.save()
      return grant
    },
  })
  provider.use(async (call, next) => {
    await next()
    const body = call.body as { id_token?: string } | undefined
    if (forgedInfo && call.path === '/me') call.body = forgedInfo(call.body as Claims)
    if (forged && call.path === '/token' && body?.id_token !== undefined)
      call.body = { ...body, id_token: resigned(body.id_token, forged, pem) }
  })
  const callback = provider.callback()
  handle = async (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) return callback(request, response)
    const { params } = await provider.interactionDetails(request, response)
    await provider.interactionFinished(request, response, { login: { accountId: String(params['login_hint']) } })
  }
  const client = { issuer, clientId, clientSecret }
  const rules = { name: 'Example ID', groupsClaim: 'groups', isOnly: false, allowedDomains: ['example.com'] }
  return {
    ...client,
    config: { ...client, redirectUri, ...rules },
    person: (claims) => void people.set(claims.sub, claims),
    visit: (url, sub) => walk(`${url}&login_hint=${encodeURIComponent(sub)}`, redirectUri),
    forge: (change) => void (forged = change),
    forgeUserInfo: (change) => void (forgedInfo = change),
    hang: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return () => {
        held = null
        resolve()
      }
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const stepsMax = 10

/** From one address to the next, with the cookies of the one before, until it leads back. */
async function walk(start: string, back: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let at = new URL(start)
  for (let step = 0; step < stepsMax; step += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } })
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const next = answer.headers.get('location')
    if (next === null) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`)
    at = new URL(next, at)
    if (at.href.startsWith(back)) return at
  }
  throw new Error(`The provider does not lead back: ${at.href}`)
}

function resigned(token: string, change: Forgery, key: string | Buffer): string {
  const [head = '', payload = ''] = token.split('.')
  const claims = change(JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims)
  const signed = `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `${signed}.${createSign('RSA-SHA256').update(signed).sign(createPrivateKey(key), 'base64url')}`
}
