// An update is a JSON Merge Patch (RFC 7396): null clears. A cleared list or map is empty and shown as empty.
import { beforeAll, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { methodOf, type Operation } from '#contract/operation.ts'
import { assertInput } from '../../service/validation/validate-operation.ts'
import { sampleInput } from '../support/sample-value.ts'
import { describeModes, must, sharedSystem, type Answer } from '../support/system.ts'
import type { SchemaNode } from '#contract/json-schema.ts'

type Body = Answer['body']
const listIn = (schema: SchemaNode): SchemaNode | undefined =>
  [schema, ...(schema.anyOf ?? [])].find(({ type }: SchemaNode) => type === 'array')
/** Those that change an object, and those that make one of the same fields. */
const writing: [string, Operation][] = operations
  .filter((operation) => ['PATCH', 'PUT'].includes(methodOf(operation)) || operation.name.endsWith('.create'))
  .map((operation) => [operation.name, operation])

test.each(writing)('%s reads null as the empty list wherever a list may be empty', (_name, operation) => {
  const input = sampleInput(operation.input)
  for (const [field, schema] of Object.entries(operation.input.properties)) {
    const list = listIn(schema)
    if (list === undefined) continue
    const read = () => assertInput(operation, { ...input, [field]: null })

    if ((list.minItems ?? 0) === 0) expect(read(), field).toEqual({ ...input, [field]: [] })
    else expect(read, field).toThrow('Must be a list.')
  }
})

describeModes('null in a patch', (mode) => {
  const { tenant } = sharedSystem(mode)
  beforeAll(async () => {
    for (const key of ['size', 'note'])
      must(await tenant.api('POST', '/api/v1/custom-fields', { key, target: 'project', type: 'text', label: key }))
  })

  const send = (method: string, path: string, body: object) => tenant.api(method, `/api/v1${path}`, body)
  const newProject = async (): Promise<Body> => {
    const { id } = must(
      await tenant.settings('POST', '/members', { name: 'Bob', email: `${Math.random()}@example.com` }),
    )
    const fields = { labels: ['red'], memberIds: [id], customFields: { size: 'L', note: 'x' } }
    return must(await send('POST', '/projects', { name: 'Website', ...fields }))
  }
  const clear = { labels: null, memberIds: null, customFields: null }
  const empty = { labels: [], memberIds: [], customFields: {} }

  test('empties lists and custom fields, and the event shows the former values', async () => {
    const project = await newProject()
    const before = await tenant.lastSequence()

    const changed = must(await send('PATCH', `/projects/${project.id}`, clear))
    const again = must(await send('PATCH', `/projects/${project.id}`, clear))

    expect(changed).toMatchObject({ ...empty, version: 2 })
    expect(again).toEqual(changed)
    expect(must(await tenant.api('GET', `/api/v1/projects/${project.id}`))).toEqual(changed)
    const { data: events } = must(await tenant.api('GET', `/api/v1/events?after=${before}`))
    expect(events).toMatchObject([{ changes: { labels: { from: ['red'], to: [] }, memberIds: { to: [] } } }])
  })

  test('does so in an upsert and in a batch, and leaves them empty in an upsert that creates the object', async () => {
    const { id } = await newProject()
    const path = '/projects/by-external-id/erp/null'

    const made = must(await send('PUT', path, { name: 'New', ...clear }))
    must(await send('PUT', path, { name: 'New', labels: ['red'] }))
    const put = must(await send('PUT', path, { name: 'New', ...clear }))
    const { results } = must(await send('POST', '/projects/batch', { items: [{ action: 'update', id, data: clear }] }))

    expect([made, put, results[0].data]).toMatchObject([empty, empty, empty])
  })

  test('does not clear a required custom field', async () => {
    const required = { key: 'tier', target: 'deal', type: 'text', label: 'Tier', required: true }
    must(await send('POST', '/custom-fields', required))
    const { id } = must(
      await send('POST', '/crm-entities', { kind: 'deal', name: 'x', customFields: { tier: 'gold' } }),
    )

    expect(await send('PATCH', `/crm-entities/${id}`, { customFields: null })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/customFields/tier', code: 'required' }] },
    })
  })

  test('clears the allowlist of a key and the headers of a webhook', async () => {
    const key = await tenant.key(['projects:read'], { ipAllowlist: ['192.0.2.1'] })
    const hook = { name: 'x', url: 'https://example.com/', eventTypes: ['*'], headers: { 'x-team': 'a' } }
    const { id, headerNames } = must(await send('POST', '/webhooks', hook))

    const opened = must(await tenant.settings('PATCH', `/api-keys/${key.keyId}`, { ipAllowlist: null }))
    const bare = must(await send('PATCH', `/webhooks/${id}`, { headers: null }))

    expect([opened.ipAllowlist, headerNames, bare.headerNames]).toEqual([[], ['x-team'], []])
    expect((await key.api('GET', '/api/v1/projects')).status).toBe(200)
  })
})
