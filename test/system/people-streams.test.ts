// Streams of people end when what allows them does, long before the minute to which they are bounded anyway.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { logger } from '#runtime/log.ts'
import { startTiers } from '../../standalone/tiers.ts'
import { freshDatabase } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { follow, type LiveStream } from '../support/live-stream.ts'
import { ada, firstOwner, memberOf, samePage, visitorOf, type Person } from '../support/person.ts'
import { describeModes, modes, must, startSystem, type System } from '../support/system.ts'

const newPassword = 'eleven slow snails hum'
type Followed = { readonly url: string; readonly workspaceId: string }

const streamOf = ({ url, workspaceId }: Followed, person: Person): Promise<LiveStream> =>
  follow(`${url}/settings/api/workspaces/${workspaceId}/events/stream`, { ...samePage, cookie: person.cookie() })

async function endsSoon(stream: LiveStream): Promise<void> {
  let hasEnded = false
  void stream.ended.then(() => (hasEnded = true))
  await eventually(() => hasEnded, 'the stream to end')
}

type Member = Awaited<ReturnType<typeof memberOf>>
type Story = { readonly system: System; readonly owner: Person; readonly member: string; readonly person: Member }

/** Signed in with the same account, as from another device. */
async function elsewhere({ system, person: { email } }: Story): Promise<Person> {
  const person = visitorOf(system)
  must(await person.signIn(email))
  return person
}

const ways: readonly (readonly [string, (story: Story) => Promise<unknown>])[] = [
  ['removal', async ({ owner, member }) => owner.call('DELETE', member)],
  ['suspension', async ({ owner, member }) => owner.call('PATCH', member, { status: 'suspended' })],
  ['another role', async ({ owner, member }) => owner.call('PATCH', member, { role: 'admin' })],
  ['signing out in another tab', async ({ person }) => person.call('DELETE', '/sessions/current')],
  [
    'being ended from another device',
    async (story) => {
      const other = await elsewhere(story)
      const { data } = must(await other.call('GET', '/sessions'))
      const { id } = data.find(({ current }: { current: boolean }) => !current)
      return other.call('DELETE', `/sessions/${id}`)
    },
  ],
  [
    'another password, set on another device',
    async (story) =>
      (await elsewhere(story)).call('POST', '/account/password', { currentPassword: ada.password, newPassword }),
  ],
  [
    'a reset of access',
    async ({ system, person: { email } }) => {
      const { token } = must(await system.operator('POST', '/settings/api/accounts/reset-access', { email }))
      return visitorOf(system).call('POST', '/accounts/recover', { token, newPassword })
    },
  ],
]

describeModes('streams of people', (mode) => {
  let system: System
  let owner: Person & { readonly workspaceId: string }
  beforeAll(async () => {
    system = await startSystem(mode)
    owner = await firstOwner(system, { workspaceName: 'Acme' })
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  test.each(ways)('%s ends them, and those of nobody else', async (_way, end) => {
    const { workspaceId } = owner
    const at = { url: system.url, workspaceId }
    const person = await memberOf(system, workspaceId, 'viewer')
    const [stream, other] = [await streamOf(at, person), await streamOf(at, owner)]
    const cookie = person.cookie()
    const member = `/workspaces/${workspaceId}/members/${person.memberId}`

    must((await end({ system, owner, member, person })) as never)
    await endsSoon(stream)

    expect((await streamOf(at, { ...person, cookie: () => cookie })).response.status).toBeGreaterThanOrEqual(401)
    const told = other.told.length
    must(await owner.call('POST', `/workspaces/${workspaceId}/api-keys`, { name: 'Heard', preset: 'read-only' }))
    await eventually(() => other.told.length > told, 'the owner to be told on the same stream')
    other.leave()
  })

  test('a change of name, a visit to another page, and outdated sessions that are deleted end nothing', async () => {
    const { workspaceId } = owner
    const person = await memberOf(system, workspaceId, 'viewer')
    const stream = await streamOf({ url: system.url, workspaceId }, person)
    const { id } = must(await visitorOf(system).signIn(person.email))
    await system.db.session.update({ where: { id }, data: { lastUsedAt: new Date(Date.now() - 7_200_000) } })

    must(await owner.call('PATCH', `/workspaces/${workspaceId}/members/${person.memberId}`, { name: 'Grace' }))
    must(await person.call('GET', '/sessions/current'))
    await system.db.session.delete({ where: { id } })

    await eventually(() => stream.told.some(({ data }) => data.type === 'members.updated'), 'the change of the name')
    expect(await system.db.keyChange.count({ where: { subjectId: { in: [person.memberId, id] } } })).toBe(0)
    stream.leave()
  })
})

test.skipIf(!modes.includes('distributed'))(
  'what one gateway is asked for ends the streams of the others, though Redis tells them nothing',
  async () => {
    const log = logger('fatal', 'test')
    await using system = await startSystem('standalone', {}, log, await freshDatabase('postgres'))
    const second = await startTiers(system.settings, system.db, log)
    const { workspaceId, ...owner } = await firstOwner(system, { workspaceName: 'Acme' })
    const person = await memberOf(system, workspaceId, 'viewer')
    const stream = await streamOf({ url: second.url, workspaceId }, person)

    must(await owner.call('DELETE', `/workspaces/${workspaceId}/members/${person.memberId}`))

    await endsSoon(stream)
    await second.close()
  },
)
