import { expect, test } from 'vitest'
import { Fault } from '#contract/faults/fault.ts'
import { listed, objectPage, quoted, type PageContent } from '../../../../service/mcp/context/object-page.ts'
import { documentPage } from '../../../../service/mcp/context/resources.ts'
import { parseObjectUri, uriOf } from '../../../../service/mcp/context/objects.ts'
import type { Exchange } from '../../../../service/mcp/tools/runner.ts'

const id = '01999999-0000-7000-8000-000000000001'

test.each([
  [`workspace://documents/${id}`, { segment: 'documents', id }],
  ['workspace://tasks/WEB%2D42', { segment: 'tasks', id: 'WEB-42' }],
  [`workspace://documents/${id}?section=Opening%20hours`, { segment: 'documents', id, section: 'Opening hours' }],
  [`workspace://documents/${id}?lines=10-80`, { segment: 'documents', id, lines: { from: 10, to: 80 } }],
  [`workspace://documents/${id}?lines=10-`, { segment: 'documents', id, lines: { from: 10 } }],
  [`workspace://documents/${id}?lines=7`, { segment: 'documents', id, lines: { from: 7, to: 7 } }],
  ['workspace://overview', null],
  ['workspace://members/x', null],
  ['https://tasks/WEB-42', null],
  ['workspace://tasks/WEB-42#x', null],
])('%s is %j', (uri, expected) => {
  expect(parseObjectUri(uri)).toEqual(expected)
})

test.each(['lines=0-3', 'lines=-3', 'lines=a', 'lines=1-2&lines=3-4', 'fragment=1'])('?%s is refused', (query) => {
  expect(() => parseObjectUri(`workspace://documents/${id}?${query}`)).toThrow(Fault)
})

test('the URI of what it makes leads back', () => {
  for (const name of ['WEB-42', 'a/b?c#d e', 'ä']) {
    expect(parseObjectUri(uriOf('tasks', { id, identifier: name }))).toEqual({ segment: 'tasks', id: name })
  }
})

test('quoted text ends where its marks end, and says what was cut', () => {
  expect(quoted('a\r\n# b\rc\n\nd', 100)).toBe('> a\n> # b\n> c\n>\n> d')
  expect(quoted('abcdef', 4)).toBe('> abcd\n\n(2 more characters)')
})

const page = (object: object, more: Partial<PageContent> = {}): string =>
  objectPage({
    segment: 'tasks',
    object: { id, identifier: 'WEB-1', title: 'T', ...object },
    related: [],
    comments: null,
    ...more,
  })

test('a page has a line for each field with a value, with the objects that ids name in their place', () => {
  const project = { id: 'p', object: 'project', key: 'WEB', name: 'Web "site"', status: 'active' }

  const text = page({
    object: 'task',
    status: 'todo',
    labels: [],
    dueDate: null,
    projectId: 'p',
    project,
    parentTaskId: 'q',
    customFields: { contract: 'a\nb', empty: null },
    assigneeIds: [],
  })

  expect(text.split('\n')).toEqual([
    '# WEB-1 T',
    '',
    '- uri: workspace://tasks/WEB-1',
    `- id: ${id}`,
    '- status: todo',
    '- project: workspace://projects/WEB "Web \\"site\\"" (project, active)',
    '- parentTaskId: q',
    '- customFields: contract a b',
    '',
  ])
})

test('a list that goes on says so; an empty one is left out', () => {
  const data = [{ id, identifier: 'WEB-2', title: 'Sub', status: 'done' }]
  const some = page({}, { related: [{ title: 'Sub-tasks', segment: 'tasks', data, hasMore: true }] })
  const none = page({}, { related: [{ title: 'Sub-tasks', segment: 'tasks', data: [], hasMore: false }] })

  expect(some).toContain(
    '## Sub-tasks (the 1 changed last; there are more)\n- workspace://tasks/WEB-2 "Sub" (task, done)',
  )
  expect(none).not.toContain('Sub-tasks')
  expect(listed('tasks', data[0]!)).toBe('workspace://tasks/WEB-2 "Sub" (task, done)')
})

const answering = (body: object): Exchange => ({
  caller: {
    principal: {
      kind: 'api_key',
      id: 'k',
      name: 'Key',
      workspaceId: null,
      scopes: [],
      surface: 'mcp',
      requestId: 'r',
      clientAddress: '',
      quota: null,
    },
    isReadonly: false,
    toolsets: null,
    naming: 'dots',
    hasStructuredContent: true,
  },
  execute: () => Promise.resolve({ body, replayed: false }),
  signal: new AbortController().signal,
})

test('a line that is longer than what can be shown is cut, and that is said', async () => {
  const part = {
    id,
    title: 'T',
    text: 'x'.repeat(100_000),
    fromLine: 1,
    toLine: 1,
    nextLine: null,
    totalLines: 1,
    outline: [],
    headingCount: 0,
  }

  const text = await documentPage({ segment: 'documents', id }, answering(part))

  expect(text.length).toBeLessThan(25_000)
  expect(text).toContain('(Lines 1 to 1 of 1. Line 1 is longer than what can be shown.')
  expect(text).not.toContain('Read on:')
})

test('what is read on is the rest of what was asked for', async () => {
  const heading = { section: '2', level: 1, title: 'B', fromLine: 5, toLine: 90 }
  const part = {
    id,
    text: 'x\n',
    fromLine: 5,
    toLine: 9,
    nextLine: 10,
    totalLines: 200,
    outline: [heading],
    headingCount: 1,
  }
  const readOn = async (asked: object) =>
    /Read on: .*lines=(\S+)/.exec(await documentPage({ segment: 'documents', id, ...asked }, answering(part)))?.[1]

  expect(await readOn({ section: 'B' })).toBe('10-90')
  expect(await readOn({ lines: { from: 5, to: 50 } })).toBe('10-50')
  expect(await readOn({})).toBe('10-')
})
