import { expect, test } from 'vitest'
import { operationNamed } from '#contract/api.ts'
import { parseArguments, UsageError } from '../../cli/arguments.ts'

const workspace = ['--workspace', '01999999-0000-7000-8000-000000000000']
const id = ['--id', '01999999-0000-7000-8000-000000000001']

function read(name: string, ...words: string[]): object {
  const { id: _id, ...input } = parseArguments(operationNamed(name), words).input
  return input
}

test.each([
  [['--ipAllowlist', ''], { ipAllowlist: [] }],
  [['--ipAllowlist='], { ipAllowlist: [] }],
  [['--ipAllowlist', '10.0.0.0/8,::1'], { ipAllowlist: ['10.0.0.0/8', '::1'] }],
  [['--ipAllowlist=10.0.0.0/8'], { ipAllowlist: ['10.0.0.0/8'] }],
  [['--ipAllowlist', '["a,b"]'], { ipAllowlist: ['a,b'] }],
  [['--name=a=b'], { name: 'a=b' }],
  [['--name='], { name: '' }],
  [['--name=--dashed'], { name: '--dashed' }],
  [['--name', '-1'], { name: '-1' }],
  [['--name', 'two words'], { name: 'two words' }],
  [['--description', 'null', '--expiresAt=null'], { description: null, expiresAt: null }],
  [['--expectedVersion', '3'], { expectedVersion: 3 }],
  [['--rotationPolicy', '{"maxAgeDays":30}'], { rotationPolicy: { maxAgeDays: 30 } }],
  [['--rotationPolicy=null'], { rotationPolicy: null }],
])('api-keys.update %j is %j', (words, input) => {
  expect(read('api-keys.update', ...workspace, ...id, ...words)).toEqual(input)
})

test.each([
  [['--dryRun'], { dryRun: true }],
  [['--dryRun', '--suspended'], { dryRun: true, suspended: true }],
  [['--dryRun', 'false'], { dryRun: false }],
  [['--dryRun=false'], { dryRun: false }],
  [['--dryRun=true', '--name', 'Acme'], { dryRun: true, name: 'Acme' }],
])('workspaces.update %j is %j', (words, input) => {
  expect(read('workspaces.update', ...id, ...words)).toEqual(input)
})

test('--workspace and --json are for the command line, not for the operation', () => {
  const parsed = parseArguments(operationNamed('webhooks.list'), ['--json', '--workspace=w', '--limit', '5'])

  expect(parsed).toEqual({ input: { limit: 5 }, workspaceId: 'w', json: true })
})

test.each([
  ['api-keys.list', ['--limit', '5'], 'api-keys.list needs --workspace.'],
  ['webhooks.create', workspace, 'webhooks.create needs --name, --url, --eventTypes.'],
  ['api-keys.list', [...workspace, '--limt', '5'], 'api-keys.list has no field limt; it has limit, cursor.'],
  ['api-keys.list', [...workspace, '--toString', '5'], 'api-keys.list has no field toString; it has limit, cursor.'],
  ['event-types.list', ['--x', '1'], 'event-types.list has no field x; it has none.'],
  ['api-keys.list', [...workspace, '--limit', 'five'], '--limit takes a number, not "five".'],
  ['api-keys.list', [...workspace, '--limit='], '--limit takes a number, not "".'],
  ['api-keys.list', [...workspace, '--limit'], '--limit needs a value. One that begins with -- is written --limit=--…'],
  [
    'api-keys.list',
    ['--workspace', '--limit'],
    '--workspace needs a value. One that begins with -- is written --workspace=--…',
  ],
  ['api-keys.list', [...workspace, ...workspace], '--workspace is given twice.'],
  ['api-keys.list', [...workspace, '--limit', '5', '6'], 'Expected --name value, not "6".'],
  ['api-keys.list', [...workspace, '-limit', '5'], 'Expected --name value, not "-limit".'],
  ['api-keys.list', [...workspace, '--json=false'], '--json takes no value.'],
  ['workspaces.list', workspace, 'workspaces.list acts in no one workspace: leave out --workspace.'],
  ['workspaces.update', [...id, '--dryRun=yes'], '--dryRun is true or false, not "yes".'],
  ['workspaces.update', [...id, '--dryRun', 'yes'], 'Expected --name value, not "yes".'],
  ['workspaces.update', [...id, '--apiPolicy', '{x}'], '--apiPolicy takes JSON, and this is none: {x}'],
])('%s %j is not called: %s', (name, words, said) => {
  expect(() => parseArguments(operationNamed(name), words)).toThrow(new UsageError(said))
})
