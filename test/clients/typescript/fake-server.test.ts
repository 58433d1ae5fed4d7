// The fake server for users' tests. Each story is also told to the product, so that the fake answers as it does.
import { expect, onTestFinished, test } from 'vitest'
import { createClient, isApiError, verifyWebhook, type Client } from '#clients/typescript/src/index.ts'
import { createFakeServer } from '#clients/typescript/src/testing.ts'
import { describeOnce, sharedSystem } from '../../support/system.ts'

const faked = () => {
  const fake = createFakeServer()
  return { fake, api: createClient({ baseUrl: fake.url, apiKey: 'wsk_x', fetch: fake.fetch }) }
}
const thrown = (promise: PromiseLike<unknown>) =>
  Promise.resolve(promise).then(
    () => null,
    (error: unknown) => (isApiError(error) ? [error.code, error.status, error.problem['currentVersion']] : error),
  )

/** What a program sees of a story; ids and times apart. */
async function story(api: Client, key: string): Promise<unknown> {
  const after = (await api.events.list({ occurredAfter: '2999-01-01T00:00:00Z' })).lastSequence
  const project = await api.projects.create({ name: 'Story', key })
  const titles = ['C', 'A', 'B']
  const results = await api.tasks.batchAll(
    titles.map((title) => ({
      action: 'create' as const,
      data: { projectId: project.id, title, labels: [title === 'A' ? 'one' : 'two'], description: key },
    })),
  )
  const [first] = results
  const id = first?.data?.id ?? ''
  const changed = await api.tasks.update({ id, title: 'D', expectedVersion: 1 })
  const upserted = []
  for (const title of ['E', 'F'])
    upserted.push(await api.tasks.upsert({ source: 'erp', externalId: key, projectId: project.id, title }))
  const listed = await api.tasks.list({ projectId: [project.id], sort: ['-title'], limit: 2 }).toArray()
  const labelled = await api.tasks.list({ projectId: [project.id], labels: ['!two'], sort: ['title'] }).toArray()
  await api.tasks.delete({ id })
  const seen = []
  for await (const { type } of api.events.follow({ after, untilCaughtUp: true, eventTypes: ['tasks.*'] }))
    seen.push(type)
  return {
    results: results.map(({ index, status }) => [index, status]),
    changed: [changed.title, changed.version],
    upserted: upserted.map(({ outcome, title, version }) => [outcome, title, version]),
    listed: listed.map(({ title }) => title),
    labelled: labelled.map(({ title }) => title),
    refused: [
      await thrown(api.tasks.update({ id: upserted[0]?.id ?? '', title: 'G', expectedVersion: 1 })),
      await thrown(api.tasks.get({ id })),
      await thrown(
        api.tasks.upsert({ source: 'erp', externalId: key, projectId: project.id, title: 'H', createOnly: true }),
      ),
    ],
    restored: (await api.tasks.restore({ id })).version,
    byOwnId: (await api.tasks.getByExternalId({ source: 'erp', externalId: key })).title,
    total: (await api.tasks.count({ projectId: [project.id] })).total,
    seen,
  }
}

describeOnce('the fake server', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  test('tells a story as the product does', async () => {
    const api = createClient({ baseUrl: system.url, apiKey: tenant.secret })

    expect(await story(faked().api, 'FAKE')).toEqual(await story(api, 'FAKE'))
  })
})

test('a test says which calls are refused, and sees what was called', async () => {
  const { fake, api } = faked()
  fake.refuse('rate_limited', { times: 2 })
  fake.refuse('insufficient_scope', { operation: 'projects.list' })

  const made = await api.projects.create({ name: 'Retried' })

  expect(await thrown(api.projects.list())).toEqual(['insufficient_scope', 403, undefined])
  expect(fake.objects('projects')).toEqual([expect.objectContaining({ id: made.id, name: 'Retried' })])
  expect(fake.calls.map(({ operation }) => operation)).toEqual([...Array(3).fill('projects.create'), 'projects.list'])
})

test('what it does not know is refused in words, until the test answers it', async () => {
  const { fake, api } = faked()
  fake.add('tasks', { title: 'One' })

  await expect(api.me.get()).rejects.toThrow('does not know me.get')
  await expect(api.tasks.list({ q: 'words' }).toArray()).rejects.toThrow('does not filter by q')
  fake.answer('me.get', () => ({ id: 'k-1' }))
  expect(await api.me.get()).toEqual({ id: 'k-1' })
})

test('an event is delivered to a receiver as the product signs it', async () => {
  const { fake, api } = faked()
  const secret = `whsec_${btoa('x'.repeat(32))}`
  await api.projects.create({ name: 'Delivered' })

  const { body, headers } = await fake.delivery({ secret, brand: 'acme' })

  for (const scheme of ['standard', 'own'] as const) {
    const { event } = await verifyWebhook(body, headers, { secret, scheme, brand: 'acme' })
    expect(event.type === 'projects.created' && event.data.name).toBe('Delivered')
  }
})

test('an aborted signal ends a call of it', async () => {
  const { api } = faked()
  const ended = new AbortController()
  onTestFinished(() => ended.abort())
  ended.abort(new Error('enough'))

  await expect(api.projects.create({ name: 'Never' }, { signal: ended.signal })).rejects.toThrow('enough')
})
