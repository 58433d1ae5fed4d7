// Somebody who is signed in to the workspace settings, as a page in their browser calls.
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Role } from '#contract/roles.ts'
import type { Database } from '#prisma/client.ts'
import { newId } from '#runtime/new-id.ts'
import { issueSetupToken } from '../../service/identity/setup/rows.ts'
import { must, type Answer, type Client } from './client.ts'

type Call = Client['call']

export type Person = {
  /** The session's part of the header Cookie; empty while nobody is signed in. */
  readonly cookie: () => string
  /** The other part, by which the browser is known; it stays. */
  readonly browser: () => string
  /** Paths follow `/settings/api`. Cookies that are set are kept. */
  readonly call: Call
  readonly signIn: (email?: string, password?: string) => Promise<Answer>
}

/** The name by which a browser has called: fetch sends that of the address, whatever it is given. */
export function calledAs({ url }: Pick<Client, 'url'>, host: string): Pick<Client, 'call'> {
  const call: Call = async (method, path, body, headers = {}) => {
    const content = body === undefined ? {} : { 'content-type': 'application/json' }
    const sent = request(url + path, { method, headers: { ...headers, ...content, host } })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    const read = await text(answer)
    const pairs = Object.entries(answer.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((each): [string, string] => [name, each]),
    )
    return { status: answer.statusCode ?? 0, headers: new Headers(pairs), body: read === '' ? null : JSON.parse(read) }
  }
  return { call }
}

export const samePage = { 'sec-fetch-site': 'same-origin' }
export const ada = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'seven small turtles sing' }

/** A browser without a session. `headers` go with every call. */
export function visitorOf({ call }: Pick<Client, 'call'>, headers: Record<string, string> = samePage): Person {
  let [cookie, browser] = ['', '']
  const asPerson: Call = async (method, path, body, more = {}) => {
    const cookies = [cookie, browser].filter((each) => each !== '').join('; ')
    const sent = { ...headers, ...(cookies !== '' && { cookie: cookies }), ...more }
    const answer = await call(method, `/settings/api${path}`, body, sent)
    for (const set of answer.headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      if (/^(?:__Host-|workspace-)browser/.test(set)) browser = pair
      else cookie = /Max-Age=0/.test(set) ? '' : pair
    }
    return answer
  }
  return {
    cookie: () => cookie,
    browser: () => browser,
    call: asPerson,
    signIn: (email = ada.email, password = ada.password) => asPerson('POST', '/sessions', { email, password }),
  }
}

type Started = Pick<Client, 'call'> & { readonly db: Database }

export async function setupToken({ db }: Pick<Started, 'db'>): Promise<string> {
  const token = await issueSetupToken(db, new Date())
  if (token === null) throw new Error('There is an account already')
  return token
}

/** The first account, signed in. */
export async function firstOwner(system: Started, more = {}): Promise<Person & { readonly workspaceId: string }> {
  const person = visitorOf(system)
  const token = await setupToken(system)
  const { workspaces } = must(await person.call('POST', '/setup', { token, ...ada, ...more }))
  return { ...person, workspaceId: workspaces[0].workspaceId }
}

type Member = Person & Readonly<Record<'memberId' | 'email', string>>
type Administered = Started & Pick<Client, 'operator'>

/** Signed in with a password like that of the first account, which there is. */
export async function memberOf(system: Administered, workspaceId: string, role: Role): Promise<Member> {
  const given = { name: 'Grace Hopper', email: `${newId()}@example.com` }
  const path = `/settings/api/workspaces/${workspaceId}/members`
  const { id } = must(await system.operator('POST', path, { ...given, role, status: 'active' }))
  return signedIn(system, workspaceId, id, given)
}

/** Of a new workspace, with a password like that of the first account, which there is. */
export async function ownerOf(system: Administered, name: string): Promise<Member & { readonly workspaceId: string }> {
  const owner = { name: ada.name, email: `${newId()}@example.com` }
  const { id: workspaceId } = must(await system.operator('POST', '/settings/api/workspaces', { name, owner }))
  const { id } = await system.db.member.findFirstOrThrow({ where: { workspaceId } })
  return { ...(await signedIn(system, workspaceId, id, owner)), workspaceId }
}

type Given = { readonly name: string; readonly email: string }

async function signedIn(system: Started, workspaceId: string, memberId: string, given: Given): Promise<Member> {
  const [id, now] = [newId(), new Date()]
  const { passwordHash } = await system.db.account.findFirstOrThrow({ where: { email: ada.email } })
  await system.db.account.create({ data: { id, ...given, passwordHash, createdAt: now, updatedAt: now } })
  const where = { workspaceId_id: { workspaceId, id: memberId } }
  await system.db.member.update({ where, data: { accountId: id, status: 'active' } })
  const person = visitorOf(system)
  must(await person.signIn(given.email))
  return { ...person, memberId, email: given.email }
}
