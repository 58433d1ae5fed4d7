// The cases that the package leaves to its caller; what the API and the pages take is tested beside them.
import { expect, test } from 'vitest'
import { entityTagsIn, preferredType } from '#runtime/http-headers.ts'

test.each([
  ['application/json;charset=utf-8', 'application/json'],
  ['application/json; profile="a,b"; q=0.4, text/html;q=0.3', 'application/json'],
  ['application/json;q=nonsense', 'application/json'],
  ['application/json, text/*', 'text/html'],
  ['*/*;q=0.5, application/json', 'application/json'],
  ['application/json, text/html;q=1.0', 'text/html'],
  ['text/*;q=0, */*', 'application/json'],
  ['*', null],
  [';q=1', null],
])('of HTML and JSON, a caller that accepts “%s” gets %s', (accept, type) => {
  expect(preferredType(accept, ['text/html', 'application/json'])).toBe(type)
})

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

test('a header of nothing but spaces is refused as fast as any', () => {
  expect(entityTagsIn(`${' '.repeat(100_000)}x`)).toBeNull()
})
