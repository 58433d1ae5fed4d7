import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keyCandidates } from '../../../service/projects/key-candidates.ts'

const never = () => 0

test('initials come first, then the first letters', () => {
  expect([...keyCandidates('Website relaunch', never, 0)]).toEqual(['WR', 'WEB', 'WEBS', 'WEBSI'])
})

test('accents are dropped and other scripts fall back', () => {
  expect([...keyCandidates('Élan', never, 0)][0]).toBe('ELA')
  expect([...keyCandidates('日本', never, 0)][0]).toBe('PRJ')
})

test('every candidate is a key, whatever the name', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }), (name) => {
      for (const key of keyCandidates(name, Math.random, 3)) expect(key).toMatch(/^[A-Z]{2,10}$/)
    }),
  )
})
