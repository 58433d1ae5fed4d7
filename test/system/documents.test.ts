// What an integrator relies on when reading and writing documents.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeMode, describeModes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

const mebibyte = 1024 * 1024
const guide = '# Guide\n\nIntro.\n\n## Opening hours\n\n9 to 17.\n\n## Contact\n\nCall us.\n'

type Body = Answer['body']
type Documents = ReturnType<typeof documentsOf>

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** JSON with each character of its texts written as \uXXXX. */
const escaped = (value: object): string =>
  JSON.stringify(value).replaceAll(/"([^"]*)"/g, (_, text: string) => `"${text.replaceAll(/[^]/g, inHex)}"`)
const inHex = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

function documentsOf(tenant: Tenant) {
  const call = (method: string, path: string, body?: object, headers = {}) =>
    tenant.api(method, `/api/v1${path}`, body, headers)
  const get = async (path: string): Promise<Body> => must(await call('GET', path))
  return {
    call,
    get,
    create: async (body: object = {}): Promise<Body> =>
      must(await call('POST', '/documents', { title: 'Guide', ...body })),
    project: async (): Promise<string> => must(await call('POST', '/projects', { name: 'Website' })).id,
    patch: (id: string, body: object) => call('PATCH', `/documents/${id}`, body),
    edit: (id: string, body: object, headers = {}) => call('POST', `/documents/${id}/edit`, body, headers),
    /** What a list shows, in the order of titles, and what is counted. */
    found: async (query: string): Promise<[string[], number]> => [
      (await get(`/documents?sort=title&${query}`)).data.map(({ title }: Body) => title),
      (await get(`/documents/count?${query}`)).total,
    ],
  }
}

const codesOf = (answers: readonly Answer[]): string[] => answers.map(({ status, body }) => `${status} ${body.code}`)

describeModes('documents', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  const documents = documentsOf(tenant)
  const fresh = async (): Promise<Documents> => documentsOf(await system.tenant())

  test('a list leaves the content out, unless it is asked for by name', async () => {
    const { create, get, call } = await fresh()
    const { content: _content, ...brief } = await create({ content: 'Long' })

    const asked = await get('/documents?fields=title,content')

    expect((await get('/documents')).data).toEqual([brief])
    expect(asked).toMatchObject({ data: [{ title: 'Guide', content: 'Long' }], page: { limit: 20 } })
    expect(await call('GET', '/documents?fields=content&limit=21')).toMatchObject({
      status: 400,
      body: { code: 'invalid_parameter', errors: [{ parameter: 'limit', code: 'too_large' }] },
    })
  })

  test('a mebibyte of content is taken and given back unchanged, with its checksum; one byte more is refused', async () => {
    const { create, get, call } = documents
    const content = 'é'.repeat(mebibyte / 2)

    const made = await create({ content })
    const refused = await call('POST', '/documents', { title: 'Guide', content: `${content}a` })

    expect(made).toMatchObject({ status: 'draft', checksum: sha256(content), wordCount: 1 })
    expect((await get(`/documents/${made.id}`)).content === content).toBe(true)
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer: '/content', code: 'too_long' }] },
    })
  })

  test('events show everything but the content, and tell by the checksum that it has changed', async () => {
    const { create, get, patch, call } = documents
    const before = await tenant.lastSequence()
    const { id } = await create({ content: 'Old' })
    const { content, ...changed } = must(await patch(id, { content: 'New words' }))
    must(await patch(id, { content: 'New words' }))
    const items = [{ action: 'update', id, data: { title: 'Other' } }]
    const { results } = must(await call('POST', '/documents/batch', { items }))

    const { data: events } = await get(`/events?after=${before}`)

    expect(events).toMatchObject([
      { type: 'documents.created' },
      { type: 'documents.updated', data: changed },
      { type: 'documents.updated' },
    ])
    expect(Object.keys(events[1].changes).toSorted()).toEqual(['checksum', 'wordCount'])
    expect(events[1].changes.checksum).toEqual({ from: sha256('Old'), to: sha256('New words') })
    expect(results).toMatchObject([{ status: 200, data: { title: 'Other', version: 3 } }])
    expect(results[0].data).not.toHaveProperty('content')
    expect(JSON.stringify(events)).not.toContain(content)
    expect((await get(`/documents/${id}`)).content).toBe(content)
  })

  test('archived documents are listed and counted where they are asked for, by flag or by status', async () => {
    const { create, patch, found, get } = await fresh()
    const { id } = await create({ title: 'Old', status: 'published' })
    must(await patch(id, { status: 'archived' }))
    await create({ title: 'New' })

    for (const [query, titles] of [
      ['', ['New']],
      ['includeArchived=false', ['New']],
      ['includeArchived=true', ['New', 'Old']],
      ['status=archived', ['Old']],
      ['status=archived,draft', ['New', 'Old']],
      ['status=!published', ['New']],
      ['status=!published&includeArchived=true', ['New', 'Old']],
    ] as const)
      expect([query, await found(query)]).toEqual([query, [titles, titles.length]])
    expect((await get(`/documents/${id}`)).status).toBe('archived')
    expect(await patch(id, { status: 'published' })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', from: 'archived', to: 'published', allowed: ['draft'] },
    })
  })

  test('filters by folder, tags, status and project; counts by folder', async () => {
    const { create, project, found, get } = await fresh()
    const projectId = await project()
    await create({ title: 'A', folder: 'handbook', tags: ['hr', 'new'], status: 'published' })
    await create({ title: 'B', folder: 'handbook/people', tags: ['hr'] })
    await create({ title: 'C', projectId })

    for (const [query, titles] of [
      ['folder=handbook', ['A']],
      ['folder=handbook,handbook/people', ['A', 'B']],
      ['folder=!handbook', ['B', 'C']],
      ['tags=hr,other', ['A', 'B']],
      ['tagsAll=hr,new', ['A']],
      ['status=!draft', ['A']],
      [`projectId=${projectId}`, ['C']],
    ] as const)
      expect([query, await found(query)]).toEqual([query, [titles, titles.length]])
    expect(await get('/documents/count?groupBy=folder')).toEqual({
      total: 3,
      groups: ['handbook', 'handbook/people', null].map((value) => ({ value, count: 1 })),
      moreGroups: 0,
    })
  })

  test('documents of a deleted project are hidden in every way of reading, and come back with it', async () => {
    const { create, project, call, patch, found, get } = await fresh()
    const projectId = await project()
    const hidden = await create({ title: 'Needle', projectId, externalSource: 'wiki', externalId: '1' })
    await create({ title: 'Seen' })
    must(await call('DELETE', `/projects/${projectId}`))

    const refused = [
      await call('GET', `/documents/${hidden.id}`),
      await patch(hidden.id, { title: 'x' }),
      await call('DELETE', `/documents/${hidden.id}`),
      await call('POST', `/documents/${hidden.id}/restore`),
      await call('GET', '/documents/by-external-id/wiki/1'),
    ]

    expect(codesOf(refused)).toEqual(refused.map(() => '404 not_found'))
    expect((await get('/documents?includeDeleted=true')).data).toMatchObject([{ title: 'Seen' }])
    expect(await found('')).toEqual([['Seen'], 1])
    expect(await found('q=needle')).toEqual([[], 0])
    must(await call('POST', `/projects/${projectId}/restore`))
    expect(await get(`/documents/${hidden.id}`)).toEqual(hidden)
  })

  test('documents of an archived project are read, not changed', async () => {
    const { create, project, call, patch, edit, get } = documents
    const [projectId, open] = [await project(), await project()]
    const document = await create({ projectId, content: 'Kept' })
    const elsewhere = await create({ projectId: open })
    must(await call('POST', `/projects/${projectId}/archive`))

    const refused = [
      await call('POST', '/documents', { title: 'x', projectId }),
      await patch(document.id, { title: 'x' }),
      await patch(document.id, { projectId: null }),
      await patch(elsewhere.id, { projectId }),
      await edit(document.id, { edits: [{ find: 'Kept', replace: 'x' }] }),
      await call('DELETE', `/documents/${document.id}`),
    ]

    expect(codesOf(refused)).toEqual(refused.map(() => '409 project_archived'))
    expect(await get(`/documents/${document.id}`)).toEqual(document)
  })

  test('a document that was made, changed and deleted by an id of the caller’s is restored with its content', async () => {
    const { call } = documents
    const path = '/documents/by-external-id/wiki/upserted'

    const made = await call('PUT', path, { title: 'Guide', content: 'One' })
    const changed = await call('PUT', path, { title: 'Guide', content: 'Two' })
    must(await call('DELETE', path))
    const back = await call('POST', `/documents/${made.body.id}/restore`)

    expect([made.status, changed.status]).toEqual([201, 200])
    expect(back.body).toMatchObject({ id: made.body.id, content: 'Two', version: 4, deletedAt: null })
  })

  test('an edit is a change of the content: a version, an event, and an answer without the content', async () => {
    const { create, edit, get } = documents
    const { id } = await create({ content: guide })
    const before = await tenant.lastSequence()
    const edits = [
      { find: '9 to 17.', replace: '8 to 18.' },
      { find: 'us', replace: 'Ada', all: true },
    ]

    const done = must(await edit(id, { edits }))
    const same = must(await edit(id, { edits: [{ find: 'Ada', replace: 'Ada' }] }))

    const { content, ...brief } = await get(`/documents/${id}`)
    expect(content).toBe(guide.replace('9 to 17.', '8 to 18.').replace('us', 'Ada'))
    expect(done).toEqual({ ...brief, replacements: [1, 1] })
    expect(done).toMatchObject({ version: 2, wordCount: 10, checksum: sha256(content) })
    expect(same).toMatchObject({ version: 2, replacements: [1] })
    const { data: events } = await get(`/events?after=${before}`)
    expect(events.map(({ type, changes }: Body) => [type, Object.keys(changes)])).toEqual([
      ['documents.updated', ['checksum']],
    ])
  })
})

describeMode('the text of a document', 'standalone', () => {
  const { system, tenant } = sharedSystem('standalone')
  const { create, call, edit, get } = documentsOf(tenant)

  test.each([
    ['Japanese text', '日'.repeat(Math.floor(mebibyte / 3))],
    ['plain letters', 'a'.repeat(mebibyte)],
    ['faces', '😀'.repeat(mebibyte / 4)],
  ])('the longest content of %s is taken with each of its characters escaped', async (_what, content) => {
    const line = '語'.repeat(200)
    const tags = Array.from({ length: 50 }, (_, n) => `${n}${'語'.repeat(48)}`)

    const answer = await fetch(`${system.url}/api/v1/documents`, {
      method: 'POST',
      body: escaped({ title: line, summary: line.repeat(10), folder: line, tags, content }),
      headers: { authorization: `Bearer ${tenant.secret}`, 'content-type': 'application/json' },
    })

    const made = (await answer.json()) as Body
    expect([answer.status, made.checksum]).toEqual([201, sha256(content)])
  })

  test.each(['/handbook', 'handbook/', 'a//b', ' a', 'a/ b', 'a\nb'])('%j is no folder', async (folder) => {
    expect(await call('POST', '/documents', { title: 'Guide', folder })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer: '/folder' }] },
    })
  })

  test('a part is read by its heading, its number or its lines, with the outline and the version', async () => {
    const { id } = await create({ content: guide })
    const part = (query: string) => call('GET', `/documents/${id}/content?${query}`)

    const named = await part(`section=${encodeURIComponent('## opening hours')}`)
    const none = await part('section=Opening%20hour')

    const text = '## Opening hours\n\n9 to 17.\n\n'
    expect(named.body).toMatchObject({ id, version: 1, title: 'Guide', text, fromLine: 5, toLine: 8, totalLines: 11 })
    expect(named.headers.get('etag')).toBe('"1"')
    expect(must(await part('section=1.1'))).toEqual(named.body)
    expect(must(await part('fromLine=9&maxBytes=100')).text).toBe('## Contact\n\nCall us.\n')
    const whole = must(await part(''))
    expect(whole.text).toBe(guide)
    const outline: string[] = whole.outline.map(({ section, title }: Body) => `${section} ${title}`)
    expect(outline).toEqual(['1 Guide', '1.1 Opening hours', '1.2 Contact'])
    expect(none.body).toMatchObject({
      code: 'invalid_parameter',
      errors: [{ parameter: 'section', code: 'not_found', detail: expect.stringContaining('`Opening hours`?') }],
    })
  })

  test('edits that do not all fit change nothing, and neither do those of another version', async () => {
    const { id } = await create({ content: guide })
    const good = { find: 'Intro.', replace: '' }

    const refused = [
      await edit(id, { edits: [good, { find: '\n\n', replace: '' }] }),
      await edit(id, { section: 'Contact', edits: [good] }),
      await edit(id, { edits: [good] }, { 'if-match': '"2"' }),
    ]

    expect(refused).toMatchObject([
      { status: 422, body: { errors: [{ pointer: '/edits/1/find', code: 'not_unique' }] } },
      { status: 422, body: { errors: [{ pointer: '/edits/0/find', code: 'not_found' }] } },
      { status: 412 },
    ])
    expect(await get(`/documents/${id}`)).toMatchObject({ content: guide, version: 1 })
    expect(must(await edit(id, { edits: [good] }, { 'if-match': '"1"' })).version).toBe(2)
  })
})
