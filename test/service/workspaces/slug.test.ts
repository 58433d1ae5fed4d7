import fc from 'fast-check'
import { expect, test } from 'vitest'
import { slugCandidates } from '../../../service/workspaces/slug.ts'

test('a slug is the name in plain letters, then numbered', () => {
  expect([...slugCandidates('Café Olé & Söhne', 2)]).toEqual(['cafe-ole-sohne', 'cafe-ole-sohne-2', 'cafe-ole-sohne-3'])
  expect([...slugCandidates('日本', 0)]).toEqual(['workspace'])
})

test('every candidate is a slug, whatever the name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (name) => {
      for (const slug of slugCandidates(name, 50)) expect(slug).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/)
    }),
  )
})
