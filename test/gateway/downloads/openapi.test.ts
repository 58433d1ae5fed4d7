import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startupSentence } from '#runtime/process.ts'
import { readDescriptions } from '../../../gateway/downloads/openapi.ts'
import { descriptionFiles } from '../../../docs/openapi.ts'

const described = '{"servers":[{"url":"/"}]}'
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'descriptions-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the files that the gateway reads are what the contract says', () => {
  for (const [path, text] of descriptionFiles()) {
    expect(readFileSync(path, 'utf8') === text, `${path} is out of date, run "node docs/openapi.ts"`).toBe(true)
  }
})

test('where a description has not been built, the start fails in a sentence that says what to run', () => {
  writeFileSync(join(folder, 'openapi.json'), described)
  writeFileSync(join(folder, 'openapi-settings.json'), described)

  expect(sentenceOfStart()).toBe(
    `The description ${join(folder, 'openapi.yaml')} cannot be read. Run "node docs/openapi.ts" first.`,
  )
})

test('where a description is cut short, the start fails in the same sentence', () => {
  writeFileSync(join(folder, 'openapi.json'), described)
  writeFileSync(join(folder, 'openapi.yaml'), 'servers:\n  - url: /\n')
  writeFileSync(join(folder, 'openapi-settings.json'), '{"openapi":"3.')

  expect(sentenceOfStart()).toBe(
    `The description ${join(folder, 'openapi-settings.json')} cannot be read. Run "node docs/openapi.ts" first.`,
  )
})

test('where a description has no place for the address, the start fails in the same sentence', () => {
  writeFileSync(join(folder, 'openapi.json'), '{"openapi":"3.1.1","servers":[]}')

  expect(sentenceOfStart()).toBe(
    `The description ${join(folder, 'openapi.json')} cannot be read. Run "node docs/openapi.ts" first.`,
  )
})

function sentenceOfStart(): string | null {
  try {
    readDescriptions(folder)
    return null
  } catch (error) {
    return startupSentence(error)
  }
}
