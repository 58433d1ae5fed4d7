// The examples of the descriptions are what the product answers. `RECORD_EXAMPLES=1` writes them anew.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordExamples } from '../support/recorded-examples/record.ts'
import { commandToRecord } from '../support/recorded-examples/stable-values.ts'

const file = join(import.meta.dirname, '../../contract/openapi/recorded-examples.json')

test('what is recorded anew has the fields and types that the recorded examples have', async () => {
  const recorded = await recordExamples()
  if (process.env['RECORD_EXAMPLES'] !== undefined) writeFileSync(file, `${JSON.stringify(recorded, null, 2)}\n`)

  const kept: unknown = JSON.parse(readFileSync(file, 'utf8'))

  expect(shapes(recorded), `Record the examples anew: ${commandToRecord}`).toEqual(shapes(kept))
}, 240_000)

/** The type of each value by its place; of the items of a list those of the first. */
function shapes(value: unknown, place = ''): string[] {
  if (value === null) return [`${place}: null`]
  if (Array.isArray(value)) return value.length === 0 ? [`${place}: []`] : shapes(value[0], `${place}[]`)
  if (typeof value !== 'object') return [`${place}: ${typeof value}`]
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, each]) => shapes(each, `${place}/${name}`))
}
