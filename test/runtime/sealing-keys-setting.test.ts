import { expect, test } from 'vitest'
import { readSettings, SettingsError } from '#runtime/settings.ts'
import { sealingKeys } from '#runtime/sealing-keys-setting.ts'

const encoded = (byte: number, bytes = 32) => Buffer.alloc(bytes, byte).toString('base64')
const manyKeys = (count: number) => Array.from({ length: count }, (_, at) => `key-${at}:${encoded(at)}`).join(',')
const read = (given?: string) => readSettings({ sealingKeys }, { SEALING_KEYS: given }).sealingKeys

test('keys are read in their order, with blanks around', () => {
  const keys = read(` 2026-11:${encoded(2)} , b:${encoded(1)}`)
  expect(keys.map(({ id }) => id)).toEqual(['2026-11', 'b'])
  expect(keys.map(({ key }) => key.export()[0])).toEqual([2, 1])
  expect(read()).toEqual([])
})

test('eight keys are taken', () => {
  expect(read(manyKeys(8))).toHaveLength(8)
})

test.each([
  ['', 'is empty'],
  [encoded(1), 'must list keys as id:base64'],
  [`a:${encoded(1)},`, '(key 2 is none)'],
  [`A:${encoded(1)}`, 'must list keys as id:base64'],
  [`${'a'.repeat(17)}:${encoded(1)}`, 'must list keys as id:base64'],
  [`a:${encoded(1)},b:${encoded(1, 31)}`, 'must have 32 bytes in base64 for each key (key 2 has others)'],
  [`a:${encoded(1, 33)}`, 'must have 32 bytes'],
  [`a:${encoded(255).replace('/', '_')}`, 'must have 32 bytes'],
  [`a:${Buffer.alloc(32, 1).toString('hex')}`, 'must have 32 bytes'],
  [`a:${encoded(1)},a:${encoded(2)}`, 'must give each key an id of its own'],
  [`a:${encoded(1)},b:${encoded(1)}`, 'must list each key once'],
  [manyKeys(9), 'must list at most 8 keys'],
])('"%s" is refused by name, and nothing of it is repeated', (given, why) => {
  const [mistake = ''] = mistakesIn(given)
  expect(mistake).toMatch(/^SEALING_KEYS /)
  expect(mistake).toContain(why)
  for (const byte of [1, 2, 255]) expect(mistake).not.toContain(encoded(byte).slice(0, 8))
})

function mistakesIn(given: string): readonly string[] {
  try {
    read(given)
  } catch (error) {
    if (error instanceof SettingsError) return error.mistakes
  }
  return []
}
