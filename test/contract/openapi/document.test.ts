// The description: everything in it is there, fits, and is used.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { eventCatalogue, operations, schemas, streams, tags } from '#contract/api.ts'
import { eventRecordOf } from '#contract/event.ts'
import { faultCodes } from '#contract/faults/fault.ts'
import { openApi } from '#contract/openapi/document.ts'
import { methodOf, operation, type Operation, tagOf } from '#contract/operation.ts'
import { closed } from '#contract/shared-fields.ts'
import { pathFor } from '#contract/route-paths.ts'
import { toolNamed } from '#contract/tools/catalogue.ts'
import { checker } from '../../../service/validation/schema-validator.ts'
import { everywhere, reader, type Node } from '../../support/json-document.ts'
import { bodySchema } from '#contract/openapi/request-fields.ts'

const root = join(import.meta.dirname, '../../..')
const contract = { operations, streams, events: eventCatalogue, schemas, tags }
const document = JSON.parse(JSON.stringify(openApi(contract))) as Node
const { at, resolved } = reader(document)
const ofApi = operations.filter(({ audiences }) => audiences.includes('api'))
const named = ofApi.map((each) => [each.name, each] as const)

const entryOf = (each: Operation): Node => at(document, 'paths', pathFor(each, 'api'), methodOf(each).toLowerCase())
const flaws = (schema: TSchema, value: unknown) => checker(schema)(value)

test('it is the same text every time', () => {
  expect(JSON.stringify(openApi(contract))).toBe(JSON.stringify(document))
})

test('it has each operation of the API under its name, and none of the settings alone', () => {
  const entries = Object.values(document['paths'] as Node).flatMap((methods) => Object.values(methods as Node))

  const ids = entries.map((entry) => String((entry as Node)['operationId']))
  expect(new Set(ids)).toEqual(new Set(ofApi.map(({ name }) => name)))
  expect(ids).toHaveLength(ofApi.length)
})

test('it describes the tag of every operation, once', () => {
  const described = tags.map(({ tag }) => tag)

  expect(new Set(operations.map(({ name }) => tagOf(name)))).toEqual(new Set(described))
  expect(new Set(described).size).toBe(described.length)
})

describe.each(named)('%s', (_name, declared) => {
  test('says what it is for, what it needs and what it emits', () => {
    const entry = entryOf(declared)

    expect(entry).toMatchObject({
      summary: declared.summary,
      description: declared.description,
      tags: [declared.name.split('.')[0]],
      ...(declared.scope && { 'x-scope': declared.scope }),
      ...(declared.emits.length > 0 && { 'x-emits': declared.emits.map(({ type }) => type) }),
      ...(toolNamed(declared.name) && { 'x-mcp-tool': declared.name }),
    })
  })

  test('has a parameter or a field for everything in its input', () => {
    const entry = entryOf(declared)
    const parameters = ((entry['parameters'] ?? []) as unknown[]).map((each) => resolved(each))
    const media = at(entry, 'requestBody', 'content', 'application/json')

    const given = [...parameters.map(({ name }) => name), ...Object.keys(at(media, 'schema', 'properties'))]
    const headers: Record<string, string> = { expectedVersion: 'If-Match', createOnly: 'If-None-Match' }
    const fields = Object.keys(declared.input.properties).map((field) => headers[field] ?? field)
    expect(given).toEqual(expect.arrayContaining(fields))
    for (const { name, description } of parameters) expect([name, typeof description]).toEqual([name, 'string'])
  })

  test('has examples that fit', () => {
    const entry = entryOf(declared)
    const body = at(entry, 'requestBody', 'content', 'application/json')['example']
    const answer = at(entry, 'responses', String(declared.success), 'content', 'application/json')['example']

    if (body !== undefined) expect(flaws(bodySchema(declared), body)).toEqual([])
    if (declared.success === 204) expect(answer).toBeUndefined()
    else expect(flaws(declared.output, answer)).toEqual([])
  })

  test('lists its refusals under their statuses', () => {
    const responses = Object.entries(entryOf(declared)['responses'] as Node)
    const problems = responses.flatMap(([status, response]) => {
      const { schema } = at(response, 'content', 'application/problem+json')
      const codes = ((schema as Node | undefined)?.['properties'] as { code?: { enum?: string[] } } | undefined)?.code
      return (codes?.enum ?? []).map((code) => ({ status, code }))
    })

    const codes = problems.map(({ code }) => code)
    expect(codes).toEqual(expect.arrayContaining([...declared.errors, 'missing_credentials', 'rate_limited']))
    expect(new Set(codes).size).toBe(codes.length)
    expect(faultCodes).toEqual(expect.arrayContaining(codes))
  })
})

test.each(eventCatalogue.map((event) => [event.type, event] as const))(
  'the webhook of %s has an example that fits',
  (type, event) => {
    const { example } = at(document, 'webhooks', type, 'post', 'requestBody', 'content', 'application/json')

    expect(flaws(eventRecordOf(event), example)).toEqual([])
    const { resource, data } = example as { resource: Node; data: Node }
    // A comment is told of as a part of what it is about, which it does not change.
    if (data['object'] === 'comment') expect(resource).toMatchObject({ ...(data['subject'] as Node), version: null })
    else {
      const { id, kind = null, version = null } = data
      expect(resource).toEqual({ type: tagOf(type), id, kind, version })
    }
  },
)

test('every reference leads somewhere, and every component is referred to', () => {
  const text = JSON.stringify(document)
  const refs = new Set(Array.from(text.matchAll(/"\$ref":"#\/components\/([^"]+)"/g), ([, ref]) => ref))
  const { securitySchemes: _schemes, ...components } = document['components'] as Record<string, Node>
  const there = Object.entries(components).flatMap(([where, all]) => Object.keys(all).map((name) => `${where}/${name}`))

  const mapped = Array.from(text.matchAll(/"#\/components\/([^"]+)"/g), ([, ref]) => ref)
  expect(there).toEqual(expect.arrayContaining([...refs, ...mapped]))
  expect(there.filter((name) => !refs.has(name))).toEqual([])
})

test('every field of every object says what it means', () => {
  const properties = Array.from(everywhere(document)).filter(
    ([way]) => way.at(-2) === 'properties' && !way.includes('example') && !way.includes('examples'),
  )
  // Codes of problems only narrow what the component explains.
  const silent = properties.filter(
    ([way, node]) => resolved(node)['description'] === undefined && way.at(-1) !== 'code',
  )

  expect(properties.length).toBeGreaterThan(500)
  expect(silent.map(([way]) => way.join('.'))).toEqual([])
})

test('whatever a caller sends is bounded: text in length or form, lists in number', () => {
  const bodies = ofApi.map((each) => [each.name, each.input] as const)
  const loose = bodies.flatMap(([name, input]) =>
    Array.from(everywhere(input))
      .filter(([, node]) => isUnbounded(node))
      .map(([way]) => `${name}: ${way.join('.')}`),
  )

  expect(loose).toEqual([])
})

function isUnbounded(node: Node): boolean {
  if (node['type'] === 'array') return !('maxItems' in node)
  if (node['type'] !== 'string') return false
  return !['maxLength', 'pattern', 'format', 'enum', 'const'].some((bound) => bound in node)
}

test('kinds of CRM entities are told apart by `kind`', () => {
  const { oneOf, discriminator } = at(document, 'components', 'schemas', 'CrmEntity')

  const names = ['Company', 'Contact', 'Deal']
  expect(oneOf).toEqual(names.map((name) => ({ $ref: `#/components/schemas/${name}` })))
  expect(discriminator).toEqual({
    propertyName: 'kind',
    mapping: Object.fromEntries(names.map((name) => [name.toLowerCase(), `#/components/schemas/${name}`])),
  })
})

test('a deprecated operation says so, and names the headers that tell when it ends', () => {
  const old = operation({
    name: 'projects.old',
    http: 'GET /projects/old',
    summary: 'Old',
    description: 'Old.',
    scope: 'projects:read',
    input: closed({}),
    output: closed({}),
    success: 200,
    deprecation: { since: new Date(0), sunset: new Date(1), link: 'https://example.com' },
  })

  const described = openApi({ ...contract, operations: [...operations, old] })

  const entry = at(described, 'paths', '/api/v1/projects/old', 'get')
  expect(entry).toMatchObject({ deprecated: true })
  expect(Object.keys(at(entry, 'responses', '200', 'headers'))).toEqual(
    expect.arrayContaining(['Sunset', 'Deprecation']),
  )
  expect(Object.keys(at(described, 'components', 'headers'))).toContain('Sunset')
})

test('its score does not fall below 90', () => {
  const cli = join(root, 'node_modules/@redocly/cli/bin/cli.js')
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

  const score = execFileSync(process.execPath, [cli, 'score', 'docs/openapi.json', '--format=json'], {
    cwd: root,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 50_000_000,
  })

  expect(JSON.parse(score).agentReadiness).toBeGreaterThanOrEqual(90)
})

test('no field has a default: generators would demand it of callers', () => {
  const fields = Array.from(everywhere(document)).filter(([way]) => way.at(-2) === 'properties')
  const atomic = at(document, 'components', 'schemas', 'ProjectsBatchBody', 'properties', 'atomic')

  expect(fields.filter(([, node]) => 'default' in node).map(([way]) => way.join('.'))).toEqual([])
  expect(atomic).toEqual({ type: 'boolean', description: 'All of them or none. Default: `false`.' })
  expect(at(document, 'components', 'schemas', 'ProjectsBatchBody')['required']).toEqual(['items'])
})

test.each(['Projects', 'Tasks', 'CrmEntities', 'Documents'])(
  'what an item of a batch of %s brings is typed',
  (noun) => {
    const { data } = at(
      document,
      'components',
      'schemas',
      `${noun}BatchBody`,
      'properties',
      'items',
      'items',
      'properties',
    )

    const refs = ['Create', 'Update', 'Upsert'].map((verb) => ({ $ref: `#/components/schemas/${noun}${verb}Body` }))
    expect(data).toMatchObject({ anyOf: refs })
  },
)

test('values of custom fields are typed, wherever they stand', () => {
  // Quotas have a number of this name.
  const all = Array.from(everywhere(document)).filter(
    ([way, { type }]) => way.at(-2) === 'properties' && way.at(-1) === 'customFields' && type !== 'integer',
  )

  expect(all.length).toBeGreaterThan(5)
  for (const [, { additionalProperties }] of all)
    expect(additionalProperties).toMatchObject({ type: ['string', 'number', 'boolean', 'array', 'null'] })
})

test.each(['api', 'settings'] as const)(
  'in the description of the %s only objects say which fields they have, and each says whether it has others',
  (audience) => {
    const nodes = Array.from(everywhere(JSON.parse(JSON.stringify(openApi(contract, audience))))).filter(
      ([way]) => !way.includes('example') && !way.includes('examples'),
    )
    const isObject = ({ type }: Node) => [type].flat().includes('object')
    const silent = nodes.filter(([, node]) => isObject(node) && !('additionalProperties' in node))
    const strange = nodes.filter(([, node]) => 'additionalProperties' in node && !isObject(node))

    expect(nodes.filter(([, node]) => isObject(node)).length).toBeGreaterThan(100)
    expect([...silent, ...strange].map(([way]) => way.join('.'))).toEqual([])
  },
)

test('no operation has the header x-workspace-id, which importers would send: the text at the top names it', () => {
  const { info, ...rest } = document

  expect(String((info as Node)['description']).match(/x-workspace-id/g)).toHaveLength(1)
  // `me` answers with the name of the header.
  const named = Array.from(everywhere(rest)).filter(([, node]) => node['name'] === 'x-workspace-id')
  expect(named).toEqual([])
  expect(document['security']).toEqual([{ apiKey: [] }])
})

test('what is required beside a body has an example, so that a call works as it is imported', () => {
  const parameters = Object.values(document['paths'] as Node)
    .flatMap((methods) => Object.values(methods as Node))
    .flatMap((entry) => ((entry as Node)['parameters'] ?? []) as Node[])
    .map(resolved)
    .filter((each) => each['required'] === true && each['in'] === 'query')

  expect(parameters.map(({ name, example }) => [name, typeof example])).toEqual([
    ['uri', 'string'],
    ['q', 'string'],
  ])
  for (const { schema, example } of parameters) expect(flaws(schema as TSchema, example)).toEqual([])
})

test('a list in a parameter has no default, which importers would send as JSON: its description names it', () => {
  const lists = Array.from(everywhere(document)).filter(
    ([, { in: place, schema }]) => place === 'query' && resolved(schema)['type'] === 'array',
  )
  const sorts = lists.filter(([, { name }]) => name === 'sort')

  expect(lists.filter(([, { schema }]) => 'default' in resolved(schema))).toEqual([])
  expect(sorts.length).toBeGreaterThan(0)
  for (const [, { description }] of sorts) expect(description).toMatch(/ Default: `-?[a-zA-Z,-]+`\.$/)
})

test('If-Match has an example only where it fits any object, since importers send it', () => {
  for (const declared of ofApi) {
    const parameters = ((entryOf(declared)['parameters'] ?? []) as unknown[]).map(resolved)
    const ifMatch = parameters.find(({ name }) => name === 'If-Match')
    if (ifMatch === undefined) continue
    const [first] = ((ifMatch['schema'] as Node)['examples'] ?? []) as unknown[]
    expect([declared.name, first]).toEqual([declared.name, 'createOnly' in declared.input.properties ? undefined : '*'])
  }
})

test('what tells alternatives apart is an enumeration, which readers of OpenAPI 3.0 know', () => {
  const discriminated = Array.from(everywhere(document)).flatMap(([, { oneOf, discriminator }]) =>
    discriminator === undefined
      ? []
      : (oneOf as unknown[]).map((each) => at(each, 'properties', (discriminator as Node)['propertyName'] as string)),
  )
  const texts = Array.from(everywhere(document)).filter(
    // Examples of kinds of events show their schemas.
    ([way, node]) =>
      typeof node['const'] === 'string' && !['headers', 'parameters', 'example'].some((part) => way.includes(part)),
  )

  expect(discriminated.length).toBeGreaterThan(2)
  for (const kind of discriminated) expect(kind['enum']).toHaveLength(1)
  expect(texts.map(([way]) => way.join('.'))).toEqual([])
})
