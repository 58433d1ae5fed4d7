// A version of an object has one content, whatever happens to what the object names while it is shown, deleted, or
// hidden with its project. The references are those that the collections declare: one that is added needs a case here.
import { expect, test } from 'vitest'
import { columnsNaming } from '../../service/collection/outdated-references.ts'
import { eachCollection } from '../../service/collections.ts'
import { canonicalJson } from '../../service/text/json.ts'
import { eventually } from '../support/eventually.ts'
import { describeModes, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'

type Body = Answer['body']
type Named = 'member' | 'company' | 'contact'
/** A reference: the kind of what it names, and what the object that names it is made of. */
type Case = { readonly named: Named; readonly body: (id: string) => object }

const cases: Readonly<Record<string, Case>> = {
  'projects ownerId': { named: 'member', body: (ownerId) => ({ name: 'P', ownerId }) },
  'projects memberIds': { named: 'member', body: (id) => ({ name: 'P', memberIds: [id] }) },
  'projects companyId': { named: 'company', body: (companyId) => ({ name: 'P', companyId }) },
  'tasks assigneeIds': { named: 'member', body: (id) => ({ title: 'T', assigneeIds: [id] }) },
  'tasks crmEntityIds': { named: 'company', body: (id) => ({ title: 'T', crmEntityIds: [id] }) },
  'documents crmEntityId': { named: 'company', body: (crmEntityId) => ({ title: 'D', content: 'Text', crmEntityId }) },
  'crm-entities ownerId': { named: 'member', body: (ownerId) => ({ kind: 'company', name: 'C', ownerId }) },
  'crm-entities companyId': { named: 'company', body: (companyId) => ({ kind: 'contact', firstName: 'C', companyId }) },
  'crm-entities parentCompanyId': {
    named: 'company',
    body: (parentCompanyId) => ({ kind: 'company', name: 'C', parentCompanyId }),
  },
  'crm-entities contactIds': { named: 'contact', body: (id) => ({ kind: 'deal', name: 'C', contactIds: [id] }) },
}
/**
 * Of a merged entity, which is shown to nobody who does not ask for deleted ones, and never restored: it keeps its
 * first survivor.
 */
const outside = ['crm-entities mergedIntoId']

const declared = eachCollection((collection) =>
  ['member', 'crm_entity'].flatMap((table) =>
    columnsNaming(collection, table).map(({ field }) => `${collection.segment} ${field}`),
  ),
).flat()

test('every reference to something that can be removed or merged has a case', () => {
  expect(new Set([...Object.keys(cases), ...outside])).toEqual(new Set(declared))
})

const states = ['shown', 'deleted', 'hidden', 'deleted and hidden'] as const
/** A document that names an entity is in no project. */
const inProject = ['tasks']

type Gone = Readonly<Record<Named, string>>

describeModes('one content for each version', (mode) => {
  const { system } = sharedSystem(mode)

  test('of objects that are shown, deleted or hidden while what they name is removed or merged', async () => {
    const tenant = await system.tenant()
    const { gone, survivors, end } = await stage(tenant)
    const hiding = await create(tenant, 'projects', { name: 'Hiding' })
    const open = await create(tenant, 'projects', { name: 'Open' })
    const objects: Observed[] = []
    for (const [name, { named, body }] of Object.entries(cases))
      for (const state of statesOf(name)) {
        const [segment = ''] = name.split(' ')
        const projectId = state.endsWith('hidden') ? hiding.id : open.id
        const within = inProject.includes(segment) ? { projectId } : {}
        const { id } = await create(tenant, segment, { ...body(gone[named]), ...within })
        objects.push(observed(tenant, { name: `${name}, ${state}`, segment, id, state, named }))
      }
    const lookAtAll = async () => {
      for (const object of objects) await object.look()
    }
    await lookAtAll()
    for (const { state, address } of objects) if (state.startsWith('deleted')) must(await tenant.api('DELETE', address))
    must(await tenant.api('DELETE', `/api/v1/projects/${hiding.id}`))
    await lookAtAll()
    const positions = new Map<string, string>()
    for (const { segment } of objects) positions.set(segment, await newestIn(tenant, segment))

    await end()
    for (const object of objects.filter(({ state }) => state === 'shown')) await namesNoMore(object, gone)
    await lookAtAll()
    must(await tenant.api('POST', `/api/v1/projects/${hiding.id}/restore`))
    await lookAtAll()
    for (const { state, address } of objects)
      if (state.startsWith('deleted')) must(await tenant.api('POST', `${address}/restore`))

    for (const object of objects) {
      const last = await namesNoMore(object, gone)
      const survivor = survivors[object.named]
      if (survivor !== null) expect(JSON.stringify(last), object.name).toContain(survivor)
      await object.compare()
      const query = `updatedAfter=${positions.get(object.segment)}&ids=${object.id}`
      expect(must(await tenant.api('GET', `/api/v1/${object.segment}?${query}`)).data, object.name).toHaveLength(1)
    }
  })
})

const statesOf = (name: string) =>
  states.filter((state) => !state.endsWith('hidden') || inProject.some((segment) => name.startsWith(segment)))

const namesNoMore = ({ look, name, named }: Observed, gone: Gone): Promise<Body> =>
  eventually(async () => {
    const now = await look()
    return JSON.stringify(now).includes(gone[named]) ? null : now
  }, `${name} to name what is there`)

/** What objects name, what stands in its place afterwards, and how it ends. */
async function stage(tenant: Tenant) {
  const email = 'grace@example.com'
  const member = must(await tenant.settings('POST', '/members', { name: 'Grace', email, role: 'member' })).id
  const company = () => create(tenant, 'crm-entities', { kind: 'company', name: 'Acme' })
  const contact = () => create(tenant, 'crm-entities', { kind: 'contact', firstName: 'Ada' })
  const gone: Gone = { member, company: (await company()).id, contact: (await contact()).id }
  const survivors = { member: null, company: (await company()).id, contact: (await contact()).id }
  const end = async () => {
    must(await tenant.settings('DELETE', `/members/${member}`))
    for (const kind of ['company', 'contact'] as const)
      must(await tenant.api('POST', `/api/v1/crm-entities/${survivors[kind]}/merge`, { sourceId: gone[kind] }))
  }
  return { gone, survivors, end }
}

const create = async (tenant: Tenant, segment: string, body: object): Promise<Body> =>
  must(await tenant.api('POST', `/api/v1/${segment}`, body))

const newestIn = async (tenant: Tenant, segment: string): Promise<string> =>
  must(await tenant.api('GET', `/api/v1/${segment}?sort=-updatedAt&limit=1&fields=updatedAt`)).data[0].updatedAt

type Object = {
  readonly name: string
  readonly segment: string
  readonly id: string
  readonly state: (typeof states)[number]
  readonly named: Named
}
type Observed = ReturnType<typeof observed>

/** Compares every content that is read of the object, by its ETag and by its events. */
function observed(tenant: Tenant, object: Object) {
  const { name, segment, id } = object
  const address = `/api/v1/${segment}/${id}`
  const read = (headers = {}) => tenant.api('GET', `${address}?includeDeleted=true`, undefined, headers)
  const contents = new Map<number, string>()
  const keep = (version: number, { content: _content, ...rest }: Body) => {
    const text = canonicalJson(rest)
    expect(contents.get(version) ?? text, `${name}: version ${version}`).toBe(text)
    contents.set(version, text)
  }
  const look = async (): Promise<Body> => {
    const answer = await read()
    const { version } = must(answer)
    expect(answer.headers.get('etag'), name).toBe(`"${version}"`)
    keep(version, answer.body)
    return answer.body
  }
  /** With what the events say, without a gap, and with what each version is answered when it is asked for again. */
  const compare = async (): Promise<void> => {
    const events = (await eventsOf(tenant)).filter(({ resource }) => resource.id === id)
    for (const { resource, data } of events) keep(resource.version, data)
    const { version: last } = await look()
    expect(
      events.map(({ resource }) => resource.version),
      name,
    ).toEqual(Array.from({ length: last }, (_, n) => n + 1))
    for (const version of contents.keys()) {
      const { status } = await read({ 'if-none-match': `"${version}"` })
      expect(status, `${name}: version ${version}`).toBe(version === last ? 304 : 200)
    }
  }
  return { ...object, address, look, compare }
}

async function eventsOf(tenant: Tenant): Promise<Body[]> {
  const events: Body[] = []
  for (let more = true, after = 0; more;) {
    const part = must(await tenant.api('GET', `/api/v1/events?limit=200&after=${after}`))
    events.push(...part.data)
    ;[more, after] = [part.hasMore, part.lastSequence]
  }
  return events
}
