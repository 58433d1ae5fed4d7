// The synchronisation samples of the starter files: after each run the copy is compared with a full read.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { run } from '../support/run-program.ts'
import { languages, unpackStarter, type Language, type Starter } from '../support/unpack-starter.ts'
import { describeMode, must, startSystem, type Answer, type System, type Tenant } from '../support/system.ts'

type Body = Answer['body']
type Api = (method: string, path: string, body?: object) => Promise<Body>
/** What is there by now, by the names that the stories give. */
type World = Record<string, Body>
type Stage = readonly [name: string, act: (api: Api, world: World) => Promise<unknown>]

const collections = ['projects', 'tasks', 'crm-entities', 'documents'] as const
const withArchived = (collection: string): string =>
  ['projects', 'documents'].includes(collection) ? '&includeArchived=true' : ''

const begin: Stage = [
  'create',
  async (api, world) => {
    world['a'] = await api('POST', '/projects', { name: 'A', key: 'AAA' })
    world['b'] = await api('POST', '/projects', { name: 'B', key: 'BBB' })
    for (const name of ['one', 'two', 'three'])
      world[name] = await api('POST', '/tasks', { projectId: world['a'].id, title: name })
    for (const name of ['initech', 'initrode'])
      world[name] = await api('POST', '/crm-entities', { kind: 'company', name })
    const [projectId, crmEntityId] = [world['a'].id, world['initrode'].id]
    world['manual'] = await api('POST', '/documents', { title: 'Manual', content: 'x', projectId })
    world['offer'] = await api('POST', '/documents', { title: 'Offer', content: 'x', crmEntityId })
    world['deal'] = await api('POST', '/crm-entities', { kind: 'deal', name: 'Deal', companyId: crmEntityId })
    await api('PATCH', `/tasks/${world['one'].id}`, { crmEntityIds: [crmEntityId], blockedByIds: [world['two'].id] })
    await api('PATCH', `/projects/${world['b'].id}`, { companyId: crmEntityId })
  },
]
const stages: readonly Stage[] = [
  begin,
  [
    'change',
    async (api, { a, one, initech, manual }) => {
      await api('PATCH', `/projects/${a.id}`, { name: 'A, changed' })
      await api('PATCH', `/tasks/${one.id}`, { status: 'done' })
      await api('PATCH', `/crm-entities/${initech.id}`, { industry: 'Software' })
      await api('PATCH', `/documents/${manual.id}`, { content: 'changed' })
    },
  ],
  ['a new key', (api, { a }) => api('PATCH', `/projects/${a.id}`, { key: 'ABA' })],
  ['move', (api, { b, two }) => api('PATCH', `/tasks/${two.id}`, { projectId: b.id })],
  ['move of a document', (api, { b, manual }) => api('PATCH', `/documents/${manual.id}`, { projectId: b.id })],
  [
    'archive',
    async (api, { b, offer }) => {
      await api('PATCH', `/documents/${offer.id}`, { status: 'published' })
      await api('PATCH', `/documents/${offer.id}`, { status: 'archived' })
      await api('POST', `/projects/${b.id}/archive`)
    },
  ],
  [
    'merge',
    (api, { initech, initrode }) => api('POST', `/crm-entities/${initech.id}/merge`, { sourceId: initrode.id }),
  ],
  [
    'taking back from the archive',
    async (api, { b, offer }) => {
      await api('POST', `/projects/${b.id}/unarchive`)
      await api('PATCH', `/documents/${offer.id}`, { status: 'draft' })
    },
  ],
  [
    'delete',
    async (api, { three, deal, offer }) => {
      await api('DELETE', `/tasks/${three.id}`)
      await api('DELETE', `/crm-entities/${deal.id}`)
      await api('DELETE', `/documents/${offer.id}`)
    },
  ],
  [
    'restore',
    async (api, { three, deal, offer }) => {
      await api('POST', `/tasks/${three.id}/restore`)
      await api('POST', `/crm-entities/${deal.id}/restore`)
      await api('POST', `/documents/${offer.id}/restore`)
    },
  ],
  [
    'delete of a task and then of its project',
    async (api, { a, three }) => {
      await api('DELETE', `/tasks/${three.id}`)
      await api('DELETE', `/projects/${a.id}`)
    },
  ],
  ['restore of the project', (api, { a }) => api('POST', `/projects/${a.id}/restore`)],
  [
    'delete, new key and restore between two runs',
    async (api, { b, two }) => {
      await api('PATCH', `/tasks/${two.id}`, { title: 'Last' })
      await api('DELETE', `/projects/${b.id}`)
      await api('POST', `/projects/${b.id}/restore`)
      await api('PATCH', `/projects/${b.id}`, { key: 'BAB' })
    },
  ],
]

describeMode('the samples that keep a copy', 'standalone', (mode) => {
  let system: System
  let starter: Starter
  beforeAll(async () => {
    system = await startSystem(mode)
    starter = await unpackStarter(system.url, '')
  })
  afterAll(async () => {
    await system?.[Symbol.asyncDispose]()
    starter?.remove()
  })

  const apiOf =
    (tenant: Tenant): Api =>
    async (method, path, body) =>
      must(await tenant.api(method, `/api/v1${path}`, body))

  /** All objects by their ids, of each collection. */
  async function fullRead(api: Api): Promise<World> {
    const read = async (collection: string): Promise<[string, World]> => {
      const { data } = await api('GET', `/${collection}?limit=200${withArchived(collection)}`)
      return [collection, Object.fromEntries(data.map((each: Body) => [each.id, each]))]
    }
    return Object.fromEntries(await Promise.all(collections.map(read)))
  }

  /** A run of the sample, and what its copy then holds. */
  const syncWith = ({ name, program, sync }: Language, secret: string, url = system.url) => {
    const file = `${name}-${crypto.randomUUID()}.json`
    const env = { ...starter.env, WORKSPACE_API_URL: url, WORKSPACE_API_KEY: secret, COPY_FILE: file }
    return async (): Promise<World> => {
      const { code, output } = await run(starter.folder, program, sync, env)
      expect([code, output]).toEqual([0, expect.stringMatching(/\d+ changed, \d+ deleted, \d+ objects in /)])
      const { deletedProjects: _deleted, ...parts } = JSON.parse(readFileSync(join(starter.folder, file), 'utf8'))
      return Object.fromEntries(collections.map((collection) => [collection, parts[collection].objects]))
    }
  }

  test.each(languages)(
    '$name: after every kind of change the copy is what a full read shows',
    async (language) => {
      const tenant = await system.tenant()
      const [api, world, sync] = [apiOf(tenant), {}, syncWith(language, tenant.secret)]

      for (const [name, act] of stages) {
        await act(api, world)
        expect([name, await sync()]).toEqual([name, await fullRead(api)])
      }
    },
    60_000,
  )

  test.each(languages)('$name: the first run copies archived objects and no deleted ones', async (language) => {
    const tenant = await system.tenant()
    const [api, world]: [Api, World] = [apiOf(tenant), {}]
    for (const [, act] of stages.slice(0, 6)) await act(api, world)
    await api('DELETE', `/tasks/${world['three'].id}`)

    const copy = await syncWith(language, tenant.secret)()

    expect(copy).toEqual(await fullRead(api))
    expect(copy['projects'][world['b'].id].archivedAt).not.toBeNull()
    expect(copy['documents'][world['offer'].id].status).toBe('archived')
  })

  test.each(languages)(
    '$name: a project that is deleted only while its tasks are read is not lost',
    async (language) => {
      const tenant = await system.tenant()
      const [api, world]: [Api, World] = [apiOf(tenant), {}]
      await begin[1](api, world)
      const { a, one } = world
      const acts: Record<string, () => Promise<unknown>> = {}
      await using between = await standBetween(system.url, (path) => {
        const act = acts[path]
        delete acts[path]
        return act?.()
      })
      const sync = syncWith(language, tenant.secret, between.url)
      await sync()
      await api('PATCH', `/tasks/${one.id}`, { title: 'Changed unseen' })
      acts['/api/v1/tasks'] = async () => {
        await api('DELETE', `/projects/${a.id}`)
        await api('POST', '/tasks', { projectId: world['b'].id, title: 'Moves the position on' })
      }
      acts['/api/v1/crm-entities'] = () => api('POST', `/projects/${a.id}/restore`)

      const copy = await sync()

      expect(acts).toEqual({})
      expect(copy['tasks'][one.id].title).toBe('Changed unseen')
      expect(copy).toEqual(await fullRead(api))
    },
  )

  test.each(languages)(
    '$name: of a large project whose key changes, the copy gets every new identifier',
    async (language) => {
      const tenant = await system.tenant()
      const api = apiOf(tenant)
      const { id: projectId } = await api('POST', '/projects', { name: 'Large', key: 'LARGE' })
      const items = Array.from({ length: 100 }, (_, n) => ({
        action: 'create',
        data: { projectId, title: `Task ${n}` },
      }))
      for (let batch = 0; batch < 3; batch += 1) await api('POST', '/tasks/batch', { items })
      const sync = syncWith(language, tenant.secret)
      await sync()

      await api('PATCH', `/projects/${projectId}`, { key: 'BIG' })
      await sync()
      const isDone = async () => (await api('GET', '/tasks/BIG-300')).identifier === 'BIG-300'
      await eventually(isDone, 'the last task has its new identifier')
      const copy = await sync()

      const identifiers = Object.values<Body>(copy['tasks']).map(({ identifier }) => identifier)
      expect(new Set(identifiers)).toEqual(new Set(Array.from({ length: 300 }, (_, n) => `BIG-${n + 1}`)))
    },
  )
})

/** Hands every call on, and lets something happen before. */
async function standBetween(url: string, before: (path: string) => Promise<unknown> | undefined) {
  const server = createServer((request, response) => {
    const handOn = async () => {
      await before((request.url ?? '').split('?')[0] ?? '')
      const { authorization = '' } = request.headers
      const answer = await fetch(url + request.url, { headers: { authorization } })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    }
    handOn().catch((error: unknown) => response.writeHead(500).end(String(error)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
