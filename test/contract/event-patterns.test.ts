import { expect, test } from 'vitest'
import { patternMatches } from '#contract/event.ts'

test('a pattern takes one kind, a segment, or all', () => {
  expect(patternMatches('*', 'projects.created')).toBe(true)
  expect(patternMatches('projects.*', 'projects.created')).toBe(true)
  expect(patternMatches('projects.created', 'projects.created')).toBe(true)
  expect(patternMatches('projects.*', 'projectsx.created')).toBe(false)
  expect(patternMatches('projects.created', 'projects.updated')).toBe(false)
})
