import { expect, test } from 'vitest'
import { entityTagsIn, matchesStrongly, matchesWeakly } from '#runtime/etag-match.ts'

const strong = (opaque: string) => ({ weak: false, opaque })

test.each([
  ['"7"', [strong('7')]],
  ['W/"7"', [{ weak: true, opaque: '7' }]],
  ['"1", W/"2" ,"3"', [strong('1'), { weak: true, opaque: '2' }, strong('3')]],
  ['"a,b","c"', [strong('a,b'), strong('c')]],
  [' , "1",, ', [strong('1')]],
  ['""', [strong('')]],
  [' * ', '*'],
])('%s is read as what it names', (text, tags) => {
  expect(entityTagsIn(text)).toEqual(tags)
})

test.each(['', ' ', ',', '7', '"7', '7"', 'w/"7"', 'W/ "7"', '"1" "2"', '"1""2"', '"1", *', '*, "1"', '"a b"'])(
  '%j is no list of tags',
  (text) => {
    expect(entityTagsIn(text)).toBeNull()
  },
)

test('a weak tag names what somebody has, and is no ground to change it', () => {
  const tags = entityTagsIn('W/"7", "8"') ?? []

  expect(['7', '8', '"8"', '9'].map((opaque) => matchesStrongly(tags, opaque))).toEqual([false, true, false, false])
  expect(['7', '8', '"8"', '9'].map((opaque) => matchesWeakly(tags, opaque))).toEqual([true, true, false, false])
  expect([matchesStrongly('*', '7'), matchesWeakly('*', '7')]).toEqual([true, true])
})

test('a header of nothing but spaces is refused as fast as any', () => {
  expect(entityTagsIn(`${' '.repeat(100_000)}x`)).toBeNull()
})
