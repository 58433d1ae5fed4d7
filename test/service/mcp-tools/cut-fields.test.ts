// Objects that are too long for an answer.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutToFit, estimateTokens } from '../../../service/mcp/tools/budget.ts'

test('what fits stays as it is', () => {
  const object = { id: '1', description: 'short' }

  expect(cutToFit(object, 100)).toEqual({ object, cut: {} })
})

test('the longest text is cut, with a mark in it and its lengths beside it', () => {
  const { object, cut } = cutToFit({ id: '1', status: 'active', description: 'word '.repeat(2_000) }, 500)

  expect(object).toMatchObject({ id: '1', status: 'active' })
  expect(object['description']).toMatch(/^(word )+w?o?r?d?… \[cut: (\d+) of 10000 characters\]$/)
  expect(cut['description']).toMatch(/^\d+ of 10000 characters$/)
})

test('a list that is too long is left out by name', () => {
  const { object, cut } = cutToFit({ id: '1', memberIds: Array.from({ length: 500 }, (_, at) => `member-${at}`) }, 300)

  expect([object, cut]).toEqual([{ id: '1' }, { memberIds: 'left out' }])
})

test('whatever is cut fits, and whatever is missing is named', () => {
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 3_000 }),
    fc.lorem({ maxCount: 800 }),
    fc.array(fc.uuid(), { maxLength: 80 }),
  )
  fc.assert(
    fc.property(
      fc.dictionary(fc.stringMatching(/^[a-z]{3,8}$/), value),
      fc.integer({ min: 200, max: 2_000 }),
      (fields, tokensMax) => {
        const { object, cut } = cutToFit({ id: '1', ...fields }, tokensMax)

        const changed = Object.keys(fields).filter((name) => object[name] !== fields[name])
        expect(Object.keys(cut).toSorted()).toEqual(changed.toSorted())
        if (!['name', 'title', 'key', 'kind'].some((name) => name in fields))
          expect(estimateTokens(JSON.stringify(object))).toBeLessThanOrEqual(tokensMax)
      },
    ),
  )
})
