// Somebody who finds a browser open can look around, and can do nothing dangerous: asked of every operation and field.
import { missingId } from '../support/client.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { changes, methodOf, type Operation } from '#contract/operation.ts'
import { pathFor } from '#contract/route-paths.ts'
import { firstOwner, type Person } from '../support/person.ts'
import { startReceiver } from '../support/receiver.ts'
import { describeMode, must, startSystem, type System } from '../support/system.ts'

/** These end, or begin, the session itself. */
const ofSession = new Set(['sessions.create', 'sessions.end', 'sessions.complete-at-provider'])
const walked = operations.filter(
  ({ name, audiences, admits, ...rest }) =>
    audiences.includes('settings') &&
    admits !== 'operator' &&
    changes({ name, audiences, admits, ...rest }) &&
    !ofSession.has(name),
)

describeMode('a session that was not confirmed lately', 'standalone', () => {
  let system: System
  let owner: Person & { readonly workspaceId: string }
  beforeAll(async () => {
    system = await startSystem('standalone')
    owner = await firstOwner(system, { workspaceName: 'Acme' })
    await system.db.session.updateMany({ data: { confirmedAt: null } })
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  const inOwn = (path: string): string => `/workspaces/${owner.workspaceId}${path}`

  /** With a value that no schema takes: what is refused before is refused for the name of the field. */
  async function codeWith(operation: Operation, field: string | null): Promise<string> {
    const path = pathFor(operation, 'settings')
      .replace('/settings/api', '')
      .replace('{workspaceId}', owner.workspaceId)
      .replace(/^\/workspaces\/\{id\}$/, `/workspaces/${owner.workspaceId}`)
      .replaceAll(/\{\w+\}/g, missingId)
    const isDelete = methodOf(operation) === 'DELETE'
    const query = isDelete && field !== null ? `?${field}=0` : ''
    const body = isDelete ? undefined : field === null ? {} : { [field]: { no: 'such value' } }
    const { body: answer } = await owner.call(methodOf(operation), path + query, body)
    return answer?.code ?? 'done'
  }

  test.each(walked.map((operation) => [operation.name, operation] as const))(
    '%s asks for it where the contract says so, and nowhere else',
    async (_name, operation) => {
      const { confirmed = [], input, ofOperator } = operation
      const fields = Object.keys(input.properties).filter((field) => !['id', 'expectedVersion'].includes(field))
      for (const field of [null, ...fields.filter((each) => !ofOperator.includes(each))]) {
        const isAsked = confirmed === true || (field !== null && confirmed.includes(field))

        expect([field, (await codeWith(operation, field)) === 'confirmation_required']).toEqual([field, isAsked])
      }
    },
  )

  test('a key is not widened, no webhook goes elsewhere and nobody is removed, until the password is given', async () => {
    await using receiver = await startReceiver()
    const asOperator = (method: string, path: string, body?: object) =>
      system.operator(method, `/settings/api${inOwn(path)}`, body)
    const key = must(await asOperator('POST', '/api-keys', { name: 'Narrow', scopes: ['projects:read'] }))
    const hook = must(
      await asOperator('POST', '/webhooks', { name: 'Hook', url: receiver.url, eventTypes: ['projects.*'] }),
    )
    const member = must(await asOperator('POST', '/members', { name: 'Grace', email: 'grace@example.com' }))
    const attempts = (): Promise<{ status: number; body: { code?: string } }[]> =>
      Promise.all([
        owner.call('PATCH', inOwn(`/api-keys/${key.id}`), { scopes: ['projects:write'] }),
        owner.call('PATCH', inOwn(`/webhooks/${hook.id}`), { url: `${receiver.url}elsewhere` }),
        owner.call('POST', inOwn('/webhooks'), { name: 'New', url: receiver.url, eventTypes: ['*'] }),
        owner.call('DELETE', inOwn(`/members/${member.id}`)),
      ])

    for (const { status, body } of await attempts()) expect([status, body.code]).toEqual([403, 'confirmation_required'])
    expect(must(await owner.call('GET', inOwn(`/api-keys/${key.id}`))).version).toBe(1)

    must(await owner.call('PATCH', inOwn(`/api-keys/${key.id}`), { name: 'Still narrow' }))
    must(await owner.call('POST', '/sessions/current/confirm', { password: 'seven small turtles sing' }))
    expect((await attempts()).map(({ status }) => status)).toEqual([200, 200, 201, 204])
  })
})
