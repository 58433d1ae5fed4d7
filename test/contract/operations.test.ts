import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventCatalogue, operations, transfers } from '#contract/api.ts'
import type { SchemaNode } from '#contract/json-schema.ts'
import { listItemsMax } from '#contract/operation.ts'
import { parameterNames, routesOf } from '#contract/route-paths.ts'
import { scopes } from '#contract/scopes.ts'

test('names, and addresses within an audience, are unique', () => {
  const routes = routesOf(operations).map(({ method, path }) => `${method} ${path}`)

  expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length)
  expect(new Set(routes).size).toBe(routes.length)
})

// Operations of collections, whose names are put together elsewhere, so that a search for one finds it in a test:
// projects.list, projects.get, projects.count, projects.create, projects.update, projects.delete, projects.restore,
// projects.purge, projects.get-by-external-id, projects.upsert, projects.delete-by-external-id, projects.batch,
// tasks.list, tasks.get, tasks.count, tasks.create, tasks.update, tasks.delete, tasks.restore, tasks.purge,
// tasks.get-by-external-id, tasks.upsert, tasks.delete-by-external-id, tasks.batch, crm-entities.list,
// crm-entities.get, crm-entities.count, crm-entities.create, crm-entities.update, crm-entities.delete,
// crm-entities.restore, crm-entities.purge, crm-entities.get-by-external-id, crm-entities.upsert,
// crm-entities.delete-by-external-id, crm-entities.batch, documents.list, documents.get, documents.count,
// documents.create, documents.update, documents.delete, documents.restore, documents.purge,
// documents.get-by-external-id, documents.upsert, documents.delete-by-external-id, documents.batch,
// projects.list-comments, projects.get-comment, projects.create-comment, projects.update-comment,
// projects.delete-comment, tasks.list-comments, tasks.get-comment, tasks.create-comment, tasks.update-comment,
// tasks.delete-comment, crm-entities.list-comments, crm-entities.get-comment, crm-entities.create-comment,
// crm-entities.update-comment, crm-entities.delete-comment, documents.read-content, documents.edit,
// projects.set-external-id, projects.remove-external-id, tasks.set-external-id, tasks.remove-external-id,
// crm-entities.set-external-id, crm-entities.remove-external-id, documents.set-external-id,
// documents.remove-external-id, comments.set-external-id, comments.remove-external-id.

test('full names are found by a search: of operations in contract, service and tests, of events in the contract', () => {
  const textIn = (folder: string): string => {
    const root = join(import.meta.dirname, '../..', folder)
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
    return files.map((path) => readFileSync(join(root, path), 'utf8')).join('\n')
  }
  const [contract, service, tests] = [textIn('contract'), textIn('service'), textIn('test')]
  const names = operations.map(({ name }) => name)
  const missing = (text: string) => names.filter((name) => !new RegExp(`[' ,\`]${name}['.,: \`/]`).test(text))

  const types = eventCatalogue.map(({ type }) => type)
  expect([...names, ...types].filter((name) => !contract.includes(`'${name}'`))).toEqual([])
  expect({ service: missing(service), tests: missing(tests) }).toEqual({ service: [], tests: [] })
})

test('input is closed and has every parameter of the path; what only reads emits nothing and answers 200', () => {
  for (const { name, input, ...operation } of operations) {
    const { http, emits, success } = operation
    expect([name, input['additionalProperties' as never]]).toEqual([name, false])
    expect(Object.keys(input.properties)).toEqual(expect.arrayContaining(parameterNames(http)))
    if (http.startsWith('GET ')) expect([name, emits, success]).toEqual([name, [], 200])
  }
})

test('segment of name, path, scope and events are spelt alike', () => {
  // A list of what belongs to an object takes the scope of what is listed. Where a segment has no such access of its
  // own, a neighbour's scope stands for it; `me` is the key itself.
  const own = (segment: string, access: string) => scopes.some((scope) => scope === `${segment}:${access}`)

  for (const { name, http, scope, emits } of operations) {
    const [segment = ''] = name.split('.')
    expect(http.split('/')[1]).toBe(segment)
    const [of = '', access = ''] = scope?.split(':') ?? []
    if (scope !== null && own(segment, access)) expect([segment, http.split('/').at(-1)]).toContain(of)
    // What a change brings about elsewhere comes after its own event; those of comments are about what these are on.
    const about = segment === 'me' ? 'api-keys' : segment === 'comments' ? 'tasks' : segment
    for (const { type } of emits.slice(0, 1)) expect(type.split('.')[0]).toBe(about)
  }
})

test('kinds of events have one name everywhere, and `after` is a place in the feed', () => {
  const named = operations.flatMap(({ name, input, output }) => fieldsIn([input, output]).map((field) => [name, field]))
  const of = (field: string) => named.filter(([, name]) => name === field).map(([operation]) => operation)

  expect(of('eventTypes')).toEqual(expect.arrayContaining(['events.list', 'deliveries.list', 'webhooks.create']))
  expect(of('eventType')).toContain('deliveries.get')
  expect(of('events')).toEqual([])
  expect(new Set(of('types'))).toEqual(new Set(['search.query']))
  expect(of('after')).toEqual(['events.list'])
})

/** Every property that the schemas name, at any depth. */
function fieldsIn(schemas: unknown): string[] {
  if (typeof schemas !== 'object' || schemas === null) return []
  const { properties = {} } = schemas as { properties?: object }
  return [...Object.keys(properties), ...Object.values(schemas).flatMap(fieldsIn)]
}

test('no list or object of an input holds more than any body may', () => {
  const bounds = operations.flatMap(({ input }) =>
    [...JSON.stringify(input).matchAll(/"max(?:Items|Properties)":(\d+)/g)].map(([, most]) => Number(most)),
  )

  expect(bounds.length).toBeGreaterThan(50)
  expect(Math.max(...bounds)).toBeLessThanOrEqual(listItemsMax)
})

test('every event is declared by an operation, but for those that the system records by itself', () => {
  const all = [...operations, ...transfers.map(({ asked }) => asked)]
  const emitted = new Set(all.flatMap(({ emits }) => emits.map(({ type }) => type)))

  for (const { type, bySystem } of eventCatalogue) expect([type, emitted.has(type)]).toEqual([type, !bySystem])
})

// Names that prove something are judged by how they look.
test('names of people, keys, webhooks and workspaces have one format in every call that takes them', () => {
  const ofIdentities = /^(account|accounts|api-keys|invitations|members|sessions|setup|webhooks|workspaces)\./
  const given = operations
    .filter(({ name }) => ofIdentities.test(name))
    .flatMap(({ name, input }) => namesIn(input as SchemaNode).map(({ path, format }) => ({ name, path, format })))

  expect(given.filter(({ format }) => format !== 'identity-name')).toEqual([])
  expect(given.map(({ name, path }) => `${name} ${path}`)).toEqual(
    expect.arrayContaining(['members.add name', 'setup.complete workspaceName', 'workspaces.create owner.name']),
  )
})

/** The paths of all names that a call may give, with their formats. */
function namesIn({ properties = {} }: SchemaNode, path = ''): { path: string; format: string | undefined }[] {
  return Object.entries(properties).flatMap(([field, node]) => {
    const { format } = node as { readonly format?: string }
    const own = /^(name|\w+Name)$/.test(field) ? [{ path: `${path}${field}`, format }] : []
    return [...own, ...namesIn(node, `${path}${field}.`)]
  })
}
