// What a key can be allowed: each scope with the calls that it opens, and the presets.
import { operations } from '#contract/api.ts'
import { presetNamed, presetNames, type PresetName } from '#contract/key-preset.ts'
import { meaningOfScope } from '#contract/scope-descriptions.ts'
import { scopes, type Scope } from '#contract/scope.ts'
import { cell, heading, pageOf, paragraph, table } from './html.ts'
import type { Page } from './page.ts'

const ofScope = (scope: Scope) => ({
  scope,
  meaning: meaningOfScope(scope),
  operations: operations
    .filter((operation) => operation.scope === scope && operation.audiences.includes('api'))
    .map(({ name }) => name),
})
const ofPreset = (name: PresetName) => ({ name, ...presetNamed(name) })

export const scopesPage = (): Page => ({
  json: { scopes: scopes.map(ofScope), presets: presetNames.map(ofPreset) },
  html: pageOf(
    'Scopes',
    paragraph(
      'A key may do what its scopes allow, and nothing else. `write` and `delete` include `read` of the same things. Give a key as few as it needs.',
    ),
    ...presetParts(),
    heading('All scopes', 'scopes'),
    table(['Scope', 'What it allows', 'Calls'], scopes.map(rowOf)),
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
    presetNames.map(ofPreset).map(({ name, meaning, scopes }) => [cell(`\`${name}\``), cell(meaning), marked(scopes)]),
  ),
]

const rowOf = (scope: Scope): string[] => {
  const { meaning, operations } = ofScope(scope)
  return [cell(`\`${scope}\``), cell(meaning), marked(operations)]
}

const marked = (names: readonly string[]): string => cell(names.map((name) => `\`${name}\``).join(' '))
