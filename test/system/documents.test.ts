// What an integrator relies on when reading and writing documents.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { describeMode, describeOnce, must, sharedSystem, type Tenant } from '../support/system.ts'
import { callsOf, told, type Body } from './calls.ts'

const mebibyte = 1024 * 1024
const guide = '# Guide\n\nIntro.\n\n## Opening hours\n\n9 to 17.\n\n## Contact\n\nCall us.\n'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** JSON with each character of its texts written as \uXXXX. */
const escaped = (value: object): string =>
  JSON.stringify(value).replaceAll(/"([^"]*)"/g, (_, text: string) => `"${text.replaceAll(/[^]/g, inHex)}"`)
const inHex = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

function documentsOf(tenant: Tenant) {
  const calls = callsOf(tenant)
  const { call, get, post, listed } = calls
  return {
    ...calls,
    create: (body: object = {}) => post('/documents', { title: 'Guide', ...body }),
    project: async (): Promise<string> => (await post('/projects', { name: 'Website' })).id,
    read: (id: string) => get(`/documents/${id}`),
    change: (id: string, body: object) => call('PATCH', `/documents/${id}`, body),
    edit: (id: string, body: object, headers = {}) => call('POST', `/documents/${id}/edit`, body, headers),
    /** What a list shows, in the order of titles, and what is counted. */
    found: async (query: string): Promise<[string, number]> => [
      (await listed(`/documents?sort=title&${query}`, 'title')).join(' '),
      (await get(`/documents/count?${query}`)).total,
    ],
  }
}

describeOnce('documents', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  const fresh = async () => documentsOf(await system.tenant())

  test('a list leaves the content out, unless it is asked for by name', async () => {
    const { create, get, call } = await fresh()
    const { content: _content, ...brief } = await create({ content: 'Long' })

    const [usual, asked] = [await get('/documents'), await get('/documents?fields=title,content')]
    const refused = await call('GET', '/documents?fields=content&limit=21')

    expect(usual.data).toEqual([brief])
    expect(asked).toMatchObject({ data: [{ title: 'Guide', content: 'Long' }], page: { limit: 20 } })
    expect(told(refused)).toBe('400 invalid_parameter limit too_large')
  })

  test('events show everything but the content, and tell by the checksum that it has changed', async () => {
    const { create, read, change, edit, post, eventsAfter } = documentsOf(tenant)
    const before = await tenant.lastSequence()
    const { id } = await create({ content: 'Old' })
    const { content, ...changed } = must(await change(id, { content: 'New words, of us' }))
    must(await change(id, { content }))
    const items = [{ action: 'update', id, data: { title: 'Other' } }]
    const { results } = await post('/documents/batch', { items })
    const edits = [
      { find: 'New', replace: 'Old' },
      { find: 'us', replace: 'Ada', all: true },
    ]
    const done = must(await edit(id, { edits }))
    const same = must(await edit(id, { edits: [{ find: 'Ada', replace: 'Ada' }] }))

    const events = await eventsAfter(before)
    const { content: edited, ...brief } = await read(id)

    expect(events.map(({ type, changes }) => [type, ...Object.keys(changes).toSorted()])).toEqual([
      ['documents.created'],
      ['documents.updated', 'checksum', 'wordCount'],
      ['documents.updated', 'title'],
      ['documents.updated', 'checksum'],
    ])
    expect(events[1]).toMatchObject({
      data: changed,
      changes: { checksum: { from: sha256('Old'), to: sha256(content) } },
    })
    expect(results).toMatchObject([{ status: 200, data: { title: 'Other', version: 3 } }])
    expect(results[0].data).not.toHaveProperty('content')
    expect(JSON.stringify(events)).not.toContain(content)
    expect(edited).toBe('Old words, of Ada')
    expect(done).toEqual({ ...brief, replacements: [1, 1] })
    expect(done).toMatchObject({ version: 4, wordCount: 4, checksum: sha256(edited) })
    expect(same).toMatchObject({ version: 4, replacements: [1] })
  })

  test('a document leaves the archive as a draft alone', async () => {
    const { create, change } = await fresh()
    const old = await create({ title: 'Z', status: 'published' })
    must(await change(old.id, { status: 'archived' }))

    const { status, body } = await change(old.id, { status: 'published' })

    const refusal = { code: 'invalid_transition', from: 'archived', to: 'published', allowed: ['draft'] }
    expect([status, body]).toMatchObject([409, refusal])
  })

  test('documents of a deleted project are hidden, and come back with it; one that was deleted itself, with its content', async () => {
    const { create, project, call, remove, post, change, found, read } = await fresh()
    const projectId = await project()
    const own = { externalSource: 'wiki', externalId: '1' }
    const hidden = await create({ title: 'Needle', projectId, content: 'Kept', ...own })
    await remove(`/projects/${projectId}`)

    const refused = [
      await call('GET', `/documents/${hidden.id}`),
      await change(hidden.id, { title: 'x' }),
      await call('DELETE', `/documents/${hidden.id}`),
      await call('POST', `/documents/${hidden.id}/restore`),
      await call('GET', '/documents/by-external-id/wiki/1'),
    ]

    expect(refused.map(told)).toEqual(refused.map(() => '404 not_found'))
    expect(await found('q=needle')).toEqual(['', 0])
    await post(`/projects/${projectId}/restore`)
    expect(await read(hidden.id)).toEqual(hidden)
    await remove(`/documents/${hidden.id}`)
    expect(await post(`/documents/${hidden.id}/restore`)).toMatchObject({ content: 'Kept', version: 3 })
  })

  test('documents of an archived project are read, not changed', async () => {
    const { create, project, call, post, change, edit, read } = documentsOf(tenant)
    const [projectId, open] = [await project(), await project()]
    const document = await create({ projectId, content: 'Kept' })
    const elsewhere = await create({ projectId: open })
    await post(`/projects/${projectId}/archive`)

    const refused = [
      await call('POST', '/documents', { title: 'x', projectId }),
      await change(document.id, { title: 'x' }),
      await change(document.id, { projectId: null }),
      await change(elsewhere.id, { projectId }),
      await edit(document.id, { edits: [{ find: 'Kept', replace: 'x' }] }),
      await call('DELETE', `/documents/${document.id}`),
    ]

    expect(refused.map(told)).toEqual(refused.map(() => '409 project_archived'))
    expect(await read(document.id)).toEqual(document)
  })
})

describeMode('the text of a document', 'standalone', () => {
  const { system, tenant } = sharedSystem('standalone')
  const { create, call, get, edit, read } = documentsOf(tenant)

  test.each([
    ['Japanese text', '日'.repeat(Math.floor(mebibyte / 3))],
    ['plain letters', 'a'.repeat(mebibyte)],
    ['faces', '😀'.repeat(mebibyte / 4)],
  ])(
    'the longest content of %s is taken, escaped as well, and given back unchanged; one byte more is refused',
    async (_what, content) => {
      const line = '語'.repeat(200)
      const tags = Array.from({ length: 50 }, (_, n) => `${n}${'語'.repeat(48)}`)

      const answer = await fetch(`${system.url}/api/v1/documents`, {
        method: 'POST',
        body: escaped({ title: line, summary: line.repeat(10), folder: line, tags, content }),
        headers: { authorization: `Bearer ${tenant.secret}`, 'content-type': 'application/json' },
      })

      const made = (await answer.json()) as Body
      const more = await call('POST', '/documents', { title: 'Guide', content: `${content}bc` })
      expect([answer.status, made.checksum]).toEqual([201, sha256(content)])
      expect((await read(made.id)).content === content).toBe(true)
      expect(told(more)).toBe('422 validation_failed /content too_long')
    },
  )

  test.each(['/handbook', 'handbook/', 'a//b', ' a', 'a/ b', 'a\nb'])('%j is no folder', async (folder) => {
    expect(told(await call('POST', '/documents', { title: 'Guide', folder }))).toMatch(
      /^422 validation_failed \/folder /,
    )
  })

  test('a part is read by its heading, its number or its lines, with the outline and the version', async () => {
    const { id } = await create({ content: guide })
    const part = (query: string) => call('GET', `/documents/${id}/content?${query}`)

    const named = await part(`section=${encodeURIComponent('## opening hours')}`)
    const lines = await get(`/documents/${id}/content?fromLine=9&maxBytes=100`)
    const none = await part('section=Opening%20hour')
    const whole = must(await part(''))

    const text = '## Opening hours\n\n9 to 17.\n\n'
    expect(named.body).toMatchObject({ id, version: 1, title: 'Guide', text, fromLine: 5, toLine: 8, totalLines: 11 })
    expect(named.headers.get('etag')).toBe('"1"')
    expect(must(await part('section=1.1'))).toEqual(named.body)
    expect([lines.text, whole.text]).toEqual(['## Contact\n\nCall us.\n', guide])
    const outline: string[] = whole.outline.map(({ section, title }: Body) => `${section} ${title}`)
    expect(outline).toEqual(['1 Guide', '1.1 Opening hours', '1.2 Contact'])
    expect(told(none)).toBe('400 invalid_parameter section not_found')
    expect(none.body.errors[0].detail).toContain('`Opening hours`?')
  })

  test('edits that do not all fit change nothing, and neither do those of another version', async () => {
    const { id } = await create({ content: guide })
    const good = { find: 'Intro.', replace: '' }

    const refused = [
      await edit(id, { edits: [good, { find: '\n\n', replace: '' }] }),
      await edit(id, { section: 'Contact', edits: [good] }),
      await edit(id, { edits: [good] }, { 'if-match': '"2"' }),
    ]

    expect(refused.map(told)).toEqual([
      '422 validation_failed /edits/1/find not_unique',
      '422 validation_failed /edits/0/find not_found',
      '412 version_mismatch',
    ])
    expect(await read(id)).toMatchObject({ content: guide, version: 1 })
    expect(must(await edit(id, { edits: [good] }, { 'if-match': '"1"' })).version).toBe(2)
  })
})
