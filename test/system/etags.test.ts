// If-Match and If-None-Match mean what RFC 9110 says, for every operation: 304 means that the whole answer is as it
// was. An object's version covers its own fields, but not expansions or counts that change without it.
import { beforeAll, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { changes, methodOf, pathOf, type Operation } from '#contract/operation.ts'
import { parameterNames, pathFor } from '#contract/route-paths.ts'
import { missingId, neededBy } from '../support/client.ts'
import { sampleInput } from '../support/sample-value.ts'
import { uploadedFile } from '../support/uploaded-file.ts'
import { describeOnce, must, sharedSystem, type Answer } from '../support/system.ts'
import { callsOf, told } from './calls.ts'

type Named = 'member' | 'company' | 'contact' | 'project' | 'task'
/** What an object that shows the part is made of, and the kind of what it names by it. */
type Case = readonly [named: Named, body: (id: string) => object]

const expanding = operations.filter(({ name, input }) => name.endsWith('.get') && 'expand' in input.properties)
const partsOf = ({ properties }: (typeof expanding)[number]['input']): readonly string[] =>
  (properties['expand'] as unknown as { items: { enum: string[] } }).items.enum
const parts = expanding.flatMap(({ name, input }) => partsOf(input).map((part) => `${name.split('.')[0]} ${part}`))

const cases: Readonly<Record<string, Case>> = {
  'projects owner': ['member', (ownerId) => ({ name: 'Website', ownerId })],
  'projects members': ['member', (id) => ({ name: 'Website', memberIds: [id] })],
  'projects company': ['company', (companyId) => ({ name: 'Website', companyId })],
  'tasks project': ['project', (projectId) => ({ title: 'Paint', projectId })],
  'tasks assignees': ['member', (id) => ({ title: 'Paint', assigneeIds: [id] })],
  'tasks parentTask': ['task', (parentTaskId) => ({ title: 'Paint', parentTaskId })],
  'tasks blockedBy': ['task', (id) => ({ title: 'Paint', blockedByIds: [id] })],
  'tasks crmEntities': ['company', (id) => ({ title: 'Paint', crmEntityIds: [id] })],
  'crm-entities owner': ['member', (ownerId) => ({ kind: 'company', name: 'Acme', ownerId })],
  'crm-entities company': ['company', (companyId) => ({ kind: 'deal', name: 'Renewal', companyId })],
  'crm-entities parentCompany': ['company', (parentCompanyId) => ({ kind: 'company', name: 'B', parentCompanyId })],
  'crm-entities contacts': ['contact', (id) => ({ kind: 'deal', name: 'Renewal', contactIds: [id] })],
  'documents project': ['project', (projectId) => ({ title: 'Manual', projectId })],
  'documents crmEntity': ['company', (crmEntityId) => ({ title: 'Manual', crmEntityId })],
}

/** What may name files, but for its project. */
const withFiles: Readonly<Record<string, object>> = {
  tasks: { title: 'Paint' },
  documents: { title: 'Manual' },
  comments: { body: 'See the plan.' },
  'crm-entities': { kind: 'company', name: 'Acme' },
}

describeOnce('ETags', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  const { call: ask, post, patch } = callsOf(tenant)
  const tagOf = ({ headers }: Answer): string => headers.get('etag') ?? ''
  const unless = (etag: string) => ({ 'if-none-match': etag })
  const send = async (method: string, path: string, body: object) =>
    must(await (path.startsWith('/members') ? tenant.settings(method, path, body) : ask(method, path, body)))
  let projectId: string
  beforeAll(async () => {
    projectId = (await post('/projects', { name: 'Website' })).id
  })

  /** Of each kind of what is named: where it is, what it is made of, and how it changes. */
  const related: Readonly<Record<Named, [string, () => object, object]>> = {
    member: ['/members', () => ({ name: 'Grace', email: `${crypto.randomUUID()}@example.com` }), { name: 'Ada' }],
    company: ['/crm-entities', () => ({ kind: 'company', name: 'Initech' }), { name: 'Initrode' }],
    contact: ['/crm-entities', () => ({ kind: 'contact', lastName: 'Lovelace' }), { lastName: 'Hopper' }],
    project: ['/projects', () => ({ name: 'Website' }), { name: 'Webshop' }],
    task: ['/tasks', () => ({ projectId, title: 'Beside' }), { title: 'Aside' }],
  }

  /** Makes what is read; gives its path and how to change what `expand` shows of it. */
  async function story(part: string) {
    const segment = part.split(' ')[0] ?? ''
    if (part === 'projects taskCounts') {
      const { id } = await post('/projects', { name: 'Website' })
      const task = await post('/tasks', { projectId: id, title: 'Paint' })
      return { path: `/projects/${id}`, change: () => patch(`/tasks/${task.id}`, { status: 'done' }) }
    }
    if (part.endsWith(' files')) {
      const id = await uploadedFile({ api: tenant.api, url: system.url })
      const made = await post(`/${segment}`, {
        ...withFiles[segment],
        ...(segment !== 'crm-entities' && { projectId }),
        fileIds: [id],
      })
      return { path: `/${segment}/${made.id}`, change: () => ask('DELETE', `/files/${id}`) }
    }
    const [named, body] = cases[part]!
    const [at, given, renamed] = related[named]
    const other = await send('POST', at, given())
    const made = await post(`/${segment}`, { ...(segment === 'tasks' && { projectId }), ...body(other.id) })
    return { path: `/${segment}/${made.id}`, change: () => send('PATCH', `${at}/${other.id}`, renamed) }
  }

  test('every part that can be expanded has a case here', () => {
    const ofFiles = Object.keys(withFiles).map((segment) => `${segment} files`)
    expect([...Object.keys(cases), ...ofFiles, 'projects taskCounts'].toSorted()).toEqual(parts.toSorted())
  })

  test.each(parts)('%s: 304 until what is expanded changes', async (part) => {
    const { path, change } = await story(part)
    const expanded = `${path}?expand=${part.split(' ')[1]}`
    const first = await ask('GET', expanded)
    const again = await ask('GET', expanded, undefined, unless(tagOf(first)))

    await change()
    const changed = await ask('GET', expanded, undefined, unless(tagOf(first)))

    expect([first.status, again.status, tagOf(again)]).toEqual([200, 304, tagOf(first)])
    expect([changed.status, changed.body.version]).toEqual([200, first.body.version])
    expect(changed.body).not.toEqual(first.body)
    expect(tagOf(changed)).not.toBe(tagOf(first))
  })

  test('the ETag of an object does not cover what was not expanded, and is a precondition on its version, whatever it was read by', async () => {
    const { path } = await story('projects taskCounts')
    const theirs = { externalSource: 'crm', externalId: '1' }
    const plain = tagOf(await ask('PATCH', path, theirs))
    const [counts, owner] = ['taskCounts', 'owner'].map((part) => `${path}?expand=${part}`) as [string, string]
    const expanded = tagOf(await ask('GET', counts))
    const byTheirs = '/projects/by-external-id/crm/1?expand=taskCounts'

    const reads = [
      await ask('GET', path, undefined, unless(plain)),
      await ask('GET', byTheirs, undefined, unless(expanded)),
      await ask('GET', counts, undefined, unless(plain)),
      await ask('GET', owner, undefined, unless(expanded)),
    ]
    const list = await ask('GET', '/projects?fields=name&expand=taskCounts', undefined, unless('"2"'))
    const sparse = await ask('GET', `${path}?fields=name`)
    const held = await ask('GET', path, undefined, { 'if-match': '"9"' })
    const first = await ask('PATCH', path, { name: 'First' }, { 'if-match': expanded })
    const second = await ask('PATCH', path, { name: 'Second' }, { 'if-match': expanded })

    expect([plain, expanded]).toEqual(['"2"', expect.stringMatching(/^"2-[0-9a-f]{16}"$/)])
    expect(reads.map(({ status }) => status)).toEqual([304, 304, 200, 200])
    expect([list.status, list.headers.get('etag')]).toEqual([200, null])
    const unknown = '400 unknown_parameter fields unknown'
    const stale = '412 version_mismatch'
    expect([sparse, held, first, second].map(told)).toEqual([unknown, stale, '200', stale])
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

describeOnce('preconditions', (mode) => {
  const { tenant } = sharedSystem(mode)

  const call = (operation: Operation, id: string, headers: Record<string, string>) => {
    const given: Record<string, unknown> = { ...sampleInput(operation.input), ...neededBy(operation), id: undefined }
    const { eventType, ...rest } = given
    // Where it does not stand in the path.
    const inBody = eventType === undefined || pathOf(operation).includes('{eventType}') ? rest : { ...rest, eventType }
    const body = methodOf(operation) === 'DELETE' ? undefined : inBody
    const path = pathFor(operation, 'api').replace('{id}', id).replace('{eventType}', String(eventType))
    return tenant.api(methodOf(operation), path.replaceAll(/\{\w+\}/g, missingId), body, headers)
  }

  test.each(changing.filter((each) => isConditional(each) && ofOne(each)).map((each) => [each.name, each] as const))(
    '%s of another version is refused, and so is If-None-Match: * of what exists',
    async (_name, operation) => {
      const id = await tenant.make(operation)
      if (id === undefined) throw new Error(`There is no way to make what ${operation.name} is called on`)

      const excluded = await call(operation, id, { 'if-none-match': '*' })
      const other = await call(operation, id, { 'if-match': '"8", "9"' })
      const held = await call(operation, id, { 'if-match': '"9", "1"' })

      expect(excluded).toMatchObject({ status: 412, body: { code: 'precondition_failed', existingId: id } })
      expect(other).toMatchObject({ status: 412, body: { code: 'version_mismatch', currentVersion: 1 } })
      expect(held.status).toBe(operation.success)
    },
  )

  test.each(changing.filter((each) => !isConditional(each)).map((each) => [each.name, each] as const))(
    '%s has no version to judge, and refuses conditions by name',
    async (_name, operation) => {
      for (const header of ['If-Match', 'If-None-Match']) {
        const refused = await call(operation, missingId, { [header]: '*' })
        expect(told(refused)).toMatch(new RegExp(`^400 invalid_header ${header} `))
      }
    },
  )

  test('deleting what is deleted already succeeds, whatever the precondition', async () => {
    const path = `/api/v1/projects/${must(await tenant.api('POST', '/api/v1/projects', { name: 'Website' })).id}`
    must(await tenant.api('DELETE', path))

    for (const condition of ['"1"', '*', 'W/"9"'])
      expect((await tenant.api('DELETE', path, undefined, { 'if-match': condition })).status).toBe(204)
    expect((await tenant.api('PATCH', path, { name: 'x' }, { 'if-match': '*' })).status).toBe(404)
  })
})
