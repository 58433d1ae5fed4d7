import { expect, test } from 'vitest'
import { makeToken, tokenHash } from '#runtime/bearer-tokens.ts'
import { bearerToken, isToken, keyHash } from '../../../gateway/auth/key-policies.ts'
import { codeOf } from '../support/checks.ts'

test.each([
  ['Bearer abc', 'abc'],
  ['bearer   abc', 'abc'],
  [undefined, 'missing_credentials'],
  ['', 'missing_credentials'],
  ['Bearer', 'missing_credentials'],
  ['Bearer a b', 'missing_credentials'],
  ['Basic abc', 'missing_credentials'],
])('of the header %s the token is %s', (header, expected) => {
  let token = ''
  const code = codeOf(() => (token = bearerToken(header)))
  expect(code === 'passes' ? token : code).toBe(expected)
})

test('only what has the form and checksum of a key gets a hash', () => {
  const { token, hash } = makeToken('wsk')
  expect(keyHash(token)).toBe(hash.toString('hex'))
  expect([
    keyHash(`${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`),
    keyHash(''),
    keyHash(makeToken('wso').token),
  ]).toEqual([null, null, null])
})

test('tokens are compared whole', () => {
  expect([isToken('abc', tokenHash('abc')), isToken('ab', tokenHash('abc')), isToken('', tokenHash('abc'))]).toEqual([
    true,
    false,
    false,
  ])
})
