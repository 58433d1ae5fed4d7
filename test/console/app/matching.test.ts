import fc from 'fast-check'
import { expect, test } from 'vitest'
import { foundMax, idIn, matching } from '../../../console/app/matching.ts'

const named = (name: string, detail = '', id = `id of ${name}`) => ({ id, name, detail })
const namesFound = (names: readonly string[], text: string): string[] =>
  matching(
    names.map((name) => named(name)),
    text,
  ).map(({ name }) => name)

test('a name that begins with the text comes first, then one with such a word, then one that holds it', () => {
  expect(namesFound(['Reimport', 'Daily import', 'Import of CRM', 'Dashboard'], 'import')).toEqual([
    'Import of CRM',
    'Daily import',
    'Reimport',
  ])
})

test('every word must be there, in the name or beside it, whatever its place and its capitals', () => {
  const all = [named('CRM import', 'wsk_a1b2'), named('CRM export', 'wsk_c3d4')]

  expect(matching(all, ' IMPORT crm ')).toEqual([all[0]])
  expect(matching(all, 'crm c3D4')).toEqual([all[1]])
  expect(matching(all, 'crm nothing')).toEqual([])
})

test('an id finds its own alone, whole', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057'
  const all = [named('One', '', id), named('Two')]

  expect(matching(all, id)).toEqual([all[0]])
  expect(matching(all, id.slice(0, 12))).toEqual([])
  expect(idIn(` ${id.toUpperCase()} `)).toBe(id)
  expect(idIn(`${id}0`)).toBeNull()
})

test('whatever is typed, what is found is of the list, no more than the bound, and holds every word', () => {
  const names = fc.array(fc.string({ maxLength: 12 }), { maxLength: 30 })
  fc.assert(
    fc.property(names, fc.string({ maxLength: 8 }), (given, text) => {
      const found = namesFound(given, text)

      const words = text.trim().toLowerCase().split(/\s+/)
      expect(found.length).toBeLessThanOrEqual(foundMax)
      for (const name of found) {
        expect(given).toContain(name)
        for (const word of words) expect(name.toLowerCase()).toContain(word)
      }
    }),
  )
})
