// A version of an object has one content, whatever happens to what the object names while it is shown, deleted, or
// hidden with its project. The references are those that the collections declare: one that is added needs a case here.
import { expect, test } from 'vitest'
import { columnsNaming } from '../../service/collection/outdated-rows.ts'
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
const inProject = new Set(['tasks'])

describeModes('one content for each version', (mode) => {
  const { tenant } = sharedSystem(mode)
  const make = async (segment: string, body: object): Promise<string> =>
    must(await tenant.api('POST', `/api/v1/${segment}`, body)).id

  test('of objects that are shown, deleted or hidden while what they name is removed or merged', async () => {
    const company = () => make('crm-entities', { kind: 'company', name: 'Acme' })
    const contact = () => make('crm-entities', { kind: 'contact', firstName: 'Ada' })
    const grace = { name: 'Grace', email: 'grace@example.com', role: 'member' }
    const member: string = must(await tenant.settings('POST', '/members', grace)).id
    const gone: Record<Named, string> = { member, company: await company(), contact: await contact() }
    const survivors = { member: null, company: await company(), contact: await contact() }
    const projects = {
      hiding: await make('projects', { name: 'Hiding' }),
      open: await make('projects', { name: 'Open' }),
    }
    const objects: Observed[] = []
    for (const [name, { named, body }] of Object.entries(cases)) {
      const [segment = ''] = name.split(' ')
      const isInProject = inProject.has(segment)
      for (const state of states.filter((each) => isInProject || !each.endsWith('hidden'))) {
        const projectId = state.endsWith('hidden') ? projects.hiding : projects.open
        const id = await make(segment, { ...body(gone[named]), ...(isInProject && { projectId }) })
        objects.push({ ...observed(tenant, `${name}, ${state}`, segment, id), state, named, segment, id })
      }
    }
    const lookAtAll = async () => {
      for (const { look } of objects) await look()
    }
    const forDeleted = async (method: string, action: string) => {
      for (const { state, segment, id } of objects)
        if (state.startsWith('deleted')) must(await tenant.api(method, `/api/v1/${segment}/${id}${action}`))
    }
    const namesNoMore = ({ look, named, segment }: Observed): Promise<Body> =>
      eventually(async () => {
        const now = await look()
        return JSON.stringify(now).includes(gone[named]) ? null : now
      }, `an object of ${segment} to name no ${named} that is gone`)

    await lookAtAll()
    await forDeleted('DELETE', '')
    must(await tenant.api('DELETE', `/api/v1/projects/${projects.hiding}`))
    await lookAtAll()
    const positions = new Map<string, string>()
    for (const { segment } of objects) {
      const newest = await tenant.api('GET', `/api/v1/${segment}?sort=-updatedAt&limit=1&fields=updatedAt`)
      positions.set(segment, must(newest).data[0].updatedAt)
    }

    must(await tenant.settings('DELETE', `/members/${member}`))
    for (const kind of ['company', 'contact'] as const)
      must(await tenant.api('POST', `/api/v1/crm-entities/${survivors[kind]}/merge`, { sourceId: gone[kind] }))
    for (const object of objects.filter(({ state }) => state === 'shown')) await namesNoMore(object)
    await lookAtAll()
    must(await tenant.api('POST', `/api/v1/projects/${projects.hiding}/restore`))
    await lookAtAll()
    await forDeleted('POST', '/restore')

    for (const object of objects)
      expect(JSON.stringify(await namesNoMore(object))).toContain(survivors[object.named] ?? object.id)
    const events = await eventsOf(tenant)
    for (const { segment, id, compare } of objects) {
      await compare(events)
      const changed = await tenant.api('GET', `/api/v1/${segment}?updatedAfter=${positions.get(segment)}&ids=${id}`)
      expect(must(changed).data, segment).toHaveLength(1)
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
function observed(tenant: Tenant, name: string, segment: string, id: string) {
  const read = (headers = {}) => tenant.api('GET', `/api/v1/${segment}/${id}?includeDeleted=true`, undefined, headers)
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
  const compare = async (all: readonly Body[]): Promise<void> => {
    const events = all.filter(({ resource }) => resource.id === id)
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
  const { data, hasMore, lastSequence } = must(await tenant.api('GET', `/api/v1/events?limit=200&after=${after}`))
  return hasMore ? [...data, ...(await eventsOf(tenant, lastSequence))] : data
}
