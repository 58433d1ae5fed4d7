// Tokens: made from 256 random bits, told from junk without a look-up, kept only as a hash.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWellFormed, makeToken, tokenHash } from '#runtime/bearer-tokens.ts'

test('a token has its label, eight public characters and 49 more; its hash is the SHA-256 of all; no two are alike', () => {
  const made = Array.from({ length: 1_000 }, () => makeToken('wsk'))
  const [{ token, prefix, hash }] = made as [(typeof made)[0]]

  expect(token).toMatch(/^wsk_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/)
  expect([prefix, isWellFormed('wsk', token)]).toEqual([token.slice(0, 12), true])
  expect([hash, tokenHash(token)]).toEqual(Array(2).fill(createHash('sha256').update(token).digest()))
  for (const part of ['token', 'prefix'] as const) expect(new Set(made.map((each) => each[part])).size).toBe(1_000)
})

test('one changed character is noticed, wherever it stands', () => {
  const { token } = makeToken('wsk')
  const property = fc.property(
    fc.nat(token.length - 1),
    fc.constantFrom('0', 'A', 'z', '_', '-', 'é'),
    (at, character) => {
      fc.pre(token[at] !== character)
      expect(isWellFormed('wsk', token.slice(0, at) + character + token.slice(at + 1))).toBe(false)
    },
  )
  fc.assert(property)
})

test('another label, another length and other text are no tokens', () => {
  const { token } = makeToken('wsk')
  const cut = ['', 'wsk_', token.slice(1), `${token}0`, ` ${token}`.slice(0, token.length)]
  for (const text of [...cut, makeToken('wso').token, token.toLowerCase()])
    expect(isWellFormed('wsk', text)).toBe(false)
  fc.assert(fc.property(fc.string(), (text) => !isWellFormed('wsk', text)))
})
