// docs/mcp.md lists the tools, templates and prompts that there are.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { scopes } from '#contract/scopes.ts'
import { tools } from '#contract/tools/catalogue.ts'
import type { Tool } from '#contract/tools/tool.ts'
import { listResourceTemplates } from '../../../service/mcp/context/resources.ts'
import { listPrompts } from '../../../service/mcp/context/prompts.ts'
import type { Exchange } from '../../../service/mcp/tools/runner.ts'

const text = readFileSync(join(import.meta.dirname, '../../../docs/mcp.md'), 'utf8')

/** The rows of the table between these two marks, without its head. */
function rowsOf(mark: string): string[] {
  const [, block = ''] = new RegExp(`<!-- ${mark} -->([^]*?)<!-- /${mark} -->`).exec(text) ?? []
  return block.split('\n').filter((line) => line.startsWith('| `'))
}
const firstCells = (rows: readonly string[]): string[] => rows.map((row) => /^\| `([^`]+)`/.exec(row)?.[1] ?? '')

const caller: Exchange['caller'] = {
  principal: {
    kind: 'api_key',
    id: 'k',
    name: 'Key',
    workspaceId: null,
    scopes: [...scopes],
    surface: 'mcp',
    requestId: 'r',
    clientAddress: '',
    quota: null,
  },
  isReadonly: false,
  toolsets: null,
  naming: 'dots',
  hasStructuredContent: true,
}
const everything: Exchange = {
  caller,
  execute: () => Promise.reject(new Error('Nothing is called')),
  signal: new AbortController().signal,
}

const row = ({ name, title, scope, toolset, hints }: Tool): string =>
  `| \`${name}\` | ${title} | ${scopeText(scope)} | ${toolset} | ${hintText(hints)} |`

const scopeText = (scope: Tool['scope']): string =>
  scope === null ? 'any' : `\`${typeof scope === 'string' ? scope : `<type>:${scope.byType}`}\``

const hintText = ({ readOnly, destructive, idempotent }: Tool['hints']): string =>
  readOnly ? 'reads' : [destructive ? 'can destroy' : 'adds', ...(idempotent ? ['repeatable'] : [])].join(', ')

test('the table of tools is the catalogue', () => {
  expect(rowsOf('tools')).toEqual(tools.map(row))
})

test('the table of templates names those that a key with all scopes is listed', () => {
  const { resourceTemplates } = listResourceTemplates(everything)

  expect(firstCells(rowsOf('templates'))).toEqual(resourceTemplates.map(({ uriTemplate }) => uriTemplate))
})

test('the table of prompts names them with their arguments', () => {
  const listed = listPrompts(everything).prompts.map(({ name, arguments: declared = [] }) => [
    name,
    ...declared.map((each) => each.name),
  ])

  const named = rowsOf('prompts').map((each) =>
    Array.from(
      each
        .split('|')
        .slice(1, 3)
        .join('|')
        .matchAll(/`([^`]+)`/g),
      ([, name]) => name,
    ),
  )
  expect(named).toEqual(listed)
})
