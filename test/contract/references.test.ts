// Names in the place of ids, as text: every own id has one name, and is read back from it as it was.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { earlierItemIn, nameOfOwnId, parseName, referenceLengthMax } from '#contract/references.ts'
import { externalIdLengthMax, externalSourceLengthMax } from '#contract/shared-fields.ts'

const textUpTo = (maxLength: number) =>
  fc.string({
    minLength: 1,
    maxLength,
    unit: fc.oneof(
      fc.constantFrom('/', '%', ':', ',', '!', '\\', '%2F', '%25', 'é', '日', '\n', '@'),
      fc.string({ minLength: 1, maxLength: 1 }),
    ),
  })

test('every own id is read back from its name, whatever signs are in it, and no two have one name', () => {
  const ownId = fc.tuple(textUpTo(externalSourceLengthMax), textUpTo(externalIdLengthMax))
  const fits = ([source, id]: readonly [string, string]) =>
    Array.from(source).length <= externalSourceLengthMax && Array.from(id).length <= externalIdLengthMax

  fc.assert(
    fc.property(ownId.filter(fits), ([source, externalId]) => {
      const name = nameOfOwnId(source, externalId)

      expect(parseName(name)).toEqual({ form: 'own-id', source, externalId })
      expect(Array.from(name).length).toBeLessThanOrEqual(referenceLengthMax)
    }),
  )
})

test.each([
  ['ext:erp/co/17%', { form: 'own-id', source: 'erp', externalId: 'co/17%' }],
  ['ext:a%2Fb%25/1', { form: 'own-id', source: 'a/b%', externalId: '1' }],
  ['ext:a%2fb/1', { form: 'own-id', source: 'a/b', externalId: '1' }],
  ['ext:erp', null],
  ['ext:/1', null],
  ['ext:erp/', null],
  ['ext:50%/1', null],
  [`ext:${'s'.repeat(41)}/1`, null],
  [`ext:erp/${'i'.repeat(201)}`, null],
  ['email:Ada@Example.com', { form: 'email', text: 'ada@example.com' }],
  ['Ada@example.com', { form: 'email', text: 'ada@example.com' }],
  ['domain:Example.com', { form: 'domain', text: 'example.com' }],
  ['WEB-42', { form: 'called', text: 'WEB-42' }],
  ['0199A7C2-5F00-7000-8000-000000000001', { form: 'id', text: '0199a7c2-5f00-7000-8000-000000000001' }],
])('%s is read as %o', (text, name) => {
  expect(parseName(text)).toEqual(name)
})

test.each([
  ['#0', 0],
  ['#99', 99],
  ['#01', null],
  ['#', null],
  ['#-1', null],
  ['##1', null],
  ['3', null],
])('%s names the earlier item %o', (text, index) => {
  expect(earlierItemIn(text)).toBe(index)
})
