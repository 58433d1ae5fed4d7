// If-Match and If-None-Match mean what RFC 9110 says, for every operation: 304 means that the whole answer is as it
// was. An object's version covers its own fields, but not expansions or counts that change without it.
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { changes, methodOf, pathOf, type Operation } from '#contract/operation.ts'
import { parameterNames, pathFor } from '#contract/route-paths.ts'
import { missingId, neededBy } from '../support/client.ts'
import { sampleInput } from '../support/sample-value.ts'
import { describeModes, must, sharedSystem, type Answer } from '../support/system.ts'

type Body = Answer['body']
/** Makes what is read; gives its path and how to change what `expand` shows of it. */
type Story = (given: Given) => Promise<{ readonly path: string; readonly change: () => Promise<Answer> }>
type Given = {
  readonly make: (segment: string, body: object) => Promise<Body>
  readonly patch: (segment: string, id: string, body: object) => Promise<Answer>
  readonly member: () => Promise<{ readonly id: string; readonly rename: () => Promise<Answer> }>
}

const expanding = operations.filter(({ name, input }) => name.endsWith('.get') && 'expand' in input.properties)
const partsOf = ({ properties }: (typeof expanding)[number]['input']): readonly string[] =>
  (properties['expand'] as unknown as { items: { enum: string[] } }).items.enum
const parts = expanding.flatMap(({ name, input }) => partsOf(input).map((part) => `${name.split('.')[0]} ${part}`))

const ofMember =
  (segment: string, body: object, field: (id: string) => object): Story =>
  async ({ make, member }) => {
    const { id, rename } = await member()
    const made = await make(segment, { ...body, ...field(id) })
    return { path: `/${segment}/${made.id}`, change: rename }
  }

const ofCompany =
  (segment: string, body: object, field: (id: string) => object): Story =>
  async ({ make, patch }) => {
    const company = await make('crm-entities', { kind: 'company', name: 'Initech' })
    const { id } = await make(segment, { ...body, ...field(company.id) })
    return { path: `/${segment}/${id}`, change: () => patch('crm-entities', company.id, { name: 'Initrode' }) }
  }

/** Of a task: something of a project that it is in, or of a task beside it. */
const ofTask =
  (segment: 'projects' | 'tasks', field: (id: string) => object): Story =>
  async ({ make, patch }) => {
    const project = await make('projects', { name: 'Website' })
    const beside = await make('tasks', { projectId: project.id, title: 'Beside' })
    const { id } = await make('tasks', { projectId: project.id, title: 'Paint', ...field(beside.id) })
    const [other, body] = segment === 'tasks' ? [beside, { title: 'Aside' }] : [project, { name: 'Webshop' }]
    return { path: `/tasks/${id}`, change: () => patch(segment, other.id, body) }
  }

const inProject = async ({ make }: Given) => ({ projectId: (await make('projects', { name: 'Website' })).id })

const cases: Readonly<Record<string, Story>> = {
  'projects owner': ofMember('projects', { name: 'Website' }, (ownerId) => ({ ownerId })),
  'projects members': ofMember('projects', { name: 'Website' }, (id) => ({ memberIds: [id] })),
  'projects company': ofCompany('projects', { name: 'Website' }, (companyId) => ({ companyId })),
  'projects taskCounts': async (given) => {
    const { projectId } = await inProject(given)
    const { id } = await given.make('tasks', { projectId, title: 'Paint' })
    return { path: `/projects/${projectId}`, change: () => given.patch('tasks', id, { status: 'done' }) }
  },
  'tasks project': ofTask('projects', () => ({})),
  'tasks assignees': async (given) =>
    ofMember('tasks', { ...(await inProject(given)), title: 'Paint' }, (id) => ({ assigneeIds: [id] }))(given),
  'tasks parentTask': ofTask('tasks', (parentTaskId) => ({ parentTaskId })),
  'tasks blockedBy': ofTask('tasks', (id) => ({ blockedByIds: [id] })),
  'tasks crmEntities': async (given) =>
    ofCompany('tasks', { ...(await inProject(given)), title: 'Paint' }, (id) => ({ crmEntityIds: [id] }))(given),
  'crm-entities owner': ofMember('crm-entities', { kind: 'company', name: 'Acme' }, (ownerId) => ({ ownerId })),
  'crm-entities company': ofCompany('crm-entities', { kind: 'deal', name: 'Renewal' }, (companyId) => ({ companyId })),
  'crm-entities parentCompany': ofCompany('crm-entities', { kind: 'company', name: 'Branch' }, (parentCompanyId) => ({
    parentCompanyId,
  })),
  'crm-entities contacts': async ({ make, patch }) => {
    const contact = await make('crm-entities', { kind: 'contact', lastName: 'Lovelace' })
    const { id } = await make('crm-entities', { kind: 'deal', name: 'Renewal', contactIds: [contact.id] })
    return { path: `/crm-entities/${id}`, change: () => patch('crm-entities', contact.id, { lastName: 'Hopper' }) }
  },
  'documents project': async ({ make, patch }) => {
    const project = await make('projects', { name: 'Website' })
    const { id } = await make('documents', { title: 'Manual', content: '', projectId: project.id })
    return { path: `/documents/${id}`, change: () => patch('projects', project.id, { name: 'Webshop' }) }
  },
  'documents crmEntity': ofCompany('documents', { title: 'Manual', content: '' }, (crmEntityId) => ({ crmEntityId })),
}

describeModes('ETags', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const ask = (method: string, path: string, body?: object, headers?: Record<string, string>) =>
    tenant.api(method, `/api/v1${path}`, body, headers)
  const tagOf = ({ headers }: Answer): string => headers.get('etag') ?? ''
  const unless = (etag: string) => ({ 'if-none-match': etag })
  const given = (): Given => ({
    make: async (segment, body) => must(await ask('POST', `/${segment}`, body)),
    patch: (segment, id, body) => ask('PATCH', `/${segment}/${id}`, body),
    member: async () => {
      const email = `${crypto.randomUUID()}@example.com`
      const { id } = must(await tenant.settings('POST', '/members', { name: 'Grace', email }))
      return { id, rename: () => tenant.settings('PATCH', `/members/${id}`, { name: 'Ada' }) }
    },
  })

  test('every part that can be expanded has a case here', () => {
    expect(Object.keys(cases).toSorted()).toEqual(parts.toSorted())
  })

  test.each(parts)('%s: 304 until what is expanded changes', async (part) => {
    const { path, change } = await cases[part]!(given())
    const expanded = `${path}?expand=${part.split(' ')[1]}`
    const first = await ask('GET', expanded)
    const again = await ask('GET', expanded, undefined, unless(tagOf(first)))

    must(await change())
    const changed = await ask('GET', expanded, undefined, unless(tagOf(first)))

    expect([first.status, again.status, tagOf(again)]).toEqual([200, 304, tagOf(first)])
    expect([changed.status, changed.body.version]).toEqual([200, first.body.version])
    expect(changed.body).not.toEqual(first.body)
    expect(tagOf(changed)).not.toBe(tagOf(first))
  })

  test('the ETag of an object without expansions does not cover expansions', async () => {
    const { path } = await cases['projects taskCounts']!(given())
    const plain = tagOf(await ask('GET', path))
    const [counts, owner] = ['taskCounts', 'owner'].map((part) => `${path}?expand=${part}`) as [string, string]

    expect(plain).toBe('"1"')
    expect((await ask('GET', path, undefined, unless(plain))).status).toBe(304)
    expect((await ask('GET', counts, undefined, unless(plain))).status).toBe(200)
    expect((await ask('GET', owner, undefined, unless(tagOf(await ask('GET', counts))))).status).toBe(200)
  })

  test('the ETag of an answer with expansions is a precondition on the object’s version', async () => {
    const { path } = await cases['projects taskCounts']!(given())
    const etag = tagOf(await ask('GET', `${path}?expand=taskCounts`))

    const first = await ask('PATCH', path, { name: 'First' }, { 'if-match': etag })
    const second = await ask('PATCH', path, { name: 'Second' }, { 'if-match': etag })

    expect([first.status, second.status, second.body.code]).toEqual([200, 412, 'version_mismatch'])
  })

  test('a read by external id gives the same answer with the same ETag', async () => {
    const { path } = await cases['projects taskCounts']!(given())
    must(await ask('PATCH', path, { externalSource: 'crm', externalId: '1' }))
    const [one, other] = [path, '/projects/by-external-id/crm/1'].map((each) => `${each}?expand=taskCounts`)
    const etag = tagOf(await ask('GET', one!))

    expect(etag).toMatch(/^"2-[0-9a-f]{16}"$/)
    expect((await ask('GET', other!, undefined, unless(etag))).status).toBe(304)
  })

  test('some fields of an object are shown by lists only, and lists have no ETag', async () => {
    const { path } = await cases['projects taskCounts']!(given())

    const list = await ask('GET', '/projects?fields=name&expand=taskCounts', undefined, unless('"1"'))
    const one = await ask('GET', `${path}?fields=name`)

    expect([list.status, list.headers.get('etag')]).toEqual([200, null])
    expect([one.status, one.body.code]).toEqual([400, 'unknown_parameter'])
  })

  test('a webhook is 304 until its statistics change, and a key until its use does', async () => {
    const { workspaceId } = tenant
    const hook = { name: 'Idle', url: 'https://example.com/', eventTypes: ['tasks.*'] }
    const webhook = must(await ask('POST', '/webhooks', hook)).id as string
    const { keyId } = await tenant.key(['tasks:read'])
    const read = async (path: string, etag?: string) => {
      const answer = await tenant.settings('GET', path, undefined, etag === undefined ? {} : unless(etag))
      return { ...answer, etag: tagOf(answer) }
    }
    const paths = [`/webhooks/${webhook}`, `/api-keys/${keyId}`]
    const first = await Promise.all(paths.map((path) => read(path)))
    const again = await Promise.all(paths.map((path, at) => read(path, first[at]!.etag)))

    await system.db.webhookHealth.create({ data: { workspaceId, webhookId: webhook, consecutiveFailures: 3 } })
    await system.db.apiKey.updateMany({ where: { workspaceId, id: keyId }, data: { lastUsedIp: '::1' } })
    const changed = await Promise.all(paths.map((path, at) => read(path, first[at]!.etag)))

    expect([...first, ...again, ...changed].map(({ status }) => status)).toEqual([200, 200, 304, 304, 200, 200])
    expect(changed.map(({ body }) => body)).toMatchObject([{ consecutiveFailures: 3 }, { lastUsedIp: '::1' }])
  })
})

const isConditional = ({ input }: Operation): boolean => 'expectedVersion' in input.properties
const ofOne = (operation: Operation): boolean => parameterNames(pathOf(operation)).join() === 'id'
const changing = operations.filter((each) => each.audiences.includes('api') && changes(each))

describeModes('preconditions', (mode) => {
  const { tenant } = sharedSystem(mode)

  const project = async (): Promise<string> =>
    `/api/v1/projects/${must(await tenant.api('POST', '/api/v1/projects', { name: 'Website' })).id}`
  const call = (operation: Operation, id: string, headers: Record<string, string>) => {
    const input = { ...sampleInput(operation.input), ...neededBy(operation), id: undefined }
    const body = methodOf(operation) === 'DELETE' ? undefined : input
    const path = pathFor(operation, 'api').replace('{id}', id)
    return tenant.api(methodOf(operation), path.replaceAll(/\{\w+\}/g, missingId), body, headers)
  }

  test.each(changing.filter((each) => isConditional(each) && ofOne(each)).map((each) => [each.name, each] as const))(
    '%s takes a list of tags, compares strongly, and If-None-Match: * of what exists is 412',
    async (_name, operation) => {
      const id = await tenant.make(operation)
      if (id === undefined) throw new Error(`There is no way to make what ${operation.name} is called on`)
      const sequence = await tenant.lastSequence()

      const excluded = await call(operation, id, { 'if-none-match': '*' })
      const weak = await call(operation, id, { 'if-match': 'W/"1"' })
      const other = await call(operation, id, { 'if-match': '"8", "9"' })
      const unchanged = await tenant.eventTypesAfter(sequence)
      const listed = await call(operation, id, { 'if-match': '"9", "1"', 'if-none-match': '"9"' })

      expect(excluded).toMatchObject({ status: 412, body: { code: 'precondition_failed', existingId: id } })
      for (const answer of [weak, other])
        expect(answer).toMatchObject({ status: 412, body: { code: 'version_mismatch', currentVersion: 1 } })
      expect(unchanged).toEqual([])
      expect(listed.status).toBe(operation.success)
    },
  )

  test.each(changing.filter((each) => !isConditional(each)).map((each) => [each.name, each] as const))(
    '%s has no version to judge, and refuses conditions by name',
    async (_name, operation) => {
      for (const header of ['If-Match', 'If-None-Match']) {
        expect(await call(operation, missingId, { [header]: '*' })).toMatchObject({
          status: 400,
          body: { code: 'invalid_header', errors: [{ header }] },
        })
      }
    },
  )

  test('a read is 304 for a matching If-None-Match and 412 for an If-Match that does not match', async () => {
    const path = await project()
    const read = async (headers: Record<string, string>) => (await tenant.api('GET', path, undefined, headers)).status

    for (const known of ['"1"', 'W/"1"', '"7","1"', '*']) expect(await read({ 'if-none-match': known })).toBe(304)
    for (const other of ['"11"', '"7", "21"', '"x1"']) expect(await read({ 'if-none-match': other })).toBe(200)
    for (const held of ['"1"', '"7", "1"', '*']) expect(await read({ 'if-match': held })).toBe(200)
    for (const lost of ['"2"', 'W/"1"']) expect(await read({ 'if-match': lost })).toBe(412)
    expect(await read({ 'if-none-match': '1' })).toBe(400)
  })

  test('deleting what is deleted already succeeds, whatever the precondition', async () => {
    const path = await project()
    must(await tenant.api('DELETE', path))

    for (const condition of ['"1"', '*', 'W/"9"']) {
      expect((await tenant.api('DELETE', path, undefined, { 'if-match': condition })).status).toBe(204)
    }
    expect(await tenant.api('PATCH', path, { name: 'x' }, { 'if-match': '*' })).toMatchObject({ status: 404 })
  })
})
