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

  expect(differences(recorded, kept), `Record the examples anew: ${commandToRecord}`).toEqual([])
}, 240_000)

/**
 * Fields and types; of the items of a list those of the first. Whether what may be null is null can depend on the
 * moment.
 */
function differences(anew: unknown, kept: unknown, place = ''): string[] {
  if (anew === null || kept === null) return []
  if (Array.isArray(anew) && Array.isArray(kept)) {
    if (anew.length === 0 || kept.length === 0) return anew.length === kept.length ? [] : [`${place}: is empty in one`]
    return differences(anew[0], kept[0], `${place}/0`)
  }
  if (typeof anew !== typeof kept || Array.isArray(anew) !== Array.isArray(kept))
    return [`${place}: ${typeof anew}, and ${typeof kept} in what is kept`]
  if (typeof anew !== 'object') return []
  const [now, before] = [anew, kept] as [Fields, Fields]
  return [...new Set([...Object.keys(now), ...Object.keys(before)])].toSorted().flatMap((name) => {
    if (now[name] === undefined) return [`${place}/${name}: is answered no more`]
    if (before[name] === undefined) return [`${place}/${name}: is new`]
    return differences(now[name], before[name], `${place}/${name}`)
  })
}

type Fields = Readonly<Record<string, unknown>>
