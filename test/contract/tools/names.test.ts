// How tools are named: the rule itself, without a gateway.
import { describe, expect, test } from 'vitest'
import { textInNaming, toolNamed, tools } from '#contract/tools/catalogue.ts'
import { clientNameIn, namingBy, sessionIdFor, toolNamesChoice, underscored } from '#contract/tools/names.ts'

/** What the APIs of models take as the name of a tool. */
const ofModelApis = /^[a-zA-Z0-9_-]{1,64}$/

test('every tool has one name with underscores that the APIs of models take, and can be called by both', () => {
  const names = tools.map(({ name }) => underscored(name))

  expect(names.filter((name) => !ofModelApis.test(name))).toEqual([])
  expect(new Set(names).size).toBe(tools.length)
  for (const tool of tools) expect([toolNamed(tool.name), toolNamed(underscored(tool.name))]).toEqual([tool, tool])
})

describe('a client that names itself', () => {
  const named = [
    'Anthropic/ClaudeAI',
    'claude-ai',
    'claude-code',
    'cursor-vscode',
    'codex-mcp-client',
    'ai-sdk-mcp-client',
    'langchain-mcp-adapters',
    'my-app',
    'mastra',
    'mcp-use',
    'mcp',
    '',
    'streamable-http: https://workspace.example/api/mcp',
    'inspector-bot',
    'mcp-inspector-of-ours',
    'Inspector',
    'conformance-review',
    'conformance-clients',
  ]
  test.each(named)('%j is listed names with underscores', (client) => {
    expect(namingBy({ client })).toBe('underscores')
  })

  const byHand = [
    'mcp-inspector',
    'mcp-inspector-web',
    'mcp-inspector-tui',
    'inspector-cli',
    'inspector-client',
    'conformance-test-client',
    'conformance-client',
    'conformance-session-id-test',
    'conformance-session-lifecycle-test',
    'conformance-dns-rebinding-test',
  ]
  test.each(byHand)('%s takes dots', (client) => {
    expect(namingBy({ client })).toBe('dots')
  })
})

test('a choice comes before the client, the client before the session, that before what is remembered', () => {
  const all = { chosen: 'dots', client: 'app', sessionId: 'dots-1', remembered: 'dots' } as const

  expect(namingBy(all)).toBe('dots')
  expect(namingBy({ ...all, chosen: 'auto' })).toBe('underscores')
  expect(namingBy({ ...all, chosen: 'auto', client: null, sessionId: 'underscores-1' })).toBe('underscores')
  expect(namingBy({ client: null, sessionId: 'somebody-elses', remembered: 'underscores' })).toBe('underscores')
  expect(namingBy({ client: null })).toBeNull()
})

test('a session id says the naming of its client, and so does one of the release before', () => {
  expect(namingBy({ sessionId: sessionIdFor('my-app', 'x') })).toBe('underscores')
  expect(namingBy({ sessionId: sessionIdFor('mcp-inspector', 'x') })).toBe('dots')
  expect(namingBy({ sessionId: 'underscore-0199' })).toBe('underscores')
})

test.each([
  [{ params: { clientInfo: { name: 'a' } } }, 'a'],
  [{ params: { _meta: { 'io.modelcontextprotocol/clientInfo': { name: 'b' } } } }, 'b'],
  [{ params: { clientInfo: { name: 5 } } }, null],
  [{ params: { clientInfo: 'a', _meta: null } }, null],
  [{ params: [1] }, null],
  [{}, null],
  [null, null],
  ['text', null],
])('the client of %j is %j', (message, name) => {
  expect(clientNameIn(message)).toBe(name)
})

test('choices are taken with and without their last letter', () => {
  const given = ['auto', 'dots', 'dot', 'underscores', 'underscore', 'camel', '']

  expect(given.map(toolNamesChoice)).toEqual([
    'auto',
    'dots',
    'dots',
    'underscores',
    'underscores',
    undefined,
    undefined,
  ])
})

test('a text names tools as they are listed, and nothing else changes', () => {
  const text = 'Use objects.bulk or `<type>.list`, not tasks.listing, data.status or e.g. crm-entities.get.'

  expect(textInNaming('dots', text)).toBe(text)
  expect(textInNaming('underscores', text)).toBe(
    'Use objects_bulk or `<type>_list`, not tasks.listing, data.status or e.g. crm-entities_get.',
  )
})
