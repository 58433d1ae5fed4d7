// The description of the settings: all that the operator can call, and nothing that is for keys alone.
import { describe, expect, test } from 'vitest'
import { eventCatalogue, operations, schemas, streams, tags } from '#contract/api.ts'
import { openApi } from '#contract/openapi/document.ts'
import { methodOf } from '#contract/operation.ts'
import { parameterNames, pathFor } from '#contract/route-paths.ts'
import { eventStreamType } from '#contract/stream.ts'
import { checker } from '../../../service/validation/schema-validator.ts'
import { reader, type Node } from '../../support/json-document.ts'
import { bodySchema } from '#contract/openapi/request-fields.ts'

const document = JSON.parse(
  JSON.stringify(openApi({ operations, streams, events: eventCatalogue, schemas, tags }, 'settings')),
) as Node
const { at, resolved } = reader(document)
const ofSettings = operations.filter(({ audiences }) => audiences.includes('settings'))

test('it has each operation and each stream of the settings at its address, and no other', () => {
  const paths = Object.entries(document['paths'] as Record<string, Node>)
  const told = paths.flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )

  const described = [...ofSettings, ...streams.map(({ asked }) => asked)]
  const expected = described.map((each) => `${methodOf(each)} ${pathFor(each, 'settings')}`)
  expect(told.toSorted()).toEqual(expected.toSorted())
})

test('it is called with the operator token or a session, and tells nothing of limits of keys and tools', () => {
  const text = JSON.stringify(document)

  expect(document['security']).toEqual([{ operatorToken: [] }])
  expect(Object.keys(at(document, 'components', 'securitySchemes'))).toEqual(['operatorToken', 'session'])
  expect(document['webhooks']).toBeUndefined()
  for (const word of ['x-scope', 'x-mcp-tool', 'RateLimit', 'x-workspace-id'])
    expect([word, text.includes(word)]).toEqual([word, false])
})

test('both descriptions say whom to ask, without an address that is none', () => {
  for (const audience of ['api', 'settings'] as const) {
    const { info } = openApi({ operations, streams, events: eventCatalogue, schemas, tags }, audience) as { info: Node }
    expect(info['contact']).toEqual({ name: expect.stringMatching(/./) })
  }
})

describe.each(ofSettings.map((each) => [each.name, each] as const))('%s', (_name, declared) => {
  const entry = at(document, 'paths', pathFor(declared, 'settings'), methodOf(declared).toLowerCase())

  test('names what stands in its path', () => {
    const parameters = ((entry['parameters'] ?? []) as unknown[]).map((each) => resolved(each))

    const inPath = parameters.filter((each) => each['in'] === 'path').map(({ name }) => name)
    expect(inPath).toEqual(parameterNames(pathFor(declared, 'settings')))
  })

  test('has examples that fit', () => {
    const body = at(entry, 'requestBody', 'content', 'application/json')['example']
    const answer = at(entry, 'responses', String(declared.success), 'content', 'application/json')['example']

    if (body !== undefined) expect(checker(bodySchema(declared))(body)).toEqual([])
    if (answer !== undefined) expect(checker(declared.output)(answer)).toEqual([])
  })
})

describe.each(streams.map((each) => [each.asked.name, each] as const))('%s', (_name, { asked, message }) => {
  const entry = at(document, 'paths', pathFor(asked, 'settings'), 'get')
  const answer = at(entry, 'responses', '200')

  test('is told apart from what answers JSON, and says where one goes on', () => {
    expect(Object.keys(at(answer, 'content'))).toEqual([eventStreamType])
    const parameters = (entry['parameters'] as unknown[]).map((each) => resolved(each)['name'])
    expect(parameters).toEqual(['workspaceId', ...Object.keys(asked.input.properties), 'last-event-id'])
    expect(entry['x-roles']).toContain('viewer')
  })

  test('shows each kind of message on the wire, with data that fits', () => {
    expect(Object.keys(at(answer, 'x-messages'))).toEqual(['opened', message])
    const blocks = String(at(answer, 'content', eventStreamType)['example'])
      .split('\n\n')
      .filter(Boolean)
    const [first, second] = blocks.map((block) =>
      Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/))),
    )
    expect([first['event'], JSON.parse(first['data'])]).toEqual(['opened', { resumed: false }])
    expect([second['event'], checker(asked.output)(JSON.parse(second['data']))]).toEqual([message, []])
  })
})

test('every reference leads somewhere, and every component is referred to', () => {
  const refs = new Set(
    Array.from(JSON.stringify(document).matchAll(/"#\/components\/([^"]+)"/g), ([, ref = '']) => ref),
  )
  const { securitySchemes: _schemes, ...components } = document['components'] as Record<string, Node>
  const there = Object.entries(components).flatMap(([where, all]) => Object.keys(all).map((name) => `${where}/${name}`))

  expect(there.toSorted()).toEqual([...refs].toSorted())
})
