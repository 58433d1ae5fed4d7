// The descriptions of the API and of the settings: everything in them is there, and fits. Their examples are looked at
// in examples.test.ts, their references and parameters of paths by `redocly lint`.
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { eventCatalogue, operations, schemas, streams, tags, transfers } from '#contract/api.ts'
import { faultCodes } from '#contract/faults/fault.ts'
import { openApi } from '#contract/openapi/document.ts'
import { methodOf, operation, type Audience, type Operation, tagOf } from '#contract/operation.ts'
import { closed } from '#contract/shared-fields.ts'
import { pathFor } from '#contract/route-paths.ts'
import { eventStreamType } from '#contract/stream.ts'
import { toolNamed } from '#contract/tools/catalogue.ts'
import { checker } from '../../../service/validation/schema-validator.ts'
import { lacksForeign } from '../../support/foreign.ts'
import { everywhere, reader, type Node } from '../../support/json-document.ts'

const root = join(import.meta.dirname, '../../..')
const contract = { operations, streams, transfers, events: eventCatalogue, schemas, tags }

function descriptionFor(audience: Audience) {
  const document = JSON.parse(JSON.stringify(openApi(contract, audience))) as Node
  const { at, resolved } = reader(document)
  const entryOf = (each: Operation): Node =>
    at(document, 'paths', pathFor(each, audience), methodOf(each).toLowerCase())
  const parametersOf = (entry: Node): Node[] => ((entry['parameters'] ?? []) as unknown[]).map((each) => resolved(each))
  return { document, at, resolved, entryOf, parametersOf }
}

const descriptions = { api: descriptionFor('api'), settings: descriptionFor('settings') }
const { document, at, resolved, entryOf, parametersOf } = descriptions.api
const ofApi = operations.filter((each) => each.audiences.includes('api'))
const ofSettings = operations.filter((each) => each.audiences.includes('settings'))
const namesOf = (nodes: readonly (readonly [readonly string[], Node])[]) => nodes.map(([way]) => way.join('.'))
const all = Array.from(everywhere(document))
const isInExample = (way: readonly string[]): boolean => way.includes('example') || way.includes('examples')

test('it describes the tag of every operation once', () => {
  const described = tags.map(({ tag }) => tag)

  expect(new Set(operations.map(({ name }) => tagOf(name)))).toEqual(new Set(described))
  expect(new Set(described).size).toBe(described.length)
})

describe.each([
  { audience: 'api' as const, described: [...ofApi, ...transfers.map(({ asked }) => asked)] },
  { audience: 'settings' as const, described: [...ofSettings, ...streams.map(({ asked }) => asked)] },
])('the description for $audience', ({ audience, described }) => {
  const own = descriptions[audience]

  test('says whom to ask, and has each operation at its address under its name, and no other', () => {
    const paths = Object.entries(own.document['paths'] as Record<string, Record<string, Node>>)
    const told = paths.flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId: id }]) => `${method.toUpperCase()} ${path} ${String(id)}`),
    )

    const expected = described.map((each) => `${methodOf(each)} ${pathFor(each, audience)} ${each.name}`)
    expect(told.toSorted()).toEqual(expected.toSorted())
    expect((own.document['info'] as Node)['contact']).toEqual({ name: expect.stringMatching(/./) })
  })

  test('says of objects alone which fields they have, and of each whether it has others', () => {
    const nodes = Array.from(everywhere(own.document)).filter(([way]) => !isInExample(way))
    const isObject = ({ type }: Node) => [type].flat().includes('object')

    expect(nodes.filter(([, node]) => isObject(node)).length).toBeGreaterThan(100)
    expect(namesOf(nodes.filter(([, node]) => isObject(node) !== 'additionalProperties' in node))).toEqual([])
  })
})

test.each(ofApi.map((each) => [each.name, each] as const))(
  '%s says what it is for and needs, has a place for all of its input, and lists its refusals under their statuses',
  (name, declared) => {
    const entry = entryOf(declared)
    const parameters = parametersOf(entry)
    const { schema } = at(entry, 'requestBody', 'content', 'application/json')
    const codes = Object.values(entry['responses'] as Node).flatMap((response) => {
      const problem = at(response, 'content', 'application/problem+json')['schema'] as Node | undefined
      const { code } = (problem?.['properties'] ?? {}) as { code?: { enum?: string[] } }
      return code?.enum ?? []
    })

    const { summary, description, scope, emits } = declared
    expect(entry).toMatchObject({
      summary,
      description,
      tags: [name.split('.')[0]],
      ...(scope && { 'x-scope': scope }),
      ...(emits.length > 0 && { 'x-emits': emits.map(({ type }) => type) }),
      ...(toolNamed(name) && { 'x-mcp-tool': name }),
    })
    const given = [...parameters.map((each) => each['name']), ...Object.keys(at(schema, 'properties'))]
    const headers: Record<string, string> = { expectedVersion: 'If-Match', createOnly: 'If-None-Match' }
    const fields = Object.keys(declared.input.properties).map((field) => headers[field] ?? field)
    expect(given).toEqual(expect.arrayContaining(fields))
    expect(parameters.filter((each) => typeof each['description'] !== 'string')).toEqual([])
    expect(codes).toEqual(expect.arrayContaining([...declared.errors, 'missing_credentials', 'rate_limited']))
    expect(new Set(codes).size).toBe(codes.length)
    expect(faultCodes).toEqual(expect.arrayContaining(codes))
  },
)

test('every field of every object says what it means', () => {
  const properties = all.filter(([way]) => way.at(-2) === 'properties' && !isInExample(way))
  // Codes of problems only narrow what the component explains.
  const explained = properties.filter(([way]) => way.at(-1) !== 'code')
  const silent = explained.filter(([, node]) => resolved(node)['description'] === undefined)

  expect(properties.length).toBeGreaterThan(500)
  expect(namesOf(silent)).toEqual([])
})

test('whatever a caller sends is bounded: text in length or form, lists in number', () => {
  const bounds = ['maxLength', 'pattern', 'format', 'enum', 'const']
  const isUnbounded = (node: Node): boolean => {
    if (node['type'] === 'array') return !('maxItems' in node)
    return node['type'] === 'string' && !bounds.some((bound) => bound in node)
  }

  const loose = ofApi.flatMap(({ name, input }) =>
    namesOf(Array.from(everywhere(input)).filter(([, node]) => isUnbounded(node))).map((way) => `${name}: ${way}`),
  )
  expect(loose).toEqual([])
})

test('kinds of CRM entities are told apart by `kind`', () => {
  const { oneOf, discriminator } = at(document, 'components', 'schemas', 'CrmEntity')

  const names = ['Company', 'Contact', 'Deal']
  expect(oneOf).toEqual(names.map((name) => ({ $ref: `#/components/schemas/${name}` })))
  const mapping = Object.fromEntries(names.map((name) => [name.toLowerCase(), `#/components/schemas/${name}`]))
  expect(discriminator).toEqual({ propertyName: 'kind', mapping })
})

test('a deprecated operation says so, and names the headers that tell when it ends', () => {
  const deprecation = { since: new Date(0), sunset: new Date(1), link: 'https://example.com' }
  const declared = { name: 'projects.old', http: 'GET /projects/old', scope: 'projects:read', deprecation } as const
  const told = { summary: 'Old', description: 'Old.', input: closed({}), output: closed({}), success: 200 } as const
  const old = operation({ ...declared, ...told })

  const described = openApi({ ...contract, operations: [...operations, old] })

  const entry = at(described, 'paths', '/api/v1/projects/old', 'get')
  expect(entry).toMatchObject({ deprecated: true })
  expect(at(entry, 'responses', '200', 'headers')).toMatchObject({ Sunset: {}, Deprecation: {} })
  expect(at(described, 'components', 'headers')).toHaveProperty('Sunset')
})

test.skipIf(lacksForeign)('its score does not fall below 90', () => {
  const cli = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')

  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const told = { encoding: 'utf8', maxBuffer: 50_000_000, stdio: 'pipe' } as const
  const score = execFileSync(process.execPath, [cli, 'score', 'docs/openapi.json', '--format=json'], {
    cwd: root,
    env,
    ...told,
  })

  expect(JSON.parse(score).agentReadiness).toBeGreaterThanOrEqual(90)
})

test('no field has a default: generators would demand it of callers', () => {
  const { properties, required } = at(document, 'components', 'schemas', 'ProjectsBatchBody')

  expect(namesOf(all.filter(([way, node]) => way.at(-2) === 'properties' && 'default' in node))).toEqual([])
  expect(required).toEqual(['items'])
  const description = 'All of them or none. Default: `false`.'
  expect((properties as Node)['atomic']).toEqual({ type: 'boolean', description })
})

test('what an item of a batch brings is typed, and so are values of custom fields wherever they stand', () => {
  for (const noun of ['Projects', 'Tasks', 'CrmEntities', 'Documents']) {
    const items = at(document, 'components', 'schemas', `${noun}BatchBody`, 'properties', 'items', 'items')
    const refs = ['Create', 'Update', 'Upsert'].map((verb) => ({ $ref: `#/components/schemas/${noun}${verb}Body` }))
    expect(at(items, 'properties', 'data')).toMatchObject({ anyOf: refs })
  }
  // Quotas have a number of this name.
  const isValue = (way: string) => way.endsWith('properties customFields')
  const values = all.filter(([way, { type }]) => isValue(way.join(' ')) && type !== 'integer')

  expect(values.length).toBeGreaterThan(5)
  for (const [, { additionalProperties }] of values)
    expect(additionalProperties).toMatchObject({ type: ['string', 'number', 'boolean', 'array', 'null'] })
})

test('no operation has the header x-workspace-id, which importers would send: the text at the top names it', () => {
  const { info, ...rest } = document

  expect(String((info as Node)['description']).match(/x-workspace-id/g)).toHaveLength(1)
  // `me` answers with the name of the header.
  expect(Array.from(everywhere(rest)).filter(([, node]) => node['name'] === 'x-workspace-id')).toEqual([])
  expect(document['security']).toEqual([{ apiKey: [] }])
})

test('what is required beside a body has an example, so that a call works as it is imported', () => {
  const required = ofApi
    .flatMap((each) => parametersOf(entryOf(each)))
    .filter((each) => each['required'] === true && each['in'] === 'query')

  expect(new Set(required.map(({ name }) => name))).toEqual(new Set(['q', 'uri']))
  for (const { schema, example } of required)
    expect([typeof example, checker(schema as TSchema)(example)]).toEqual(['string', []])
})

test('a list in a parameter has no default, which importers would send as JSON: its description names it', () => {
  const lists = all.filter(([, node]) => node['in'] === 'query' && resolved(node['schema'])['type'] === 'array')
  const sorts = lists.filter(([, { name }]) => name === 'sort')

  expect(lists.filter(([, { schema }]) => 'default' in resolved(schema))).toEqual([])
  expect(sorts.length).toBeGreaterThan(0)
  for (const [, { description }] of sorts) expect(description).toMatch(/ Default: `-?[a-zA-Z,-]+`\.$/)
})

test('If-Match has an example only where it fits any object, since importers send it', () => {
  for (const declared of ofApi) {
    const ifMatch = parametersOf(entryOf(declared)).find(({ name }) => name === 'If-Match')
    if (ifMatch === undefined) continue
    const [first] = ((ifMatch['schema'] as Node)['examples'] ?? []) as unknown[]
    expect([declared.name, first]).toEqual([declared.name, 'createOnly' in declared.input.properties ? undefined : '*'])
  }
})

test('what tells alternatives apart is an enumeration, which readers of OpenAPI 3.0 know', () => {
  const discriminators = all.flatMap(([, { oneOf, discriminator = {} }]) => {
    const { propertyName } = discriminator as { propertyName?: string }
    return propertyName === undefined ? [] : (oneOf as unknown[]).map((each) => at(each, 'properties', propertyName))
  })
  // Examples of kinds of events show their schemas.
  const besides = ['headers', 'parameters', 'example']
  const texts = all.filter(
    ([way, node]) => typeof node['const'] === 'string' && !besides.some((at) => way.includes(at)),
  )

  expect(discriminators.length).toBeGreaterThan(2)
  for (const kind of discriminators) expect(kind['enum']).toHaveLength(1)
  expect(namesOf(texts)).toEqual([])
})

test('the settings are called with the operator token or a session, and tell nothing of limits of keys and tools', () => {
  const settings = descriptions.settings.document
  const text = JSON.stringify(settings)

  expect(settings['security']).toEqual([{ operatorToken: [] }])
  expect(Object.keys(at(settings, 'components', 'securitySchemes'))).toEqual(['operatorToken', 'session'])
  expect(settings['webhooks']).toBeUndefined()
  expect(['x-scope', 'x-mcp-tool', 'RateLimit', 'x-workspace-id'].filter((word) => text.includes(word))).toEqual([])
})

test.each(streams.map((each) => [each.asked.name, each] as const))(
  '%s is told apart from what answers JSON, says where one goes on, and shows each kind of message with data that fits',
  (_name, { asked, message }) => {
    const own = descriptions.settings
    const entry = own.entryOf(asked)
    const answer = own.at(entry, 'responses', '200')

    const parameters = own.parametersOf(entry).map(({ name }) => name)
    expect(parameters).toEqual(['workspaceId', ...Object.keys(asked.input.properties), 'last-event-id'])
    expect(entry['x-roles']).toContain('viewer')
    expect(Object.keys(own.at(answer, 'content'))).toEqual([eventStreamType])
    expect(Object.keys(own.at(answer, 'x-messages'))).toEqual(['opened', message])
    const blocks = String(own.at(answer, 'content', eventStreamType)['example'])
      .split('\n\n')
      .filter(Boolean)
    const [first, second] = blocks.map((block) =>
      Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/))),
    )
    expect([first['event'], JSON.parse(first['data'])]).toEqual(['opened', { resumed: false }])
    expect([second['event'], checker(asked.output)(JSON.parse(second['data']))]).toEqual([message, []])
  },
)
