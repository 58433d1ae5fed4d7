// The cases that the package leaves to its caller; what the API and the pages take is tested beside them.
import { expect, test } from 'vitest'
import { preferredEncoding, preferredType } from '../../runtime/content-negotiation.ts'

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

test.each([
  ['*, gzip;q=0', null],
  ['gzip;q=0, *;q=1', null],
  ['identity, gzip;q=0.1', 'gzip'],
  ['*;q=0.1', 'gzip'],
  ['gzip;q=.5', 'gzip'],
  ['gzip;q=nonsense', null],
  ['gzip;q=7', null],
  [undefined, null],
])('where only gzip is offered, a caller that accepts “%s” gets %s', (accepted, encoding) => {
  expect(preferredEncoding(accepted, ['gzip'])).toBe(encoding)
})
