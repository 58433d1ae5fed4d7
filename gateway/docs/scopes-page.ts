// What keys can be allowed to do: each scope with the operations that it opens, and the presets.
import { operations } from '#contract/api.ts'
import { presetNamed, presetNames, type PresetName } from '#contract/key-preset.ts'
import { meaningOfScope, scopes, type Scope } from '#contract/scopes.ts'
import { cell, heading, htmlPage, paragraph, table } from './html.ts'
import type { Page } from './page.ts'

const scopeEntry = (scope: Scope) => ({
  scope,
  meaning: meaningOfScope(scope),
  operations: operations
    .filter((operation) => operation.scope === scope && operation.audiences.includes('api'))
    .map(({ name }) => name),
})
const presetEntry = (name: PresetName) => ({ name, ...presetNamed(name) })

export const scopesPage = (): Page => ({
  json: { scopes: scopes.map(scopeEntry), presets: presetNames.map(presetEntry) },
  html: htmlPage(
    'Scopes',
    paragraph(
      'A key may do what its scopes allow, and nothing else. `write` and `delete` include `read` of the same things. Give a key as few as it needs.',
    ),
    ...presetParts(),
    heading('All scopes', 'scopes'),
    table(['Scope', 'What it allows', 'Calls'], scopes.map(scopeRow)),
    paragraph('`GET /me` and what needs no scope is open to every key.'),
  ),
})

const presetParts = (): string[] => [
  heading('Presets', 'presets'),
  paragraph(
    'Where a key is made, `preset` stands in place of `scopes`. The key holds the scopes of the preset one by one: it does not change when the preset does.',
  ),
  table(
    ['Preset', 'For what', 'Scopes'],
    presetNames
      .map(presetEntry)
      .map(({ name, meaning, scopes }) => [cell(`\`${name}\``), cell(meaning), codeList(scopes)]),
  ),
]

const scopeRow = (scope: Scope): string[] => {
  const { meaning, operations } = scopeEntry(scope)
  return [cell(`\`${scope}\``), cell(meaning), codeList(operations)]
}

const codeList = (names: readonly string[]): string => cell(names.map((name) => `\`${name}\``).join(' '))
