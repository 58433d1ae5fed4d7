// What an integrator relies on when reading and writing documents.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeModes, must, sharedSystem, type Answer } from '../support/system.ts'

const mebibyte = 1024 * 1024
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

type Body = Answer['body']

/** JSON with each character of its texts written as \uXXXX. */
const escaped = (value: object): string =>
  JSON.stringify(value).replaceAll(/"([^"]*)"/g, (_, text: string) => `"${text.replaceAll(/[^]/g, inHex)}"`)
const inHex = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

describeModes('documents', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const post = (path: string, body?: object, who = tenant) => who.api('POST', `/api/v1${path}`, body)
  const get = (path: string, who = tenant) => who.api('GET', `/api/v1${path}`)
  const patch = (id: string, body: object, who = tenant) => who.api('PATCH', `/api/v1/documents/${id}`, body)
  const remove = (path: string, who = tenant) => who.api('DELETE', `/api/v1${path}`)
  const newProject = async (who = tenant): Promise<Body> => must(await post('/projects', { name: 'Website' }, who))
  const newDocument = async (body: object = {}, who = tenant): Promise<Body> =>
    must(await post('/documents', { title: 'Guide', ...body }, who))
  const titlesIn = async (path: string, who = tenant): Promise<string[]> =>
    must(await get(path, who)).data.map(({ title }: Body) => title)

  test('what was created can be read at its address, with its words counted and its content’s checksum', async () => {
    const content = '# Welcome\n\nTwo words – and more.\n'

    const answer = await post('/documents', { title: 'Guide', content, folder: 'handbook/people', tags: ['hr'] })

    expect(answer).toMatchObject({
      status: 201,
      body: {
        object: 'document',
        status: 'draft',
        version: 1,
        content,
        wordCount: 5,
        checksum: sha256(content),
        folder: 'handbook/people',
        tags: ['hr'],
        projectId: null,
        crmEntityId: null,
        summary: null,
      },
    })
    expect(must(await tenant.api('GET', answer.headers.get('location')!))).toEqual(answer.body)
  })

  test('a list leaves the content out, unless it is asked for by name', async () => {
    const who = await system.tenant()
    const { content: _content, ...brief } = await newDocument({ content: 'Long' }, who)

    const { data } = must(await get('/documents', who))
    const asked = must(await get('/documents?fields=title,content', who))

    expect(data).toEqual([brief])
    expect(asked.data).toMatchObject([{ title: 'Guide', content: 'Long' }])
    expect(asked.page.limit).toBe(20)
    expect(await get('/documents?fields=content&limit=21', who)).toMatchObject({
      status: 400,
      body: { code: 'invalid_parameter', errors: [{ parameter: 'limit', code: 'too_large' }] },
    })
  })

  test('a mebibyte of content is taken and given back unchanged; one byte more is refused', async () => {
    const content = 'é'.repeat(mebibyte / 2)

    const made = await newDocument({ content })
    const refused = await post('/documents', { title: 'Guide', content: `${content}a` })

    expect(made.checksum).toBe(sha256(content))
    expect(must(await get(`/documents/${made.id}`)).content === content).toBe(true)
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer: '/content', code: 'too_long' }] },
    })
  })

  test.each([
    ['Japanese text', '日'.repeat(Math.floor(mebibyte / 3))],
    ['plain letters', 'a'.repeat(mebibyte)],
    ['faces', '😀'.repeat(mebibyte / 4)],
  ])('the longest content of %s is taken with each of its characters escaped', async (_what, content) => {
    const line = '語'.repeat(200)
    const fields = { title: line, summary: line.repeat(10), folder: line, externalSource: 'erp', externalId: line }
    const tags = Array.from({ length: 50 }, (_, n) => `${n}${'語'.repeat(48)}`)
    const body = escaped({ ...fields, externalId: `${content.codePointAt(0)}${line.slice(9)}`, tags, content })

    const answer = await fetch(`${system.url}/api/v1/documents`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${tenant.secret}`, 'content-type': 'application/json' },
    })

    const made = (await answer.json()) as Body
    expect([answer.status, made.checksum]).toEqual([201, sha256(content)])
  })

  test('events show everything but the content, and tell by the checksum that it has changed', async () => {
    const before = await tenant.lastSequence()
    const { id } = await newDocument({ content: 'Old' })
    const changed = must(await patch(id, { content: 'New words' }))
    must(await patch(id, { content: 'New words' }))
    const batch = must(await post('/documents/batch', { items: [{ action: 'update', id, data: { title: 'Other' } }] }))

    const { data: events } = must(await get(`/events?after=${before}`))

    const { content: _content, ...brief } = changed
    expect(events.map(({ type }: Body) => type)).toEqual([
      'documents.created',
      'documents.updated',
      'documents.updated',
    ])
    expect(events[1].data).toEqual(brief)
    expect(Object.keys(events[1].changes).toSorted()).toEqual(['checksum', 'wordCount'])
    expect(events[1].changes.checksum).toEqual({ from: sha256('Old'), to: sha256('New words') })
    expect(batch.results).toMatchObject([{ status: 200, data: { title: 'Other', version: 3 } }])
    expect(batch.results[0].data).not.toHaveProperty('content')
    expect(JSON.stringify(events)).not.toContain('New words')
    expect(must(await get(`/documents/${id}`)).content).toBe('New words')
  })

  test('draft, published, archived and draft again; any other move is refused with those that are allowed', async () => {
    const { id } = await newDocument()

    const early = await patch(id, { status: 'archived' })
    const taken: Answer[] = []
    for (const status of ['published', 'draft', 'published', 'archived']) taken.push(await patch(id, { status }))
    const back = await patch(id, { status: 'published' })

    expect(early).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', from: 'draft', to: 'archived', allowed: ['published'] },
    })
    expect(taken.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(back).toMatchObject({ status: 409, body: { from: 'archived', allowed: ['draft'] } })
    expect(must(await patch(id, { status: 'draft' })).status).toBe('draft')
  })

  test('archived documents are listed and counted where they are asked for, by flag or by status', async () => {
    const who = await system.tenant()
    const archived = await newDocument({ title: 'Old', status: 'published' }, who)
    must(await who.api('PATCH', `/api/v1/documents/${archived.id}`, { status: 'archived' }))
    await newDocument({ title: 'New' }, who)
    const found = async (query: string): Promise<[string[], number]> => [
      await titlesIn(`/documents?sort=title&${query}`, who),
      must(await get(`/documents/count?${query}`, who)).total,
    ]

    expect(await found('')).toEqual([['New'], 1])
    expect(await found('includeArchived=false')).toEqual([['New'], 1])
    expect(await found('includeArchived=true')).toEqual([['New', 'Old'], 2])
    expect(await found('status=archived')).toEqual([['Old'], 1])
    expect(await found('status=archived,draft')).toEqual([['New', 'Old'], 2])
    expect(await found('status=!published')).toEqual([['New'], 1])
    expect(await found('status=!published&includeArchived=true')).toEqual([['New', 'Old'], 2])
    expect(must(await get(`/documents/${archived.id}`, who)).status).toBe('archived')
  })

  test('filters by folder, tags, status and project; counts by folder', async () => {
    const who = await system.tenant()
    const project = await newProject(who)
    await newDocument({ title: 'A', folder: 'handbook', tags: ['hr', 'new'], status: 'published' }, who)
    await newDocument({ title: 'B', folder: 'handbook/people', tags: ['hr'] }, who)
    await newDocument({ title: 'C', projectId: project.id }, who)
    const found = (query: string) => titlesIn(`/documents?sort=title&${query}`, who)

    expect(await found('folder=handbook')).toEqual(['A'])
    expect(await found('folder=handbook,handbook/people')).toEqual(['A', 'B'])
    expect(await found('folder=!handbook')).toEqual(['B', 'C'])
    expect(await found('tags=hr,other')).toEqual(['A', 'B'])
    expect(await found('tagsAll=hr,new')).toEqual(['A'])
    expect(await found('status=!draft')).toEqual(['A'])
    expect(await found(`projectId=${project.id}&expand=project`)).toEqual(['C'])
    expect(must(await get('/documents/count?groupBy=folder', who))).toEqual({
      total: 3,
      groups: [
        { value: 'handbook', count: 1 },
        { value: 'handbook/people', count: 1 },
        { value: null, count: 1 },
      ],
      moreGroups: 0,
    })
  })

  test.each(['/handbook', 'handbook/', 'a//b', ' a', 'a/ b', 'a\nb'])('%j is no folder', async (folder) => {
    expect(await post('/documents', { title: 'Guide', folder })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer: '/folder' }] },
    })
  })

  test('a document of both a project and a CRM entity, or of somebody else’s project, is refused', async () => {
    const [own, theirs] = [await newProject(), await newProject(await system.tenant())]

    const foreign = await post('/documents', { title: 'Guide', projectId: theirs.id })
    const both = await post('/documents', { title: 'Guide', projectId: own.id, crmEntityId: theirs.id })

    expect(foreign).toMatchObject({
      status: 422,
      body: { code: 'reference_not_found', errors: [{ pointer: '/projectId' }] },
    })
    expect(both).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer: '/crmEntityId' }] },
    })
  })

  test('documents of a deleted project are hidden in every way of reading, and come back with it', async () => {
    const who = await system.tenant()
    const project = await newProject(who)
    const external = { externalSource: 'wiki', externalId: '1' }
    const hidden = await newDocument({ title: 'Needle', projectId: project.id, ...external }, who)
    await newDocument({ title: 'Seen' }, who)
    must(await remove(`/projects/${project.id}`, who))

    const refused = [
      await get(`/documents/${hidden.id}`, who),
      await patch(hidden.id, { title: 'x' }, who),
      await remove(`/documents/${hidden.id}`, who),
      await post(`/documents/${hidden.id}/restore`, undefined, who),
      await get('/documents/by-external-id/wiki/1', who),
    ]

    expect(refused.map(({ status, body }) => `${status} ${body.code}`)).toEqual(refused.map(() => '404 not_found'))
    expect(await titlesIn('/documents?includeDeleted=true', who)).toEqual(['Seen'])
    expect(await titlesIn('/documents?q=needle', who)).toEqual([])
    expect(must(await get('/documents/count', who)).total).toBe(1)
    must(await post(`/projects/${project.id}/restore`, undefined, who))
    expect(must(await get(`/documents/${hidden.id}`, who))).toEqual(hidden)
  })

  test('documents of an archived project are read, not changed', async () => {
    const [project, open] = [await newProject(), await newProject()]
    const document = await newDocument({ projectId: project.id, content: 'Kept' })
    const elsewhere = await newDocument({ projectId: open.id })
    must(await post(`/projects/${project.id}/archive`))

    const refused = [
      await post('/documents', { title: 'x', projectId: project.id }),
      await patch(document.id, { title: 'x' }),
      await patch(document.id, { projectId: null }),
      await patch(elsewhere.id, { projectId: project.id }),
      await post(`/documents/${document.id}/edit`, { edits: [{ find: 'Kept', replace: 'x' }] }),
      await remove(`/documents/${document.id}`),
    ]

    expect(refused.map(({ status, body }) => `${status} ${body.code}`)).toEqual(
      refused.map(() => '409 project_archived'),
    )
    expect(must(await get(`/documents/${document.id}`))).toEqual(document)
  })

  test('a deleted document is restored with its content', async () => {
    const document = await newDocument({ content: 'Kept' })
    must(await remove(`/documents/${document.id}`))

    const back = must(await post(`/documents/${document.id}/restore`))

    expect(back).toMatchObject({ content: 'Kept', version: 3, deletedAt: null })
  })

  test('an upsert by an id of the caller’s makes a document once, and changes it then', async () => {
    const path = '/api/v1/documents/by-external-id/wiki/upserted'

    const made = await tenant.api('PUT', path, { title: 'Guide', content: 'One' })
    const changed = await tenant.api('PUT', path, { title: 'Guide', content: 'Two' })

    expect([made.status, changed.status]).toEqual([201, 200])
    expect(changed.body).toMatchObject({ id: made.body.id, content: 'Two', version: 2 })
  })

  const guide = '# Guide\n\nIntro.\n\n## Opening hours\n\n9 to 17.\n\n## Contact\n\nCall us.\n'

  test('a part is read by its heading, its number or its lines, with the outline and the version', async () => {
    const { id } = await newDocument({ content: guide })

    const whole = await get(`/documents/${id}/content`)
    const named = must(await get(`/documents/${id}/content?section=${encodeURIComponent('## opening hours')}`))
    const numbered = must(await get(`/documents/${id}/content?section=1.1`))
    const lines = must(await get(`/documents/${id}/content?fromLine=9&maxBytes=100`))
    const none = await get(`/documents/${id}/content?section=Opening%20hour`)

    expect(whole).toMatchObject({
      status: 200,
      body: { id, object: 'document_content', version: 1, title: 'Guide', text: guide, totalLines: 11, totalBytes: 66 },
    })
    expect(whole.headers.get('etag')).toBe('"1"')
    expect(
      whole.body.outline.map((each: Body) => `${each.section} ${each.title} ${each.fromLine}-${each.toLine}`),
    ).toEqual(['1 Guide 1-11', '1.1 Opening hours 5-8', '1.2 Contact 9-11'])
    expect(named).toMatchObject({ text: '## Opening hours\n\n9 to 17.\n\n', fromLine: 5, toLine: 8, nextLine: null })
    expect(numbered).toEqual(named)
    expect(lines).toMatchObject({ text: '## Contact\n\nCall us.\n', headingCount: 3 })
    expect(none).toMatchObject({
      status: 400,
      body: { code: 'invalid_parameter', errors: [{ parameter: 'section', code: 'not_found' }] },
    })
    expect(none.body.detail).toContain('Did you mean `Opening hours`?')
  })

  test('an edit is a change of the content: a version, an event, and an answer without the content', async () => {
    const { id } = await newDocument({ content: guide })
    const before = await tenant.lastSequence()
    const edits = [
      { find: '9 to 17.', replace: '8 to 18.' },
      { find: 'us', replace: 'Ada', all: true },
    ]

    const done = must(await post(`/documents/${id}/edit`, { edits }))
    const same = must(await post(`/documents/${id}/edit`, { edits: [{ find: 'Ada', replace: 'Ada' }] }))

    const { content, ...brief } = must(await get(`/documents/${id}`))
    expect(content).toBe(guide.replace('9 to 17.', '8 to 18.').replace('us', 'Ada'))
    expect(done).toEqual({ ...brief, replacements: [1, 1] })
    expect(done).toMatchObject({ version: 2, wordCount: 10, checksum: sha256(content) })
    expect(same).toMatchObject({ version: 2, replacements: [1] })
    const { data: events } = must(await get(`/events?after=${before}`))
    expect(events.map(({ type, changes }: Body) => [type, Object.keys(changes)])).toEqual([
      ['documents.updated', ['checksum']],
    ])
  })

  test('edits that do not all fit change nothing, and neither do those of another version', async () => {
    const { id } = await newDocument({ content: guide })
    const edit = (body: object, headers = {}) => tenant.api('POST', `/api/v1/documents/${id}/edit`, body, headers)
    const good = { find: 'Intro.', replace: '' }

    const refused = [
      await edit({ edits: [good, { find: 'opening hours', replace: '' }] }),
      await edit({ edits: [good, { find: '\n\n', replace: '' }] }),
      await edit({ section: 'Contact', edits: [good] }),
      await edit({ edits: [good] }, { 'if-match': '"2"' }),
    ]

    expect(refused.map(({ status, body }) => [status, body.errors?.[0].pointer, body.errors?.[0].code])).toEqual([
      [422, '/edits/1/find', 'not_found'],
      [422, '/edits/1/find', 'not_unique'],
      [422, '/edits/0/find', 'not_found'],
      [412, undefined, undefined],
    ])
    expect(refused[1]?.body.detail).toContain('Occurs 6 times, first in lines 1, 2 and 3')
    expect(must(await get(`/documents/${id}`))).toMatchObject({ content: guide, version: 1 })
    expect(must(await edit({ edits: [good] }, { 'if-match': '"1"' })).version).toBe(2)
  })
})
