// Arguments as they come: what they must mean is read, and told; what could mean something else stays as it is.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toolNamed, tools } from '#contract/tools/catalogue.ts'
import { readArguments } from '#contract/tools/lenient-arguments.ts'
import { callsIn } from '#contract/tools/tool.ts'
import { checker } from '../../../service/validation/schema-validator.ts'
import { toolArguments } from '../../support/arbitrary/tool-arguments.ts'

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
const read = (name: string, args: Record<string, unknown>) => readArguments(toolNamed(name)!, args, parse)

test.each([
  ['tasks.list', { labels: '["a","b"]' }, { labels: ['a', 'b'] }, ['`labels`: JSON text was read as a list.']],
  ['tasks.list', { status: 'todo' }, { status: ['todo'] }, ['`status`: one value was read as a list of one.']],
  ['tasks.list', { assigneeId: 'me' }, { assigneeId: ['me'] }, ['`assigneeId`: one value was read as a list of one.']],
  ['tasks.list', { limit: '3' }, { limit: 3 }, ['`limit`: text was read as a number.']],
  ['tasks.list', { includeTotal: 'true' }, { includeTotal: true }, ['`includeTotal`: text was read as true or false.']],
  ['tasks.list', { q: null, cursor: null }, {}, ['`q`, `cursor`: null was read as left out.']],
  ['tasks.update', { labels: 'web' }, { labels: ['web'] }, ['`labels`: one value was read as a list of one.']],
  [
    'tasks.update',
    { labels: '{"add":"web"}' },
    { labels: { add: ['web'] } },
    ['`labels`: JSON text was read as an object.', '`labels.add`: one value was read as a list of one.'],
  ],
  ['whoami', { random_string: 'x' }, {}, ['`random_string`: was left out: this tool takes no arguments.']],
  [
    'objects.bulk',
    {
      type: 'tasks',
      items: '{"action":"update","id":"WEB-1","expectedVersion":"2","data":"{\\"estimateMinutes\\":\\"5\\"}"}',
    },
    { type: 'tasks', items: [{ action: 'update', id: 'WEB-1', expectedVersion: 2, data: { estimateMinutes: 5 } }] },
    [
      '`items`: one value was read as a list of one.',
      '`items`, `items.data`: JSON text was read as an object.',
      '`items.expectedVersion`, `items.data.estimateMinutes`: text was read as a number.',
    ],
  ],
])('%s with %j is read as %j', (name, args, expected, warnings) => {
  const found = read(name, args)

  expect(found.args).toEqual(expected)
  expect(found.warnings.toSorted()).toEqual([...warnings].toSorted())
})

describe('nothing is read where there is doubt:', () => {
  test.each([
    ['two values or one with a comma', 'tasks.list', { labels: 'a,b' }],
    ['a value that is none of the enumeration', 'tasks.list', { status: 'todo,done' }],
    ['a list that is cut off', 'tasks.list', { labels: '["a"' }],
    ['a text that is no JSON', 'tasks.list', { filter: 'status=todo' }],
    ['empty text', 'tasks.list', { labels: '', limit: '', includeTotal: '' }],
    ['more digits than a number holds', 'tasks.list', { limit: '9007199254740993' }],
    ['leading zeros', 'tasks.list', { limit: '007' }],
    ['yes', 'tasks.list', { includeTotal: 'yes' }],
    ['a number for text', 'tasks.list', { q: 5, labels: 5 }],
    ['a list for one value', 'tasks.get', { id: ['WEB-1'] }],
    ['null for what is required', 'tasks.get', { id: null }],
    ['null for a field that an update cannot clear', 'tasks.update', { id: 'a', title: null }],
    ['null where it clears', 'tasks.update', { id: 'a', dueDate: null, labels: null }],
    ['text that looks like JSON, for text', 'comments.create', { type: 'tasks', id: 'a', body: '["a"]' }],
    ['a placeholder beside arguments', 'tasks.list', { random_string: 'x' }],
    ['what is unknown', 'tasks.list', { statuses: 'todo', constructor: null }],
  ])('%s', (_what, name, args) => {
    expect(read(name, args)).toEqual({ args, warnings: [] })
  })
})

test.each(tools.map((tool) => [tool.name, tool] as const))(
  '%s: what is valid is read as it is, and in disguise as what it was, each argument named',
  (_name, tool) => {
    const check = checker(tool.inputFor?.('tasks') ?? tool.input)
    fc.assert(
      fc.property(toolArguments(tool.input, ['WEB-1', 'me']), (args) => {
        fc.pre(check(args).length === 0)
        const disguised = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, disguise(value)]))
        const changed = Object.keys(args).filter((name) => disguised[name] !== args[name])

        const found = readArguments(tool, disguised, parse)

        expect(readArguments(tool, args, parse)).toEqual({ args, warnings: [] })
        expect(found.args).toEqual(args)
        for (const name of changed) expect(found.warnings.join('\n')).toContain(`\`${name}\``)
      }),
    )
  },
)

/** As JSON text or as text; text stays text, and so do numbers that no text can be sure to mean. */
function disguise(value: unknown): unknown {
  if (typeof value === 'string' || value === null) return value
  if (typeof value === 'object') return JSON.stringify(value)
  return typeof value === 'number' && !Number.isSafeInteger(value) ? value : JSON.stringify(value)
}

test('whatever comes is read without an error, once and for all, and unread where nothing is told', () => {
  const anything = fc.tuple(
    fc.constantFrom(...tools),
    fc.dictionary(fc.oneof(fc.constantFrom('type', 'items', 'filter', 'ids', 'limit'), fc.string()), fc.jsonValue()),
  )
  fc.assert(
    fc.property(anything, ([tool, args]) => {
      const once = readArguments(tool, args, parse)
      if (once.warnings.length === 0) expect(once.args).toEqual(args)
      const twice = readArguments(tool, once.args, parse)
      expect(twice).toEqual({ args: once.args, warnings: [] })
    }),
  )
})

test('a list that comes as JSON text costs as much as the list', () => {
  const bulk = toolNamed('objects.bulk')!
  const items = Array.from({ length: 7 }, () => ({ action: 'delete', id: 'WEB-1' }))

  expect(callsIn(bulk, { items: JSON.stringify(items) })).toBe(7)
  expect(callsIn(bulk, { items: ` ${JSON.stringify(items)}` })).toBe(7)
  expect(callsIn(bulk, { items: '[' })).toBe(1)
})
