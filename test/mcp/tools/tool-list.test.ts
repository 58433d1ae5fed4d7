// What tools/list costs, whether every client can read it, who sees which tools, and that docs/guides/mcp.md lists
// them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { scopes } from '#contract/scopes.ts'
import { toolNamed, tools } from '#contract/tools/catalogue.ts'
import { readArguments } from '#contract/tools/lenient-arguments.ts'
import { toolItemsMax } from '#contract/tools/objects.ts'
import type { Tool } from '#contract/tools/tool.ts'
import { listPrompts } from '../../../service/mcp/context/prompts.ts'
import { listResourceTemplates } from '../../../service/mcp/context/resources.ts'
import { toolsFor } from '../../../service/mcp/tools/tool-list.ts'
import { converters, withNulls, type Declared } from '../support/provider-schemas.ts'
import { exchangeOf } from '../support/stage.ts'
import { foreign, lacksForeign } from '../../support/foreign.ts'

const { countTokens } = await foreign(() => import('gpt-tokenizer/encoding/o200k_base'))

const listFor = (...change: Parameters<typeof exchangeOf>) => toolsFor(exchangeOf(...change))
const namesFor = (...change: Parameters<typeof exchangeOf>) => listFor(...change).map(({ name }) => name)
const tokensOf = (list: readonly object[]) => countTokens(JSON.stringify({ tools: list }))
const readScopes = scopes.filter((scope) => scope.endsWith(':read'))
const exampleIn = (description = ''): string | undefined => /Example[^{]*(\{.*\})/s.exec(description)?.[1]

test.skipIf(lacksForeign)(
  'all tools together are at most 25 and 12,000 tokens, those across types 4,000; a key that only reads costs half',
  () => {
    const all = listFor()
    const across = all.filter(({ name }) => toolNamed(name)?.toolset === 'context')
    const readable = listFor({ scopes: readScopes })

    expect(all).toHaveLength(25)
    expect(tokensOf(all)).toBeLessThanOrEqual(12_000)
    expect(tokensOf(across)).toBeLessThanOrEqual(4_000)
    expect(readable).toHaveLength(13)
    expect(tokensOf(readable)).toBeLessThanOrEqual(6_000)
  },
)

test('no sentence stands in two descriptions, and none speaks of defaults that it does not name', () => {
  const sentences = tools.flatMap(({ description }) => description.split(/(?<=[.!?]) /).map((each) => each.trim()))

  expect(sentences.filter((each, at) => sentences.indexOf(each) !== at)).toEqual([])
  expect(sentences.filter((each) => /gets? its default/.test(each))).toEqual([])
})

test('a result that has a schema may say how the arguments were read', () => {
  const schemas = listFor().flatMap(({ outputSchema }) => outputSchema ?? [])

  expect(schemas.length).toBeGreaterThan(0)
  for (const schema of schemas) expect(schema).toMatchObject({ properties: { warnings: { type: 'array' } } })
})

describe.each(listFor().map((tool) => [tool.name, tool] as const))('%s', (name, listed) => {
  const schemas = [listed.inputSchema, ...(listed.outputSchema === undefined ? [] : [listed.outputSchema])]

  test('has schemas that a strict validator without formats of ours compiles, with an object at their roots', () => {
    for (const schema of schemas) {
      expect(schema).toMatchObject({ type: 'object' })
      expect(() => new Ajv2020({ strict: true, allErrors: true }).compile(schema as object)).not.toThrow()
      expect(JSON.stringify(schema)).not.toMatch(/"\$ref"|"format"|"pattern"|"type":\[/)
    }
  })

  test('takes the arguments that its description gives as an example', () => {
    const example = exampleIn(listed.description)
    const validate = new Ajv2020({ strict: true }).compile(listed.inputSchema as object)

    if (example !== undefined) expect([validate(JSON.parse(example)), validate.errors]).toEqual([true, null])
    else expect(listed.inputSchema.required ?? []).toEqual([])
  })

  test('says whether it changes something, and whom it can hurt: such a call can be repeated, and tried', () => {
    const taken = Object.keys(listed.inputSchema.properties ?? {})
    const isWrite = /\.(?:create|update|delete|restore|bulk)$/.test(name)

    expect(listed.annotations).toMatchObject({ readOnlyHint: !isWrite, openWorldHint: false })
    expect(taken.includes('idempotencyKey')).toBe(isWrite)
    if (!/\.(?:update|delete|bulk)$/.test(name)) return
    expect(listed.annotations).toMatchObject({ destructiveHint: true })
    expect(taken).toContain('dryRun')
  })
})

test('what works on many takes as many as a call may cost at once', () => {
  const costly = tools.filter(({ cost }) => cost !== undefined)

  expect(costly.map(({ name }) => name)).toEqual(['objects.bulk', 'objects.delete', 'objects.restore'])
  expect(toolItemsMax).toBeLessThanOrEqual(50)
})

test('a key is shown of enumerated values those that its scopes do not refuse', () => {
  const list = listFor({ scopes: ['projects:read'] })
  const propertiesOf = (tool: string) =>
    list.find(({ name }) => name === tool)!.inputSchema.properties as Record<string, unknown>

  expect(propertiesOf('projects.get')['expand']).toBeUndefined()
  expect(propertiesOf('objects.count')['type']).toMatchObject({ enum: ['projects'] })
})

test('the list is in the order of the names, the same for every key, and narrowed by the headers of a connection', () => {
  const ofTasks = ['create', 'get', 'list', 'update'].map((action) => `tasks.${action}`)

  expect(namesFor()).toEqual(namesFor().toSorted())
  expect(namesFor({ scopes: readScopes })).toEqual(namesFor().filter((name) => toolNamed(name)?.hints.readOnly))
  expect(namesFor({ isReadonly: true })).toEqual(namesFor({ scopes: readScopes }))
  expect(namesFor({ toolsets: new Set(['tasks'] as const) })).toEqual(ofTasks)
})

test('null stands beside another type only where it clears a field, and no list demands that its items differ', () => {
  const nullable = tools.filter(({ input }) => JSON.stringify(input).includes('"null"')).map(({ name }) => name)

  expect(nullable).toEqual(['crm-entities.update', 'documents.update', 'projects.update', 'tasks.update'])
  expect(JSON.stringify(tools)).not.toContain('uniqueItems')
})

describe.each(converters)('by the published rules of %s', (_provider, convert) => {
  const offered = listFor({ naming: 'underscores' }) as readonly Declared[]

  test.each(offered)('$name converts to a schema of its example', (tool) => {
    const { name, description } = tool
    const example = exampleIn(description) ?? '{}'
    const args = JSON.parse(example) as Record<string, unknown>
    const converted = convert(tool)
    const sent = withNulls(converted, args) as Record<string, unknown>
    const validate = new Ajv2020({ strict: false }).compile(converted)

    const isOpen = /"(?:filter|data|customFields)":/.test(example)
    if (!isOpen) expect([validate(sent), validate.errors]).toEqual([true, null])
    if (!name.endsWith('_update')) expect(readArguments(toolNamed(name)!, sent, () => undefined).args).toEqual(args)
  })
})

describe('docs/guides/mcp.md', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/guides/mcp.md'), 'utf8')
  /** The rows of the table between these two marks, without its head. */
  const rowsOf = (mark: string): string[] => {
    const [, block = ''] = new RegExp(`<!-- ${mark} -->([^]*?)<!-- /${mark} -->`).exec(text) ?? []
    return block.split('\n').filter((line) => line.startsWith('| `'))
  }
  const scopeText = (scope: Tool['scope']): string =>
    scope === null ? 'any' : `\`${typeof scope === 'string' ? scope : `<type>:${scope.byType}`}\``
  const hintText = ({ readOnly, destructive, idempotent }: Tool['hints']): string =>
    readOnly ? 'reads' : [destructive ? 'can destroy' : 'adds', ...(idempotent ? ['repeatable'] : [])].join(', ')

  test('has the catalogue as its table of tools', () => {
    const rowOf = ({ name, title, scope, toolset, hints }: Tool) =>
      `| \`${name}\` | ${title} | ${scopeText(scope)} | ${toolset} | ${hintText(hints)} |`

    expect(rowsOf('tools')).toEqual(tools.map(rowOf))
  })

  test('names the templates that a key with all scopes is listed, and the prompts with their arguments', () => {
    const named = rowsOf('templates').map((row) => /^\| `([^`]+)`/.exec(row)?.[1])
    const cells = rowsOf('prompts').map((row) => row.split('|').slice(1, 3).join('|'))

    expect(named).toEqual(listResourceTemplates(exchangeOf()).resourceTemplates.map(({ uriTemplate }) => uriTemplate))
    const { prompts } = listPrompts(exchangeOf())
    const inCells = cells.map((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name))
    expect(inCells).toEqual(prompts.map(({ name, arguments: args = [] }) => [name, ...args.map((each) => each.name)]))
  })
})
