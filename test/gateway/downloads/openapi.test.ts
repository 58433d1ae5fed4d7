import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startupSentence } from '#runtime/process.ts'
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

test.each([
  ['has not been built', 'openapi.yaml', { 'openapi.json': described, 'openapi-settings.json': described }],
  [
    'is cut short',
    'openapi-settings.json',
    { 'openapi.json': described, 'openapi.yaml': yaml, 'openapi-settings.json': '{"openapi":"3.' },
  ],
  ['has no place for the address', 'openapi.json', { 'openapi.json': '{"openapi":"3.1.1","servers":[]}' }],
])('where a description %s, the start fails in a sentence that says what to run', (_what, wrong, files) => {
  const folder = mkdtempSync(join(tmpdir(), 'descriptions-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)

  const error = thrownBy(() => readDescriptions(folder))

  expect(startupSentence(error)).toBe(
    `The description ${join(folder, wrong)} cannot be read. Run "npm run openapi" first.`,
  )
})
