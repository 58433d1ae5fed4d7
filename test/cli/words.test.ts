// Words into input, answers into text, and the help between them.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operationNamed, operations } from '#contract/api.ts'
import type { SchemaNode } from '#contract/json-schema.ts'
import { isOfOperator } from '#contract/operation.ts'
import { formatAnswer } from '../../cli/answers.ts'
import { columnsByObject, columnsOf, valueAt } from '../../cli/columns.ts'
import { parseArguments, UsageError } from '../../cli/arguments.ts'
import { exampleOf, helpOn, overview } from '../../cli/help.ts'
import { assertInput } from '../../service/validation/validate-operation.ts'

const workspace = ['--workspace', '01999999-0000-7000-8000-000000000000']
const id = ['--id', '01999999-0000-7000-8000-000000000001']

function read(name: string, ...words: string[]): object {
  const { id: _id, ...input } = parseArguments(operationNamed(name), words).input
  return input
}

test.each([
  [['--ipAllowlist', ''], { ipAllowlist: [] }],
  [['--ipAllowlist', '10.0.0.0/8,::1'], { ipAllowlist: ['10.0.0.0/8', '::1'] }],
  [['--ipAllowlist', '["a,b"]'], { ipAllowlist: ['a,b'] }],
  [['--name=a=b'], { name: 'a=b' }],
  [['--name='], { name: '' }],
  [['--name=--dashed'], { name: '--dashed' }],
  [['--name', '-1'], { name: '-1' }],
  [['--name', 'two words'], { name: 'two words' }],
  [['--description', 'null', '--expiresAt=null'], { description: null, expiresAt: null }],
  [['--expectedVersion', '3'], { expectedVersion: 3 }],
  [['--rotationPolicy', '{"maxAgeDays":30}'], { rotationPolicy: { maxAgeDays: 30 } }],
])('api-keys.update %j is %j', (words, input) => {
  expect(read('api-keys.update', ...workspace, ...id, ...words)).toEqual(input)
})

test('a switch is on by its name alone, and off where that is said', () => {
  const switched = (...words: string[]) => read('workspaces.update', ...id, ...words)

  expect(switched('--dryRun', '--suspended')).toEqual({ dryRun: true, suspended: true })
  for (const words of [['--dryRun', 'false'], ['--dryRun=false']]) expect(switched(...words)).toEqual({ dryRun: false })
})

test('--workspace and --json are for the command line, not for the operation', () => {
  const parsed = parseArguments(operationNamed('webhooks.list'), ['--json', '--workspace=w', '--limit', '5'])

  expect(parsed).toMatchObject({ input: { limit: 5 }, workspaceId: 'w', json: true })
})

test.each([
  ['api-keys.list', ['--limit', '5'], 'api-keys.list needs --workspace.'],
  ['webhooks.create', workspace, 'webhooks.create needs --name, --url, --eventTypes.'],
  ['api-keys.list', [...workspace, '--toString', '5'], 'api-keys.list has no field toString; it has limit, cursor.'],
  ['event-types.list', ['--x', '1'], 'event-types.list has no field x; it has none.'],
  ['api-keys.list', [...workspace, '--limit', 'five'], '--limit takes a number, not "five".'],
  ['api-keys.list', [...workspace, '--limit='], '--limit takes a number, not "".'],
  ['api-keys.list', [...workspace, '--limit'], '--limit needs a value. One that begins with -- is written --limit=--…'],
  ['api-keys.list', [...workspace, ...workspace], '--workspace is given twice.'],
  ['api-keys.list', [...workspace, '--limit', '5', '6'], 'Expected --name value, not "6".'],
  ['api-keys.list', [...workspace, '--json=false'], '--json takes no value.'],
  ['workspaces.list', workspace, 'workspaces.list acts in no one workspace: leave out --workspace.'],
  ['workspaces.update', [...id, '--dryRun=yes'], '--dryRun is true or false, not "yes".'],
  ['workspaces.update', [...id, '--apiPolicy', '{x}'], '--apiPolicy takes JSON, and this is none: {x}'],
])('%s %j is not called: %s', (name, words, said) => {
  expect(() => parseArguments(operationNamed(name), words)).toThrow(new UsageError(said))
})

const page = (more: object = {}) => ({ nextCursor: null, hasMore: false, ...more })

test('a list is a table of what tells its objects apart', () => {
  const data = [
    { id: 'a', object: 'member', workspaceId: 'w', name: 'Ada', role: 'owner', status: 'active', version: 1 },
    { id: 'bcd', object: 'member', workspaceId: 'w', name: 'Grace', role: 'member', status: 'invited', version: 7 },
  ]

  expect(formatAnswer({ data, page: page() }).split('\n')).toEqual([
    'id   name   role    status',
    'a    Ada    owner   active',
    'bcd  Grace  member  invited',
    '',
  ])
})

test('a call of the API log shows what was called and why it was refused', () => {
  const call = { object: 'logged_request', id: 'i', at: '2026-01-01T00:00:00.000Z', method: 'POST', path: '/tasks' }
  const more = { surface: 'rest', status: 422, ms: 12, apiKeyName: 'Nightly', code: 'validation_failed', ip: null }

  expect(formatAnswer({ data: [{ ...call, ...more }], page: page() }).split('\n')).toEqual([
    'at                        status  method  path    code               ms  apiKeyName',
    '2026-01-01T00:00:00.000Z  422     POST    /tasks  validation_failed  12  Nightly',
    '',
  ])
})

test('the columns are those that the caller has chosen, in that order; an object stands by its name', () => {
  const task = { id: 'a', object: 'task', version: 1, status: 'todo', title: 'Draft', createdBy: { name: 'Ada' } }
  const deleted = { id: 'b', object: 'task', version: 2, deletedAt: 'now' }
  const assignees = [{ id: 'm', name: 'Grace' }]

  expect(
    formatAnswer({ data: [{ ...task, assignees }, deleted], page: page() }, ['title', 'createdBy', 'assignees']),
  ).toBe('title  createdBy  assignees\nDraft  Ada        Grace\n-      -          -\n')
  expect(formatAnswer({ data: [], page: page() }, ['title'])).toBe('None.\n')
})

const lists = operations.flatMap(({ name, input, output }) => {
  const { items }: SchemaNode = (output as SchemaNode).properties?.['data'] ?? {}
  if (items === undefined) return []
  const object = Object.hasOwn(input.properties, 'fields') ? { object: objectIn(name) } : {}
  return [[name, { ...sampleOf(items), ...object }] as const]
})

test.each(lists)(
  'the table of %s has what tells its objects apart, and nothing that they do not have',
  (_name, row) => {
    const columns = columnsOf([row])

    expect(columns.length).toBeGreaterThan(2)
    expect(columns.length).toBeLessThan(8)
    for (const column of columns) expect(valueAt(row, column), column).toBeDefined()
    // An id and times alone tell nothing.
    expect(columns.filter((column) => !/(?:^id|At)$/.test(column)).length).toBeGreaterThan(1)
    const own = Object.entries(columnsByObject).find(([object]) => object === row['object'])
    if (own !== undefined) expect(columns).toEqual(own[1].split(' '))
  },
)

test('each kind of object that has columns of its own is in a list', () => {
  const kinds = new Set(lists.map(([, row]) => row['object']))

  expect(Object.keys(columnsByObject).filter((object) => !kinds.has(object))).toEqual([])
})

/** An object that has every field of the schema, within its fields too. */
function sampleOf(schema: SchemaNode): Record<string, unknown> {
  const { properties = {} } = objectOf(schema) ?? {}
  return Object.fromEntries(
    Object.entries<SchemaNode>(properties).map(([name, field]) => {
      const isObject = Object.keys(objectOf(field)?.properties ?? {}).length > 0
      return [name, isObject ? sampleOf(field) : (field.const ?? 'x')]
    }),
  )
}

function objectOf(schema: SchemaNode): SchemaNode | undefined {
  return schema.properties === undefined ? schema.anyOf?.map(objectOf).find((each) => each !== undefined) : schema
}

/** What a list has of which `fields` chooses a part: its schema leaves that open. */
function objectIn(list: string): unknown {
  const [noun = '', verb = ''] = list.split('.')
  const resource = verb.replace(/^list-?/, '') || noun
  return sampleOf(operationNamed(`${resource}.get`).output)['object']
}

test('where there is more, the table says how to get it', () => {
  expect(formatAnswer({ data: [{ id: 'a' }], page: page({ nextCursor: 'c1', hasMore: true, total: 3 }) })).toBe(
    'id\na\n3 in all.\nThere are more: --cursor c1\n',
  )
  expect(formatAnswer({ data: [], page: page() })).toBe('None.\n')
  const feed = 'None.\nlastSequence  7\nhasMore       false\n'
  expect(formatAnswer({ data: [], lastSequence: 7, hasMore: false })).toBe(feed)
})

test('an object is shown field by field, nothing left out', () => {
  const grants = { scopes: ['a', 'b'], by: { id: 'k' } }
  const webhook = { url: null, id: 'w', headerNames: [], grants, secrets: [{ id: 's', createdAt: 'now' }] }

  const [fields, secrets] = formatAnswer(webhook).split('\n\n')

  const expected = ['id w', 'url -', 'headerNames none', 'grants.scopes a, b', 'grants.by.id k']
  expect(fields?.split('\n').map((line) => line.replace(/ {2,}/, ' '))).toEqual(expected)
  expect(secrets).toBe('secrets\nid  createdAt\ns   now\n')
  expect(formatAnswer(null)).toBe('Done.\n')
})

test('what others have written neither steers the terminal nor breaks the table', () => {
  const name = 'red\u001B[31m\nnext\u202Eback'

  expect(formatAnswer({ data: [{ id: 'a', name }], page: page() })).toBe('id  name\na   red�[31m�next�back\n')
  expect(formatAnswer({ id: 'a', name })).toBe('id    a\nname  red�[31m�next�back\n')
})

test('a long cell of a table is cut, a field never is', () => {
  const name = 'n'.repeat(80)

  expect(formatAnswer({ data: [{ name }], page: page() })).toBe(`name\n${'n'.repeat(47)}…\n`)
  expect(formatAnswer({ name })).toContain(name)
})

const offered = operations.filter(isOfOperator)

test.each(offered.map((operation) => [operation.name, operation] as const))(
  '%s: its help names every field, its example is a call that the API takes',
  (name, operation) => {
    const help = helpOn(operation)
    const [, , , , called, ...words] = wordsOf(exampleOf(operation))

    expect(help).toContain(exampleOf(operation))
    for (const field of Object.keys(operation.input.properties))
      expect(help).toMatch(new RegExp(`^  --${field}\\b`, 'm'))
    expect(called).toBe(name)
    expect(() => assertInput(operation, parseArguments(operation, words).input)).not.toThrow()
  },
)

test('no field has the name of an option of the command line itself', () => {
  const fields = offered.flatMap(({ input }) => Object.keys(input.properties))

  expect(fields.filter((field) => ['workspace', 'json', 'help'].includes(field))).toEqual([])
})

test('the overview lists every operation, and what each exit code means', () => {
  const text = overview(offered)

  for (const { name, summary } of offered) expect(text).toMatch(new RegExp(`${name} +${summary}`))
  expect(text).toMatch(/0 done; 1 rejected.*; 2 not sent/)
})

test('the commands of the README are calls that can be made as they stand', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  const commands = [...readme.matchAll(/^npm run cli -- ([^#\n]+)/gm)].map(([, words = '']) => words.trim().split(' '))

  expect(commands.length).toBeGreaterThan(1)
  for (const [name = '', ...words] of commands.filter(([name = '']) => !['audit', 'deliveries'].includes(name))) {
    const operation = offered.find((each) => each.name === name)
    expect(operation, name).toBeDefined()
    if (operation !== undefined && !words.includes('--help')) parseArguments(operation, words)
  }
})

/** As a shell splits them. */
const wordsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `for word in ${command}; do printf '%s\\0' "$word"; done`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)

test('a table whose first object is deleted has the columns of the others', () => {
  const deleted = { object: 'task', id: '1', deletedAt: '2026-01-12T09:30:00.000Z' }
  const task = { object: 'task', id: '2', identifier: 'WEB-1', title: 'Roof', status: 'todo' }

  expect(columnsOf([deleted, task])).toEqual(['identifier', 'title', 'status'])
})
