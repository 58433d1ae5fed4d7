// Search over projects, tasks, CRM entities and documents.
import { expect, test } from 'vitest'
import { describeOnce, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

type Body = Answer['body']

describeOnce('search', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const api = (method: string, path: string, body?: object, who = tenant) => who.api(method, `/api/v1${path}`, body)
  const make = async (path: string, body: object, who = tenant) => must(await api('POST', path, body, who))
  const search = (query: Record<string, string>, who = tenant): Promise<Answer> =>
    api('GET', `/search?${new URLSearchParams(query).toString()}`, undefined, who)
  const hits = async (query: Record<string, string>, who = tenant) => must(await search(query, who)).data
  const idsOf = async (query: Record<string, string>, who = tenant): Promise<string[]> =>
    (await hits(query, who)).map(({ id }: Body) => id)

  /** One of each kind, all called alike. */
  async function oneOfEach(who: Tenant): Promise<Record<'project' | 'task' | 'entity' | 'document', Body>> {
    const project = await make('/projects', { key: 'ZEP', name: 'Zeppelin' }, who)
    return {
      project,
      task: await make('/tasks', { projectId: project.id, title: 'Fill the zeppelin' }, who),
      entity: await make('/crm-entities', { kind: 'deal', name: 'Zeppelin deal' }, who),
      document: await make('/documents', { title: 'Manual', content: 'How to fly a **zeppelin**\nsafely.' }, who),
    }
  }

  test('objects of each kind are found as soon as they are written, the best match first', async () => {
    const who = await system.tenant()
    const { project, task, entity, document } = await oneOfEach(who)

    const { data, hasMore } = must(await search({ q: 'zeppelin' }, who))

    expect(hasMore).toBe(false)
    expect(data.map(({ id, updatedAt }: Body) => [id, updatedAt])).toEqual(
      [project, entity, task, document].map(({ id, updatedAt }) => [id, updatedAt]),
    )
    const snippet = 'How to fly a **zeppelin** safely.'
    const nothing = { identifier: null, kind: null, snippet: null }
    expect(data.map(({ id: _id, updatedAt: _updatedAt, score: _score, ...hit }: Body) => hit)).toEqual([
      { ...nothing, type: 'projects', title: 'Zeppelin', identifier: 'ZEP', status: 'planned' },
      { ...nothing, type: 'crm-entities', title: 'Zeppelin deal', kind: 'deal', status: 'new' },
      { ...nothing, type: 'tasks', title: 'Fill the zeppelin', identifier: 'ZEP-1', status: 'backlog' },
      { ...nothing, type: 'documents', title: 'Manual', status: 'draft', snippet },
    ])
    const scores: number[] = data.map(({ score }: Body) => score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  })

  test('a changed object is found by its new words at once, and no longer by its old ones', async () => {
    const document = await make('/documents', { title: 'Handbook', content: 'bicycle' })
    expect(await idsOf({ q: 'bicycle' })).toEqual([document.id])

    must(await api('PATCH', `/documents/${document.id}`, { content: 'tricycle' }))

    expect(await idsOf({ q: 'tricycle' })).toEqual([document.id])
    expect(await idsOf({ q: 'bicycle' })).toEqual([])
  })

  test('deleted objects, and those hidden with their project, are not found until they are restored', async () => {
    const project = await make('/projects', { name: 'Quokka' })
    const task = await make('/tasks', { projectId: project.id, title: 'Quokka' })
    const document = await make('/documents', { projectId: project.id, title: 'Quokka' })
    const gone = await make('/documents', { title: 'Quokka' })
    must(await api('DELETE', `/documents/${gone.id}`))

    expect(new Set(await idsOf({ q: 'quokka' }))).toEqual(new Set([project.id, task.id, document.id]))
    must(await api('DELETE', `/projects/${project.id}`))
    expect(await idsOf({ q: 'quokka', includeArchived: 'true' })).toEqual([])
    must(await api('POST', `/projects/${project.id}/restore`))
    expect(await idsOf({ q: 'quokka' })).toHaveLength(3)
  })

  test('archived projects and documents are found on request only, tasks of archived projects always', async () => {
    const project = await make('/projects', { name: 'Wombat' })
    const task = await make('/tasks', { projectId: project.id, title: 'Wombat' })
    const document = await make('/documents', { title: 'Wombat', status: 'published' })
    must(await api('PATCH', `/documents/${document.id}`, { status: 'archived' }))
    must(await api('POST', `/projects/${project.id}/archive`))

    expect(await idsOf({ q: 'wombat' })).toEqual([task.id])
    expect(new Set(await idsOf({ q: 'wombat', includeArchived: 'true' }))).toEqual(
      new Set([project.id, task.id, document.id]),
    )
  })

  test('a project key and a task identifier find their object before all others, in search and in lists', async () => {
    const project = await make('/projects', { key: 'EMU', name: 'Large bird' })
    const task = await make('/tasks', { projectId: project.id, title: 'Feathers' })
    await make('/documents', { title: 'About EMU-1', content: 'EMU-1' })

    expect((await idsOf({ q: 'emu-1' }))[0]).toBe(task.id)
    expect((await idsOf({ q: ' Emu ' }))[0]).toBe(project.id)
    expect(must(await api('GET', '/tasks?q=emu-1')).data).toMatchObject([{ id: task.id }])
    expect(must(await api('GET', '/projects?q=EMU')).data).toMatchObject([{ id: project.id }])
  })

  test('a key finds what it may read; asking for other kinds is refused by name', async () => {
    const who = await system.tenant()
    const { task, document } = await oneOfEach(who)
    const reader = await who.key(['tasks:read', 'documents:write'])

    const found = [await idsOf({ q: 'zeppelin' }, reader), await idsOf({ q: 'zeppelin', types: 'documents' }, reader)]
    const refused = await search({ q: 'zeppelin', types: 'tasks,projects' }, reader)

    expect(found).toEqual([[task.id, document.id], [document.id]])
    const lacking = { code: 'insufficient_scope', requiredScopes: ['projects:read'] }
    expect(refused).toMatchObject({ status: 403, body: lacking })
  })

  test('a contact is found by an address that its name does not hold; a word far into a long text, too, and shown', async () => {
    const contact = await make('/crm-entities', { kind: 'contact', firstName: 'Ada', emails: ['countess@example.com'] })
    const content = `${'lorem ipsum '.repeat(8_000)} kookaburra laughs`
    const { id } = await make('/documents', { title: 'Long', content })

    expect(await hits({ q: 'countess@ex' })).toMatchObject([{ id: contact.id, kind: 'contact', status: null }])
    const [hit] = await hits({ q: 'kookaburra' })
    expect(hit).toMatchObject({ id, snippet: expect.stringContaining('**kookaburra**') })
    expect(hit.snippet.length).toBeLessThanOrEqual(200)
  })

  test('a page says whether there is more; of equal matches the newest comes first', async () => {
    const made: string[] = []
    for (let n = 0; n < 4; n += 1) made.push((await make('/documents', { title: 'Echidna' })).id)

    const page = must(await search({ q: 'echidna', limit: '3' }))

    expect(page).toMatchObject({ hasMore: true })
    expect(page.data.map(({ id }: Body) => id)).toEqual(made.toReversed().slice(0, 3))
    expect(must(await search({ q: 'echidna', limit: '4' })).hasMore).toBe(false)
  })
})
