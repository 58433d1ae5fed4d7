// What the one process has of its own: an embedded database whose disk may be full, in place of a broker and Redis
// itself, the files that it makes, and what its first start prints.
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { watchFullDisk } from '../../standalone/embedded-database.ts'
import { seedIfNew, welcomeMessage } from '../../standalone/first-run.ts'
import { keepSetupLink } from '../../standalone/generated-files.ts'
import { inProcessBroker, inProcessPubSub } from '../../standalone/messaging.ts'
import { eventually } from '../support/eventually.ts'
import { must, startSystem } from '../support/system.ts'

function watched(isFull: boolean, answer: () => Promise<unknown>) {
  const stuck: Error[] = []
  let [looks, asked] = [0, 0]
  const $queryRaw = (() => {
    asked += 1
    return answer()
  }) as never
  const full = () => {
    looks += 1
    return isFull
  }
  const times = { everyMs: 1, answersWithinMs: 20 }
  const watch = watchFullDisk({ db: { $queryRaw }, isFull: full }, (error) => void stuck.push(error), times)
  onTestFinished(watch.close)
  return { stuck, looks: () => looks, asked: () => asked }
}

test('a database with a full disk that answers nothing any more ends the process, which says what to do', async () => {
  const { stuck } = watched(true, () => new Promise(() => {}))

  const [error] = await eventually(() => (stuck.length > 0 ? stuck : null), 'the end')

  expect(error?.message).toContain('Make room and start again')
})

test.each([
  ['answers', () => Promise.resolve()],
  ['fails at every statement', () => Promise.reject(new Error('no room'))],
])('one that %s goes on; one with room on its disk is not asked', async (_how, answer) => {
  const [full, roomy] = [watched(true, answer), watched(false, answer)]

  await eventually(() => full.asked() >= 5 && roomy.looks() >= 5, 'both were looked at again and again')

  expect([full.stuck, roomy.stuck, roomy.asked()]).toEqual([[], [], 0])
})

test('a published message reaches the subscriber, and nobody once it has closed', async () => {
  const broker = inProcessBroker()
  const channel = inProcessPubSub()
  const [bodies, texts]: [string[], string[]] = [[], []]
  await broker.publish('lost')

  const consumer = await broker.subscribe(
    ({ body }) => bodies.push(body),
    () => {},
  )
  const listener = channel.listen({ message: (text) => texts.push(text) })
  await broker.publish('taken')
  channel.publish('one')
  await Promise.all([consumer.close(), listener.close()])
  await broker.publish('lost as well')
  channel.publish('two')

  expect([bodies, texts]).toEqual([['taken'], ['one']])
})

test('the setup link is kept in a folder that is made for it, for its owner alone, until there is none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'setup-link-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const made = join(folder, 'not', 'there')
  const link = 'http://127.0.0.1/settings/setup#token'

  const path = keepSetupLink(made, link) ?? ''

  expect(readFileSync(path, 'utf8')).toBe(`${link}\n`)
  expect([statSync(made).mode & 0o777, statSync(path).mode & 0o777]).toEqual([0o700, 0o600])
  expect(keepSetupLink(made, null)).toBeNull()
  expect(existsSync(path)).toBe(false)
  // A folder that cannot be used is no reason to end.
  writeFileSync(join(folder, 'file'), '')
  expect([keepSetupLink(join(folder, 'file'), link), keepSetupLink(join(folder, 'file'), null)]).toEqual([null, null])
})

test('the first start leaves projects with tasks in several states, and a second one adds none', async () => {
  await using system = await startSystem('standalone')
  const { key } = (await seedIfNew(system))!
  const again = await seedIfNew(system)

  const headers = { authorization: `Bearer ${key}` }
  const { data: projects } = must(await system.call('GET', '/api/v1/projects', undefined, headers))
  const { data: tasks } = must(await system.call('GET', '/api/v1/tasks', undefined, headers))

  expect(again).toBeNull()
  expect(projects).toHaveLength(3)
  const idsOf = (rows: readonly { readonly projectId: string }[]) => new Set(rows.map(({ projectId }) => projectId))
  expect(idsOf(tasks)).toEqual(new Set(projects.map(({ id }: { id: string }) => id)))
  expect(new Set(tasks.map(({ status }: { status: string }) => status)).size).toBeGreaterThan(3)
})

test.each([
  [{}, 201],
  [{ webhookAllowCidrs: [], webhookAllowHttp: true }, 422],
  [{ webhookAllowCidrs: ['127.0.0.0/8'], webhookAllowHttp: false }, 422],
])('with %j the webhook that the first start prints is made as printed, or it says why not (%i)', async (...given) => {
  const [change, status] = given
  await using system = await startSystem('standalone', change)
  const seeded = (await seedIfNew(system))!
  const message = welcomeMessage(system.url, seeded, null)
  const [, body = ''] = /\/api\/v1\/webhooks .* -d '(.*)'/.exec(message) ?? []
  const headers = { authorization: `Bearer ${seeded.key}` }

  const answer = await system.call('POST', '/api/v1/webhooks', JSON.parse(body), headers)

  expect(answer.status).toBe(status)
  if (status === 201) return expect(message).not.toContain('WEBHOOK_ALLOW')
  expect(message).toContain(`As it was started, this is refused: ${answer.body.errors[0].detail}`)
  expect(message).toContain('Start again with WEBHOOK_ALLOW_CIDRS=127.0.0.0/8 and WEBHOOK_ALLOW_HTTP=true')
})
