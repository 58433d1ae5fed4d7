// The published TypeScript client against the product.
import { expect, test } from 'vitest'
import { createClient, isApiError } from '#clients/typescript/src/index.ts'
import { describeOnce, sharedSystem } from '../../support/system.ts'
import { scopes } from '#contract/scopes.ts'

describeOnce('the TypeScript client', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  const client = (secret = tenant.secret) => createClient({ baseUrl: system.url, apiKey: secret })

  test('creates, reads, changes with the version it saw, and deletes', async () => {
    const api = client()
    const project = await api.projects.create({ name: 'Website', key: 'CRUD' })
    const task = await api.tasks.create({ projectId: project.id, title: 'Draft' }, { idempotencyKey: 'once' })
    const again = await api.tasks.create({ projectId: project.id, title: 'Draft' }, { idempotencyKey: 'once' })

    const changed = await api.tasks.update({ id: task.id, title: 'Final', expectedVersion: 1, expand: ['project'] })
    const late = api.tasks.update({ id: task.id, title: 'Late', expectedVersion: 1 })

    expect(again.id).toBe(task.id)
    expect([changed.version, changed.title, changed.project?.key]).toEqual([2, 'Final', 'CRUD'])
    const error = await late.catch((thrown: unknown) => thrown)
    expect(isApiError(error, 'version_mismatch') && error.problem['currentVersion']).toBe(2)
    expect(await api.tasks.delete({ id: task.id })).toBeNull()
    const gone = await api.tasks.get({ id: task.id }).catch((thrown: unknown) => thrown)
    expect(isApiError(gone, 'not_found') && [gone.status, gone.requestId]).toEqual([404, expect.any(String)])
  })

  test('shows what `fields` and `expand` ask for, also of an upsert, whose outcome is always there', async () => {
    const api = client()
    const { id } = await api.projects.create({ name: 'Fields', key: 'FIELDS' })
    const input = { source: 'erp', externalId: 'f-1', projectId: id, title: 'One', fields: ['title'] } as const

    const made = await api.tasks.upsert({ ...input, createOnly: true })
    const refused = await api.tasks.upsert({ ...input, createOnly: true }).catch((thrown: unknown) => thrown)
    const page = await api.tasks.list({ projectId: [id], fields: ['title'], expand: ['project'] })

    expect(Object.keys(made).toSorted()).toEqual(['id', 'matchedBy', 'object', 'outcome', 'title', 'version'])
    expect(isApiError(refused, 'precondition_failed')).toBe(true)
    expect(Object.keys(page.data[0] ?? {}).toSorted()).toEqual(['id', 'object', 'project', 'title', 'version'])
  })

  test('`for await` reads every page, and filters by custom fields and by values with commas', async () => {
    const api = client()
    await api.customFields.create({ target: 'task', key: 'size', label: 'Size', type: 'number' })
    const { id } = await api.projects.create({ name: 'Pages', key: 'PAGES' })
    const items = Array.from({ length: 7 }, (_each, n) => ({
      action: 'create' as const,
      data: { projectId: id, title: `T${n}`, labels: ['Berlin, west'], customFields: { size: n } },
    }))
    await api.tasks.batch({ items })

    const listed = api.tasks.list({ projectId: [id], sort: ['position'], limit: 3 })
    const titles: string[] = []
    for await (const task of listed) titles.push(task.title)
    const large = api.tasks.list({ labels: ['Berlin, west'], customFields: { size: { gte: '5' } }, limit: 1 })

    expect(titles).toEqual(['T0', 'T1', 'T2', 'T3', 'T4', 'T5', 'T6'])
    expect(await listed.toArray(4)).toHaveLength(4)
    expect((await listed).page.hasMore).toBe(true)
    expect((await large.toArray()).map(({ title }) => title).toSorted()).toEqual(['T5', 'T6'])
  })

  test('a batch of any length has its results in the order of its items, which may name the objects of earlier ones', async () => {
    const api = client()
    const { id } = await api.projects.create({ name: 'Batch', key: 'BATCH' })
    const items = Array.from({ length: 250 }, (_each, n) => ({
      action: 'create' as const,
      data: {
        projectId: id,
        title: n === 7 ? '' : `#${n}`,
        ...(n > 0 && n !== 8 && { blockedByIds: [`#${n === 210 ? 5 : n - 1}`] }),
      },
    }))

    const results = await api.tasks.batchAll(items, { fields: ['title', 'blockedByIds'] })

    expect(results.map(({ index }) => index)).toEqual(items.map((_each, n) => n))
    expect(results[7]?.problem?.code).toBe('validation_failed')
    expect(results[200]?.data?.blockedByIds).toEqual([results[199]?.data?.id])
    expect(results[210]?.data?.blockedByIds).toEqual([results[5]?.data?.id])
    expect(results[249]?.data?.title).toBe('#249')
  })

  test('a batch goes no faster than its key may, and is cut where a call may not have a hundred items', async () => {
    const { secret } = await tenant.key(scopes, { rateLimit: { perMinute: 6_000, burst: 20 } })
    const refusals: number[] = []
    const counted: typeof fetch = async (url, init) => {
      const response = await fetch(url, init)
      if (!response.ok) refusals.push(response.status)
      return response
    }
    const api = createClient({ baseUrl: system.url, apiKey: secret, fetch: (url, init) => counted(url, init) })
    const create = (name: string) => ({ action: 'create' as const, data: { name, kind: 'company' as const } })

    const names = Array.from({ length: 90 }, (_each, n) => `Company ${n}`)
    const results = await api.crmEntities.batchAll(names.map(create))

    expect(results.map(({ data }) => data?.name)).toEqual(names)
    // One answer says how many items are possible; then nothing is too early.
    expect(refusals).toEqual([413])
  })

  test('the feed is followed from a position on, over what is filtered out, and ends when it is asked to', async () => {
    const api = client()
    const { lastSequence } = await api.events.list({ occurredAfter: '2999-01-01T00:00:00Z' })
    const { id } = await api.projects.create({ name: 'Feed', key: 'FEED' })
    await api.tasks.create({ projectId: id, title: 'Filtered out' })
    const feed = api.events.follow({ after: lastSequence, eventTypes: ['projects.*'], untilCaughtUp: true })
    const names: string[] = []

    for await (const event of feed) if (event.type === 'projects.created') names.push(event.data.name)
    const rest = api.events.follow({ after: feed.position ?? 0, untilCaughtUp: true })
    const left = []
    for await (const event of rest) left.push(event)

    expect(names).toEqual(['Feed'])
    expect(feed.position).toBe(lastSequence + 2)
    expect(left).toEqual([])
  })

  test('a follower waits for the next event, and its signal ends the wait', async () => {
    const api = client()
    const { lastSequence: after } = await api.events.list({ occurredAfter: '2999-01-01T00:00:00Z' })
    const ended = new AbortController()
    const feed = api.events.follow({ after, signal: ended.signal })
    const seen: string[] = []
    const reading = (async () => {
      for await (const { type } of feed) {
        seen.push(type)
        ended.abort(new Error('enough'))
      }
    })()

    await api.projects.create({ name: 'Waited for', key: 'WAIT' })

    await expect(reading).rejects.toThrow('enough')
    expect(seen).toEqual(['projects.created'])
    expect(feed.position).toBe(after + 1)
  })

  test('bytes go up and come down', async () => {
    const api = client()
    const bytes = new TextEncoder().encode('minutes')
    const { id } = await api.files.create({ name: 'minutes.txt', bytes: bytes.length })

    await api.files.upload({ id }, bytes)

    const answer = await api.files.download({ id })
    expect(await answer.text()).toBe('minutes')
  })
})
