// The resources of a workspace (overview, labels, members, glossary), and who may read them.
// Operations: resources.list.
import { beforeAll, expect, test } from 'vitest'
import { scopes, type Scope } from '#contract/scopes.ts'
import { describeOnce, must, sharedSystem, type Tenant } from '../support/system.ts'

const path = '/api/v1/resources'
const uris = ['custom-fields', 'glossary', 'labels', 'members', 'overview'].map((name) => `workspace://${name}`)

describeOnce('workspace resources', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  beforeAll(async () => {
    const create = async (body: object) => must(await tenant.api('POST', '/api/v1/projects', body))
    await create({ name: 'Website', status: 'active', labels: ['web', 'q3'] })
    await create({ name: 'Shop', status: 'active', labels: ['web'] })
    await create({ name: 'Move', labels: ['office'] })
    const gone = await create({ name: 'Gone', status: 'paused', labels: ['gone'] })
    must(await tenant.api('DELETE', `/api/v1/projects/${gone.id}`))
    must(await tenant.settings('POST', '/members', { name: 'Grace', email: 'grace@example.com', role: 'admin' }))
    const field = { key: 'tier', target: 'project', type: 'select', options: ['gold'], label: 'Tier' }
    must(await tenant.api('POST', '/api/v1/custom-fields', field))
  })

  const read = (uri: string, who = tenant) => who.api('GET', `${path}/content?uri=${encodeURIComponent(uri)}`)
  const textOf = async (name: string, who = tenant) => must(await read(`workspace://${name}`, who)).text
  const listed = async (who: Tenant, query = '') => must(await who.api('GET', `${path}${query}`)).data
  const withOnly = (...held: Scope[]) => tenant.key(['resources:read', ...held])

  test('each listed resource can be read and has the listed size, and the list comes in pages', async () => {
    const data = await listed(tenant)

    expect(data.map(({ uri }: { uri: string }) => uri)).toEqual(uris)
    for (const resource of data) {
      const { text, ...described } = must(await read(resource.uri))
      expect(described).toEqual(resource)
      expect(Buffer.byteLength(text)).toBe(resource.size)
      if (resource.mimeType === 'application/json') JSON.parse(text)
    }
    const first = must(await tenant.api('GET', `${path}?limit=3`))
    const rest = must(await tenant.api('GET', `${path}?limit=3&cursor=${first.page.nextCursor}`))
    expect([...first.data, ...rest.data]).toEqual(data)
    expect(rest.page).toMatchObject({ hasMore: false, nextCursor: null })
  })

  test('the overview counts existing objects, no deleted ones, and nothing that the key may not read', async () => {
    const text = await textOf('overview')

    expect(text).toMatch(/^# Acme\n/)
    expect(text).toContain('## Projects by status\n\n- active: 2\n- planned: 1\n\n')
    expect(text).toContain('## Tasks by status\n\nNone.\n')
    expect(text).toContain('## Members by status\n\n- active: 1\n- invited: 1\n')
    expect(text).not.toContain('paused')
    const ofProjects = await textOf('overview', await withOnly('projects:read'))
    expect(ofProjects).toContain('## Projects by status')
    expect(ofProjects).not.toMatch(/Tasks|CRM|Documents|Members/)
    expect(await textOf('overview', await withOnly())).toMatch(/^# Acme\n\nTime zone UTC, currency EUR\.\n$/)
  })

  test('labels of what the key may read are counted, the most frequent first', async () => {
    const counts = Object.entries({ web: 2, office: 1, q3: 1 }).map(([label, count]) => ({ label, count }))
    const all = { of: ['projects', 'tasks', 'crm-entities'], labels: counts }
    expect(JSON.parse(await textOf('labels'))).toEqual(all)
    expect(JSON.parse(await textOf('labels', await withOnly('tasks:read')))).toEqual({ of: ['tasks'], labels: [] })
    expect(JSON.parse(await textOf('labels', await withOnly()))).toEqual({ of: [], labels: [] })
  })

  test('no more than 200 labels and members are shown, with the number of all members', async () => {
    const fresh = await system.tenant()
    for (let project = 0; project < 5; project++) {
      const labels = Array.from({ length: 50 }, (_, n) => `label ${project * 50 + n}`)
      must(await fresh.api('POST', '/api/v1/projects', { name: 'Labelled', labels }))
    }
    await system.db.$executeRaw`
      INSERT INTO member SELECT (jsonb_populate_record(m, jsonb_build_object(
        'id', gen_random_uuid(), 'role', 'member', 'email', n || '@example.com'))).*
      FROM member m, generate_series(1, 201) n WHERE m.workspace_id = ${fresh.workspaceId}::uuid`

    const { total, members } = JSON.parse(await textOf('members', fresh))

    expect([total, members.length]).toEqual([202, 200])
    expect(JSON.parse(await textOf('labels', fresh)).labels).toHaveLength(200)
  })

  test('members and custom fields are those of the workspace', async () => {
    const { total, members } = JSON.parse(await textOf('members'))
    const { customFields } = JSON.parse(await textOf('custom-fields'))

    expect(total).toBe(2)
    expect(members).toMatchObject([
      { name: 'Ada', role: 'owner', status: 'active' },
      { name: 'Grace', email: 'grace@example.com', role: 'admin', status: 'invited' },
    ])
    expect(customFields).toEqual([
      { target: 'project', key: 'tier', label: 'Tier', type: 'select', options: ['gold'], required: false },
    ])
  })

  test.each([
    ['members', 'members:read'],
    ['custom-fields', 'workspaces:read'],
  ] as const)('%s is neither listed nor read without %s', async (name, scope) => {
    const lacking = await tenant.key(scopes.filter((each) => each !== scope && each !== 'workspaces:write'))
    const uri = `workspace://${name}`

    expect((await listed(lacking)).map((resource: { uri: string }) => resource.uri)).not.toContain(uri)
    const refused = { code: 'insufficient_scope', requiredScopes: [scope] }
    expect(await read(uri, lacking)).toMatchObject({ status: 403, body: refused })
  })

  test('the glossary names statuses with their transitions, scopes and events', async () => {
    const text = await textOf('glossary')

    expect(text).toContain('- project completed → active\n')
    expect(text).toContain('- api-keys:rotate-self\n')
    expect(text).toContain('- members.added: A member was added.\n')
    expect(text).toContain('- projects, `priority`: none, low, medium, high, urgent\n')
  })

  test.each(['workspace://views', 'workspace://', 'Overview', 'file:///etc/passwd', 'workspace://overview/'])(
    '%s is no resource',
    async (uri) => {
      expect(await read(uri)).toMatchObject({ status: 404, body: { code: 'not_found' } })
    },
  )

  test('updatedAt of a resource is that of its newest part, deletions included', async () => {
    const fresh = await system.tenant()
    const updatedAt = async (name: string) => must(await read(`workspace://${name}`, fresh)).updatedAt
    const project = must(await fresh.api('POST', '/api/v1/projects', { name: 'x', labels: ['a'] }))
    expect([await updatedAt('labels'), await updatedAt('overview')]).toEqual([project.updatedAt, project.updatedAt])

    must(await fresh.api('DELETE', `/api/v1/projects/${project.id}`))

    expect((await updatedAt('labels')) > project.updatedAt).toBe(true)
    expect([await updatedAt('custom-fields'), await updatedAt('glossary')]).toEqual([null, null])
  })
})
