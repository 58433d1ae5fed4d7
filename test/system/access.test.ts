// Who cannot sign in any more comes back by a link of the operator's (accounts.reset-access, `cli access reset`,
// accounts.recover); who finds a browser open can look around, and do nothing dangerous: asked of every operation and
// field.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { changes, methodOf, type Operation } from '#contract/operation.ts'
import { pathFor } from '#contract/route-paths.ts'
import { cli } from '../cli/command.ts'
import { missingId } from '../support/client.ts'
import { firstOwner, memberOf, visitorOf, type Person } from '../support/person.ts'
import { describeMode, must, startSystem, type System } from '../support/system.ts'
import { told } from './calls.ts'

const newPassword = 'compilers like long walks'

/** These end, or begin, the session itself. */
const ofSession = new Set(['sessions.create', 'sessions.end', 'sessions.complete-at-provider'])
const walked = operations.filter(
  (each) =>
    each.audiences.includes('settings') && each.admits !== 'operator' && changes(each) && !ofSession.has(each.name),
)

describeMode('access', 'standalone', () => {
  let system: System
  let owner: Person & { readonly workspaceId: string }
  beforeAll(async () => {
    system = await startSystem('standalone')
    owner = await firstOwner(system, { workspaceName: 'Acme' })
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  const inOwn = (path: string): string => `/workspaces/${owner.workspaceId}${path}`
  const reset = (email: string) => system.operator('POST', '/settings/api/accounts/reset-access', { email })
  const member = (role: 'owner' | 'admin' | 'viewer') => memberOf(system, owner.workspaceId, role)
  const session = (person: Person) => person.call('GET', '/sessions/current')

  describe('of a session that was not confirmed lately', () => {
    beforeAll(async () => {
      await system.db.session.updateMany({ data: { confirmedAt: null } })
    })

    /** With a value that no schema takes: what is refused before is refused for the name of the field. */
    async function isAskedFor(operation: Operation, field: string | null): Promise<boolean> {
      const path = pathFor(operation, 'settings')
        .replace('/settings/api', '')
        .replace('{workspaceId}', owner.workspaceId)
        .replace(/^\/workspaces\/\{id\}$/, inOwn(''))
        .replaceAll(/\{\w+\}/g, missingId)
      const isDelete = methodOf(operation) === 'DELETE'
      const query = isDelete && field !== null ? `?${field}=0` : ''
      const body = isDelete ? undefined : field === null ? {} : { [field]: { no: 'such value' } }
      const { body: answer } = await owner.call(methodOf(operation), path + query, body)
      return answer?.code === 'confirmation_required'
    }

    test.each(walked.map((operation) => [operation.name, operation] as const))(
      '%s asks for it where the contract says so, and nowhere else',
      async (_name, operation) => {
        const { confirmed = [], input, ofOperator } = operation
        const fields = Object.keys(input.properties).filter((field) => !['id', 'expectedVersion'].includes(field))
        for (const field of [null, ...fields.filter((each) => !ofOperator.includes(each))]) {
          const expected = confirmed === true || (field !== null && confirmed.includes(field))

          expect([field, await isAskedFor(operation, field)]).toEqual([field, expected])
        }
      },
    )
  })

  describe('that is reset', () => {
    const recover = (token: string, person = visitorOf(system), password = newPassword) =>
      person.call('POST', '/accounts/recover', { token, newPassword: password })
    const newestEntry = async (action: string) =>
      must(await system.operator('GET', `/settings/api${inOwn(`/audit-entries?action=${action}&limit=1`)}`)).data[0]

    test('the command prints a link; whoever opens it sets a new password and is signed in, and nobody else is', async () => {
      const before = await member('owner')
      const { email } = before

      const { code, stdout } = await cli(system, 'access', 'reset', '--email', email.toUpperCase())
      const token = /\/settings\/reset-access#([\w-]{43})$/m.exec(stdout)?.[1] ?? ''
      const unused = await session(before)
      const guest = visitorOf(system)
      const recovered = await recover(token, guest)

      expect([code, stdout]).toEqual([0, expect.stringContaining(`${system.url}/settings/reset-access#`)])
      const workspaces = [{ role: 'owner' }]
      expect(recovered.body).toMatchObject({ account: { email }, workspaces, confirmedUntil: expect.any(String) })
      const sessions = [unused, recovered, await session(guest), await session(before), await session(owner)]
      expect(sessions.map(({ status }) => status)).toEqual([200, 200, 200, 401, 200])
      const signIns = [await visitorOf(system).signIn(email), await visitorOf(system).signIn(email, newPassword)]
      expect(signIns.map(({ status }) => status)).toEqual([403, 201])
    })

    test('the log of each workspace of the account tells of the link and of its use, without its token', async () => {
      const person = await member('admin')
      const { token, expiresAt } = must(await reset(person.email))
      must(await recover(token))

      const entries = [await newestEntry('accounts.reset-access'), await newestEntry('accounts.recover')]

      const target = { type: 'account', id: entries[0].target.id, name: 'Grace Hopper' }
      const [made, used] = [
        { from: null, to: expiresAt },
        { from: expiresAt, to: null },
      ].map((resetUntil) => ({ resetUntil }))
      expect(entries).toMatchObject([
        { actor: { type: 'system', id: 'operator' }, target, changes: made },
        { actor: { type: 'user', id: person.memberId }, target, changes: used },
      ])
      expect(JSON.stringify([entries, await system.db.accessReset.findMany()])).not.toContain(token)
    })

    test('a link is for an account that there is, works once, ends with the next one, and is good for an hour', async () => {
      const { email } = await member('viewer')
      const replaced = must(await reset(email)).token
      const used = must(await reset(email)).token
      must(await recover(used))
      const late = must(await reset(email))
      await system.db.accessReset.updateMany({ data: { expiresAt: new Date() } })

      const minutes = (Date.parse(late.expiresAt) - Date.now()) / 60_000
      expect([minutes > 59, minutes <= 60]).toEqual([true, true])
      for (const token of [replaced, used, late.token, 'x'.repeat(43)])
        expect(told(await recover(token))).toBe('404 not_found')
      expect(told(await reset('nobody@example.com'))).toBe('404 not_found')
    })

    test('a password that is guessed first leaves the link as it was; used twice at the same moment, it sets one', async () => {
      const { email } = await member('viewer')
      const { token } = must(await reset(email))

      const guessed = await recover(token, undefined, 'password1234')
      const answers = await Promise.all([recover(token), recover(token)])

      expect(told(guessed)).toMatch(/^422 validation_failed \/newPassword /)
      expect(new Set(answers.map(told))).toEqual(new Set(['200', '404 not_found']))
    })

    test('tokens are guessed within bounds', async () => {
      let last = 0
      for (let at = 0; at < 21; at += 1) last = (await recover(`guess-${at}`.padEnd(43, 'x'))).status

      expect(last).toBe(429)
    })
  })
})
