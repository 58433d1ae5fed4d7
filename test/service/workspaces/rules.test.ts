import fc from 'fast-check'
import { expect, test } from 'vitest'
import { slugCandidates } from '../../../service/workspaces/rules.ts'

const never = () => 0

test('slugs are the name in ASCII letters, then with a number, then with random letters', () => {
  const slugs = [...slugCandidates('Café Olé & Söhne', never, 1)]

  expect(slugs.slice(0, 3)).toEqual(['cafe-ole-sohne', 'cafe-ole-sohne-2', 'cafe-ole-sohne-3'])
  expect(slugs.slice(-2)).toEqual(['cafe-ole-sohne-9', 'cafe-ole-sohne-aaaaaaaa'])
  expect([...slugCandidates('日本', never, 0)][0]).toBe('workspace')
})

test('every candidate is a valid slug, whatever the name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (name) => {
      for (const slug of slugCandidates(name, Math.random, 5))
        expect(slug).toMatch(/^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/)
    }),
  )
})
