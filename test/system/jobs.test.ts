// Jobs, as callers see them. Operations: jobs.create, jobs.list, jobs.get, jobs.cancel, jobs.result,
// jobs.refusals.
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { describeMode, describeModes, must, sharedSystem, type Tenant } from '../support/system.ts'

const jobs = '/api/v1/jobs'

/** Resolves with the job once it has ended. */
const ended = (tenant: Tenant, id: string) =>
  eventually(async () => {
    const job = must(await tenant.api('GET', `${jobs}/${id}`))
    return job.endedAt === null ? undefined : job
  }, `the end of job ${id}`)

describeModes('an export', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  async function download(path: string, headers: Record<string, string> = {}) {
    const authorization = `Bearer ${tenant.secret}`
    const response = await fetch(`${system.url}${jobs}/${path}`, { headers: { authorization, ...headers } })
    return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const linesIn = (bytes: Buffer): Record<string, unknown>[] =>
    gunzipSync(bytes)
      .toString()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)

  test('has every object as the API shows it, once, between the position of the feed and the counts', async () => {
    const make = async (path: string, body: object) => must(await tenant.api('POST', `/api/v1${path}`, body))
    const field = await make('/custom-fields', { target: 'task', key: 'size', label: 'Size', type: 'number' })
    const project = await make('/projects', { name: 'Website', key: 'WEB' })
    const archived = await make('/projects', { name: 'Done', key: 'DONE' })
    must(await tenant.api('POST', `/api/v1/projects/${archived.id}/archive`))
    const task = await make('/tasks', {
      projectId: project.id,
      title: 'Ünïcode "quoted" 税',
      customFields: { size: 3 },
    })
    const gone = await make('/tasks', { projectId: project.id, title: 'Deleted' })
    must(await tenant.api('DELETE', `/api/v1/tasks/${gone.id}`))
    const comment = await make(`/tasks/${task.id}/comments`, { body: 'Done?' })
    const document = await make('/documents', { title: 'Handbook', content: '# Welcome' })
    const many = Array.from({ length: 100 }, (_, at) => ({
      action: 'create',
      data: { kind: 'company', name: `C${at}` },
    }))
    for (let time = 0; time < 3; time += 1) await make('/crm-entities/batch', { items: many })
    const { upload: _upload, ...file } = await make('/files', { name: 'plan.txt', bytes: 3 })
    const sequence = await tenant.lastSequence()

    const started = await make('/jobs', { kind: 'export' })
    const job = await ended(tenant, started.id)
    const { status, headers, bytes } = await download(`${job.id}/result`, { accept: 'application/gzip' })

    expect(started).toMatchObject({ status: 'queued', total: 0, done: 0, result: null, sequence, expiresAt: null })
    expect(job).toMatchObject({ status: 'completed', failure: null, result: { bytes: bytes.length } })
    expect([status, headers.get('content-type'), headers.get('content-length')]).toEqual([
      200,
      'application/gzip',
      String(bytes.length),
    ])
    expect(headers.get('content-disposition')).toBe(`attachment; filename="export-${job.id}.ndjson.gz"`)
    const [first, ...rows] = linesIn(bytes)
    const last = rows.pop()
    expect(first).toMatchObject({ object: 'export', id: job.id, workspaceId: tenant.workspaceId, sequence })
    expect(rows).toHaveLength(job.total)
    expect(job).toMatchObject({ done: job.total, result: { rows: job.total + 2 } })
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
    const counts = {
      files: 1,
      'crm-entities': 300,
      projects: 2,
      tasks: 1,
      documents: 1,
      comments: 1,
      'custom-fields': 1,
    }
    expect(last).toMatchObject({ object: 'export_end', counts })
    const shown = (id: string) => rows.find((row) => row['id'] === id)
    expect(shown(field.id)).toEqual(field)
    expect(shown(task.id)).toEqual(task)
    expect(shown(comment.id)).toEqual(comment)
    expect(shown(file.id)).toEqual(file)
    expect(shown(document.id)).toEqual(document)
    expect(shown(archived.id)).toMatchObject({ archivedAt: expect.any(String) })
  })

  test('is downloaded in parts, which together are the whole, and not beyond its end', async () => {
    const { id } = must(await tenant.api('POST', jobs, { kind: 'export', resources: ['members'] }))
    await ended(tenant, id)
    const whole = await download(`${id}/result`)
    const size = whole.bytes.length
    const etag = whole.headers.get('etag') ?? ''

    const part = async (range: string, more = {}) => download(`${id}/result`, { range, ...more })
    const [begin, rest, tail] = await Promise.all([part('bytes=0-11'), part('bytes=12-'), part('bytes=-4')])

    expect(Buffer.concat([begin.bytes, rest.bytes])).toEqual(whole.bytes)
    expect(tail.bytes).toEqual(whole.bytes.subarray(-4))
    expect([begin.status, begin.headers.get('content-range')]).toEqual([206, `bytes 0-11/${size}`])
    const beyond = await part(`bytes=${size}-`)
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${size}`])
    expect(JSON.parse(beyond.bytes.toString())).toMatchObject({ code: 'range_not_satisfiable', bytes: size })
    expect((await part('bytes=0-1', { 'if-range': '"other"' })).bytes).toEqual(whole.bytes)
    expect((await part('bytes=0-1,4-5')).bytes).toEqual(whole.bytes)
    expect((await download(`${id}/result`, { 'if-none-match': etag })).status).toBe(304)
    expect((await download(`${id}/result`, { accept: 'text/html' })).status).toBe(406)
  })

  test('has what its key may read; keys that may not read that see neither job nor result', async () => {
    const reader = await tenant.key(['jobs:write', 'tasks:read'])
    const other = await tenant.key(['jobs:write', 'projects:read'])

    const refused = await reader.api('POST', jobs, { kind: 'export', resources: ['tasks', 'members'] })
    const job = must(await reader.api('POST', jobs, { kind: 'export' }))
    await ended(tenant, job.id)

    expect(refused).toMatchObject({ status: 403, body: { requiredScopes: ['members:read'] } })
    expect(job).toMatchObject({ request: { resources: ['tasks', 'comments'] }, scopes: ['tasks:read'] })
    for (const path of [job.id, `${job.id}/result`])
      expect(await other.api('GET', `${jobs}/${path}`)).toMatchObject({
        status: 403,
        body: { code: 'insufficient_scope' },
      })
    const idsFor = async (who: Tenant) => must(await who.api('GET', jobs)).data.map(({ id }: { id: string }) => id)
    expect(await idsFor(reader)).toContain(job.id)
    expect(await idsFor(other)).not.toContain(job.id)
  })
})

// What is asked for is judged before anything runs.
describeMode('a job that changes objects', 'standalone', (mode) => {
  const { tenant } = sharedSystem(mode)
  const start = (body: object, who: Tenant = tenant) => who.api('POST', jobs, body)
  const update = { kind: 'update', resource: 'tasks', filter: { labels: ['old'] }, changes: { priority: 'low' } }

  test.each([
    ['a field of another kind', { kind: 'export', filter: { q: 'xx' } }, '/filter', 'not_in_list'],
    ['a dry run of an export', { kind: 'export', dryRun: true }, '/dryRun', 'not_in_list'],
    ['no filter', { kind: 'delete', resource: 'tasks' }, '/filter', 'required'],
    ['an empty filter', { ...update, filter: {} }, '/filter', 'too_short'],
    ['no confirmation', update, '/confirmedTotal', 'required'],
    ['an unknown filter', { ...update, filter: { stauts: ['done'] } }, '/filter/stauts', 'unknown'],
    ['what is no filter', { ...update, filter: { limit: 5 } }, '/filter/limit', 'unknown'],
    ['a value that no filter takes', { ...update, filter: { status: ['dne'] } }, '/filter/status', 'not_in_list'],
    ['an unknown custom field', { ...update, filter: { customFields: { nope: { eq: ['1'] } } } }, /^\/filter/, /./],
    ['an unknown change', { ...update, changes: { prioritty: 'low' } }, '/changes/prioritty', 'unknown'],
    ['a change of the id', { ...update, changes: { id: 'x' } }, '/changes/id', 'unknown'],
    ['a value that no field takes', { ...update, changes: { priority: 'none?' } }, '/changes/priority', 'not_in_list'],
  ])('with %s is refused there', async (_what, body, pointer, code) => {
    const { status, body: problem } = await start(body)

    expect(status).toBe(422)
    expect(problem.errors[0]).toMatchObject({
      pointer: typeof pointer === 'string' ? pointer : expect.stringMatching(pointer),
      code: typeof code === 'string' ? code : expect.stringMatching(code),
    })
  })

  test('needs the scopes of what it does, counts without doing, and deletes what matches with an event for each', async () => {
    const project = must(await tenant.api('POST', '/api/v1/projects', { name: 'Old', key: 'OLD' }))
    const make = async (labels: string[]) =>
      must(await tenant.api('POST', '/api/v1/tasks', { projectId: project.id, title: 'Task', labels }))
    const [kept] = [await make(['new']), await make(['old']), await make(['old'])]
    const request = { resource: 'tasks', filter: { labels: ['old'], projectId: ['OLD'] } }
    const asked = { kind: 'delete', ...request }
    const writer = await tenant.key(['jobs:write', 'tasks:write'])
    const sequence = await tenant.lastSequence()

    const refused = await start({ ...asked, dryRun: true }, writer)
    const estimate = must(await start({ ...asked, dryRun: true }))
    const job = await ended(tenant, must(await start({ ...asked, confirmedTotal: estimate.total })).id)

    expect(refused).toMatchObject({ status: 403, body: { requiredScopes: ['tasks:delete'] } })
    expect(estimate).toMatchObject({ object: 'job_estimate', kind: 'delete', request, total: 2 })
    expect(job).toMatchObject({
      status: 'completed',
      total: 2,
      done: 2,
      refused: 0,
      scopes: ['tasks:write', 'tasks:delete'],
    })
    const { data } = must(await tenant.api('GET', '/api/v1/tasks?projectId=OLD'))
    expect(data.map(({ id }: { id: string }) => id)).toEqual([kept.id])
    const told = await eventually(async () => {
      const types = await tenant.eventTypesAfter(sequence)
      return types.includes('jobs.finished') && types
    }, 'the end of the job')
    expect(told).toEqual(['tasks.deleted', 'tasks.deleted', 'jobs.finished'])
    expect((await tenant.api('GET', `${jobs}/${job.id}/refusals`)).status).toBe(404)
  })
})

describeModes('an import from a file', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  const announce = async (bytes: Buffer) =>
    must(await tenant.api('POST', '/api/v1/files', { name: 'rows.gz', bytes: bytes.length }))
  const start = (more: object, who: Tenant = tenant) =>
    who.api('POST', jobs, { kind: 'import', resource: 'projects', format: 'ndjson', ...more })

  test('takes each of its rows once, and keeps those that are refused', async () => {
    const rows = Array.from({ length: 250 }, (_, at) => JSON.stringify(at === 120 ? { name: 1 } : { name: `P${at}` }))
    const bytes = gzipSync(rows.join('\n'))
    const { id, upload } = await announce(bytes)
    const early = await start({ fileId: id })
    await fetch(system.url + upload.url, { method: 'PUT', body: new Uint8Array(bytes) })

    const job = await ended(tenant, must(await start({ fileId: id })).id)

    expect(early).toMatchObject({ status: 409, body: { code: 'file_not_available', fileStatus: 'awaiting_upload' } })
    expect(job).toMatchObject({
      status: 'completed',
      total: 250,
      done: 250,
      refused: 1,
      request: { fileId: id },
      refusals: { rows: 1 },
    })
    expect(job.scopes).toEqual(['projects:write', 'files:read'])
    expect(must(await tenant.api('GET', '/api/v1/projects/count')).total).toBe(249)
  })

  test('needs a file that is there and may be read, and no other rows beside it', async () => {
    const { id } = await announce(Buffer.from('{}'))
    const writer = await tenant.key(['jobs:write', 'projects:write'])
    const pointed = (pointer: string) => ({ status: 422, body: { errors: [{ pointer }] } })

    expect(await start({})).toMatchObject(pointed('/text'))
    expect(await start({ fileId: id, text: '{}' })).toMatchObject(pointed('/fileId'))
    expect(await start({ fileId: tenant.workspaceId })).toMatchObject({
      ...pointed('/fileId'),
      body: { code: 'reference_not_found' },
    })
    expect(await start({ fileId: id }, writer)).toMatchObject({ status: 403, body: { requiredScopes: ['files:read'] } })
  })
})
