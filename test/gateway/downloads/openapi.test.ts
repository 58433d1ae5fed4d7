import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startupSentence } from '#runtime/process.ts'
import { readCollections } from '../../../gateway/downloads/collections.ts'
import { readConsole } from '../../../gateway/downloads/console.ts'
import { readDescriptions } from '../../../gateway/downloads/openapi.ts'
import { descriptionFiles } from '../../../docs/openapi.ts'
import { thrownBy } from '../support/checks.ts'

const described = '{"servers":[{"url":"/"}]}'
const yaml = 'servers:\n  - url: /\n'

test('the files that the gateway reads are what the contract says', () => {
  for (const [path, text] of descriptionFiles()) {
    expect(readFileSync(path, 'utf8') === text, `${path} is out of date, run "npm run openapi"`).toBe(true)
  }
})

const [yamlName, settingsName, jsonName] = ['openapi.yaml', 'openapi-settings.json', 'openapi.json']
const collected = 'https://workspace.example'
const downloads = ['openapi-3.0.json', 'postman.json', 'bruno.json', 'requests.http', 'workflows.arazzo.yaml']
const descriptions = { [jsonName]: described, [yamlName]: yaml, [settingsName]: described }
test.each([
  ['The description', yamlName, { ...descriptions, [yamlName]: null }, 'openapi'],
  ['The description', settingsName, { ...descriptions, [settingsName]: '{"openapi":"3.' }, 'openapi'],
  ['The description', jsonName, { ...descriptions, [jsonName]: '{"openapi":"3.1.1","servers":[]}' }, 'openapi'],
  ...downloads.map((name, at): [string, string, Record<string, string | null>, string] => [
    'The download',
    name,
    Object.fromEntries(downloads.slice(0, at).map((each) => [each, collected])),
    'openapi',
  ]),
  ['The download', 'openapi-3.0.json', { 'openapi-3.0.json': '{"servers":[{"url":"/"}]}' }, 'openapi'],
  ['The console in', '', {}, 'console:build'],
])(
  '%s %s that was not built, is cut short or has no place for the address fails the start in a sentence',
  (what, wrong, files, run) => {
    const folder = mkdtempSync(join(tmpdir(), 'downloads-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    for (const [name, text] of Object.entries(files)) if (text !== null) writeFileSync(join(folder, name), text)

    const readers = { console: readConsole, download: readCollections, description: readDescriptions }
    const [, kind = ''] = /^The (\w+)/.exec(what) ?? []
    const error = thrownBy(() => readers[kind as keyof typeof readers](folder))

    expect(startupSentence(error)).toBe(`${what} ${join(folder, wrong)} cannot be read. Run "npm run ${run}" first.`)
  },
)
