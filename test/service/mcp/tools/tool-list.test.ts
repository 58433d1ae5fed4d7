// What tools/list costs a conversation, whether every client can read it, and who sees which tools.

import { Ajv2020 } from 'ajv/dist/2020.js'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { scopes } from '#contract/scopes.ts'
import { toolNamed, tools } from '#contract/tools/catalogue.ts'
import { readArguments } from '#contract/tools/lenient-arguments.ts'
import type { Caller } from '../../../../service/mcp/tools/runner.ts'
import { toolsFor } from '../../../../service/mcp/tools/tool-list.ts'
import { converters, withNulls, type Declared } from '../../../support/provider-schemas.ts'
import { exchangeOf } from './exchange.ts'

const listFor = (caller: Partial<Caller> & { readonly scopes?: readonly string[] } = {}) => toolsFor(exchangeOf(caller))
const namesFor = (...args: Parameters<typeof listFor>) => listFor(...args).map(({ name }) => name)
const tokensOf = (list: readonly object[]) => countTokens(JSON.stringify({ tools: list }))
const readScopes = scopes.filter((scope) => scope.endsWith(':read'))

test('all tools together are at most 25 and 12,000 tokens; a key that may only read is listed less than half of that', () => {
  const all = listFor()
  const readable = listFor({ scopes: readScopes })

  expect(all).toHaveLength(25)
  expect(tokensOf(all)).toBeLessThanOrEqual(12_000)
  expect(readable).toHaveLength(13)
  expect(tokensOf(readable)).toBeLessThanOrEqual(6_000)
})

test('no sentence stands in two descriptions, and none speaks of defaults that it does not name', () => {
  const sentences = tools.flatMap(({ description }) => description.split(/(?<=[.!?]) /).map((each) => each.trim()))

  expect(sentences.filter((each, at) => sentences.indexOf(each) !== at)).toEqual([])
  expect(sentences.filter((each) => /gets? its default/.test(each))).toEqual([])
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
    const example = /Example[^{]*(\{.*\})/s.exec(listed.description ?? '')?.[1]
    const validate = new Ajv2020({ strict: true }).compile(listed.inputSchema as object)

    if (example !== undefined) expect([validate(JSON.parse(example)), validate.errors]).toEqual([true, null])
    else expect(listed.inputSchema.required ?? []).toEqual([])
  })

  test('says whether it changes something, and whom it can hurt', () => {
    const writes = /\.(?:create|update|delete|restore|bulk)$/.test(name)

    expect(listed.annotations).toMatchObject({ readOnlyHint: !writes, openWorldHint: false })
    if (/\.(?:update|delete|bulk)$/.test(name)) expect(listed.annotations).toMatchObject({ destructiveHint: true })
    if (writes) expect(Object.keys(listed.inputSchema.properties ?? {})).toContain('idempotencyKey')
    if (/\.(?:update|delete|bulk)$/.test(name))
      expect(Object.keys(listed.inputSchema.properties ?? {})).toContain('dryRun')
  })
})

test('the list is in the order of the names, the same for every key', () => {
  expect(namesFor()).toEqual(namesFor().toSorted())
  expect(namesFor({ scopes: readScopes })).toEqual(namesFor().filter((name) => toolNamed(name)?.hints.readOnly))
})

test('a key sees the tools that its scopes allow, and of enumerated values those that they do not refuse', () => {
  const list = listFor({ scopes: ['projects:read'] })

  expect(list.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['projects.get', 'projects.list', 'objects.count', 'search.query', 'whoami']),
  )
  expect(
    list.map(({ name }) => name).filter((name) => /^(?:tasks|documents|crm)|create|update|delete/.test(name)),
  ).toEqual([])
  const { expand } = list.find(({ name }) => name === 'projects.get')!.inputSchema.properties as Record<string, unknown>
  expect(expand).toBeUndefined()
  const { type } = list.find(({ name }) => name === 'objects.count')!.inputSchema.properties as Record<string, unknown>
  expect(type).toMatchObject({ enum: ['projects'] })
})

test('the headers of a connection narrow further', () => {
  expect(namesFor({ isReadonly: true })).toEqual(namesFor({ scopes: readScopes }))
  expect(namesFor({ toolsets: new Set(['tasks'] as const) })).toEqual([
    'tasks.create',
    'tasks.get',
    'tasks.list',
    'tasks.update',
  ])
})

test('names come with underscores for clients that refuse dots, and both find the tool', () => {
  const names = namesFor({ naming: 'underscores' })

  expect(names.every((name) => /^[a-z_-]{1,64}$/.test(name))).toBe(true)
  expect(names.map((name) => toolNamed(name))).toEqual(namesFor().map((name) => toolNamed(name)))
  expect(toolNamed('Projects.list')).toBeUndefined()
})

describe.each(converters)('by the published rules of %s', (_provider, convert) => {
  const offered = listFor({ naming: 'underscores' }) as readonly Declared[]

  test.each(offered.map((tool) => [tool.name, tool] as const))(
    '%s converts to a schema of its example',
    (name, tool) => {
      const example = /Example[^{]*(\{.*\})/s.exec(tool.description)?.[1] ?? '{}'
      const args = JSON.parse(example) as Record<string, unknown>
      const converted = convert(tool)
      const sent = withNulls(converted, args) as Record<string, unknown>
      const validate = new Ajv2020({ strict: false }).compile(converted)

      const isOpen = /"(?:filter|data|customFields)":/.test(example)
      if (!isOpen) expect([validate(sent), validate.errors]).toEqual([true, null])
      if (!name.endsWith('_update')) expect(readArguments(toolNamed(name)!, sent, () => undefined).args).toEqual(args)
    },
  )
})

test('null stands beside another type only where it clears a field, and no list demands that its items differ', () => {
  const nullable = tools.filter(({ input }) => JSON.stringify(input).includes('"null"')).map(({ name }) => name)

  expect(nullable).toEqual(['crm-entities.update', 'documents.update', 'projects.update', 'tasks.update'])
  expect(JSON.stringify(tools)).not.toContain('uniqueItems')
})
