import { expect, test } from 'vitest'
import { checkSameOrigin } from '../../../gateway/auth/address-policies.ts'

const own = ['https://console.example.com']

test.each([
  ['the browser says that the page is ours', { 'sec-fetch-site': 'same-origin' }],
  ['it does, whatever else is said', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
  ['an older browser names our origin', { origin: 'https://console.example.com' }],
])('a change is taken where %s', (_why, headers) => {
  expect(() => checkSameOrigin('POST', headers, own)).not.toThrow()
})

test.each([
  ['the page is of another site', { 'sec-fetch-site': 'cross-site' }],
  ['the page is of another host of the site', { 'sec-fetch-site': 'same-site' }],
  ['nobody’s page has asked', { 'sec-fetch-site': 'none' }],
  ['two answers are given', { 'sec-fetch-site': 'cross-site', origin: 'https://console.example.com' }],
  ['another origin is named', { origin: 'https://evil.example' }],
  ['our host is named with another scheme', { origin: 'http://console.example.com' }],
  ['the page has no origin', { origin: 'null' }],
  ['nothing is said', {}],
])('a change is refused where %s', (_why, headers) => {
  for (const method of ['POST', 'PATCH', 'PUT', 'DELETE'])
    expect(() => checkSameOrigin(method, headers, own)).toThrow('Changes are taken from pages of this origin alone.')
})

test('reading is not judged: no page of another origin sees the answer', () => {
  expect(() => checkSameOrigin('GET', { 'sec-fetch-site': 'cross-site' }, own)).not.toThrow()
})
