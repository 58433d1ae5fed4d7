// A version of an object has one content, whatever happens to what the object names while it is shown, deleted, or
// hidden with its project. The references are those that the collections declare: one that is added needs a case here.
import { expect, test } from 'vitest'
import { columnsNaming } from '../../service/collection/outdated-rows.ts'
import { eachCollection } from '../../service/collections.ts'
import { canonicalJson } from '../../service/text/json.ts'
import { eventually } from '../support/eventually.ts'
import { describeModes, must, sharedSystem, type Tenant } from '../support/system.ts'
import { callsOf, type Body } from './calls.ts'

type Named = 'member' | 'company' | 'contact'
/** A reference: the kind of what it names, and what the object that names it is made of. */
type Case = readonly [named: Named, body: (id: string) => object]

const cases: Readonly<Record<string, Case>> = {
  'projects ownerId': ['member', (ownerId) => ({ name: 'P', ownerId })],
  'projects memberIds': ['member', (id) => ({ name: 'P', memberIds: [id] })],
  'projects companyId': ['company', (companyId) => ({ name: 'P', companyId })],
  'tasks assigneeIds': ['member', (id) => ({ title: 'T', assigneeIds: [id] })],
  'tasks crmEntityIds': ['company', (id) => ({ title: 'T', crmEntityIds: [id] })],
  'documents crmEntityId': ['company', (crmEntityId) => ({ title: 'D', content: 'Text', crmEntityId })],
  'crm-entities ownerId': ['member', (ownerId) => ({ kind: 'company', name: 'C', ownerId })],
  'crm-entities companyId': ['company', (companyId) => ({ kind: 'contact', firstName: 'C', companyId })],
  'crm-entities parentCompanyId': ['company', (parentCompanyId) => ({ kind: 'company', name: 'C', parentCompanyId })],
  'crm-entities contactIds': ['contact', (id) => ({ kind: 'deal', name: 'C', contactIds: [id] })],
}
/** A merged entity is shown to nobody who does not ask for deleted ones, and never restored: it keeps its survivor. */
const outside = ['crm-entities mergedIntoId']

test('every reference to something that can be removed or merged has a case', () => {
  const declared = eachCollection((collection) =>
    ['member', 'crm_entity'].flatMap((table) =>
      columnsNaming(collection, table).map(({ field }) => `${collection.segment} ${field}`),
    ),
  )

  expect(new Set([...Object.keys(cases), ...outside])).toEqual(new Set(declared.flat()))
})

const states = ['shown', 'deleted', 'hidden', 'deleted and hidden'] as const

describeModes('one content for each version', (mode) => {
  const { tenant } = sharedSystem(mode)
  const { call, get, post, remove } = callsOf(tenant)
  const make = async (path: string, body: object): Promise<string> => (await post(path, body)).id

  test('of objects that are shown, deleted or hidden while what they name is removed or merged', async () => {
    const company = () => make('/crm-entities', { kind: 'company', name: 'Acme' })
    const contact = () => make('/crm-entities', { kind: 'contact', firstName: 'Ada' })
    const grace = { name: 'Grace', email: 'grace@example.com', role: 'member' }
    const member: string = must(await tenant.settings('POST', '/members', grace)).id
    const gone: Record<Named, string> = { member, company: await company(), contact: await contact() }
    const survivors = { member: null, company: await company(), contact: await contact() }
    const hiding = await make('/projects', { name: 'Hiding' })
    const open = await make('/projects', { name: 'Open' })
    const objects: Observed[] = []
    for (const [name, [named, body]] of Object.entries(cases)) {
      const [segment = ''] = name.split(' ')
      // A document that names an entity is in no project.
      const isInProject = segment === 'tasks'
      for (const state of states.filter((each) => isInProject || !each.endsWith('hidden'))) {
        const projectId = state.endsWith('hidden') ? hiding : open
        const id = await make(`/${segment}`, { ...body(gone[named]), ...(isInProject && { projectId }) })
        objects.push({ ...observed(tenant, `${name}, ${state}`, `/${segment}/${id}`), state, named, segment, id })
      }
    }
    const deleted = objects.filter(({ state }) => state.startsWith('deleted'))
    const lookAtAll = async () => {
      for (const { look } of objects) await look()
    }
    const namesNoMore = ({ look, named, segment }: Observed): Promise<Body> =>
      eventually(async () => {
        const now = await look()
        return JSON.stringify(now).includes(gone[named]) ? null : now
      }, `an object of ${segment} to name no ${named} that is gone`)

    await lookAtAll()
    for (const { segment, id } of deleted) await remove(`/${segment}/${id}`)
    await remove(`/projects/${hiding}`)
    await lookAtAll()
    const positions = new Map<string, string>()
    for (const { segment } of objects) {
      const { data } = await get(`/${segment}?sort=-updatedAt&limit=1&fields=updatedAt`)
      positions.set(segment, data[0].updatedAt)
    }

    must(await tenant.settings('DELETE', `/members/${member}`))
    for (const kind of ['company', 'contact'] as const)
      await post(`/crm-entities/${survivors[kind]}/merge`, { sourceId: gone[kind] })
    for (const object of objects.filter(({ state }) => state === 'shown')) await namesNoMore(object)
    await lookAtAll()
    await post(`/projects/${hiding}/restore`)
    await lookAtAll()
    for (const { segment, id } of deleted) await post(`/${segment}/${id}/restore`)

    for (const object of objects)
      expect(JSON.stringify(await namesNoMore(object))).toContain(survivors[object.named] ?? object.id)
    const events = await eventsOf(tenant)
    for (const { segment, id, compare } of objects) {
      await compare(events.filter(({ resource }) => resource.id === id))
      const { body } = await call('GET', `/${segment}?updatedAfter=${positions.get(segment)}&ids=${id}`)
      expect(body.data, segment).toHaveLength(1)
    }
  })
})

type Observed = ReturnType<typeof observed> & {
  readonly state: (typeof states)[number]
  readonly named: Named
  readonly segment: string
  readonly id: string
}

/** Compares every content that is read of the object, by its ETag and by its events. */
function observed(tenant: Tenant, name: string, path: string) {
  const read = (headers = {}) => callsOf(tenant).call('GET', `${path}?includeDeleted=true`, undefined, headers)
  const contents = new Map<number, string>()
  const keep = (version: number, { content: _content, ...rest }: Body) => {
    const text = canonicalJson(rest)
    expect(contents.get(version) ?? text, `${name}: version ${version}`).toBe(text)
    contents.set(version, text)
  }
  const look = async (): Promise<Body> => {
    const { headers, body } = await read()
    expect(headers.get('etag'), name).toBe(`"${body.version}"`)
    keep(body.version, body)
    return body
  }
  /** With what the events say, without a gap, and with what each version is answered when it is asked for again. */
  const compare = async (events: readonly Body[]): Promise<void> => {
    for (const { resource, data } of events) keep(resource.version, data)
    const { version: last } = await look()
    const versions = events.map(({ resource }) => resource.version)
    expect(versions, name).toEqual(Array.from({ length: last }, (_, n) => n + 1))
    for (const version of contents.keys()) {
      const { status } = await read({ 'if-none-match': `"${version}"` })
      expect(status, `${name}: version ${version}`).toBe(version === last ? 304 : 200)
    }
  }
  return { look, compare }
}

async function eventsOf(tenant: Tenant, after = 0): Promise<Body[]> {
  const { data, hasMore, lastSequence } = await callsOf(tenant).get(`/events?limit=200&after=${after}`)
  return hasMore ? [...data, ...(await eventsOf(tenant, lastSequence))] : data
}
