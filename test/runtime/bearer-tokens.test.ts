// Tokens: made from 256 random bits, told from junk without a look-up, kept only as a hash.
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isWellFormed, makeToken, tokenHash } from '#runtime/bearer-tokens.ts'

test('a token has its label, eight public characters, and 49 more; the prefix is its start', () => {
  const { token, prefix } = makeToken('wsk')
  expect(token).toMatch(/^wsk_[0-9A-Za-z]{8}_[0-9A-Za-z]{49}$/)
  expect(prefix).toBe(token.slice(0, 12))
  expect(isWellFormed('wsk', token)).toBe(true)
})

test('its hash is the SHA-256 of the whole token', () => {
  const { token, hash } = makeToken('wsk')
  expect(hash.toString('hex')).toBe(createHash('sha256').update(token).digest('hex'))
  expect(tokenHash(token)).toEqual(hash)
})

test('no two tokens are alike, nor their prefixes', () => {
  const made = Array.from({ length: 1_000 }, () => makeToken('wsk'))
  expect(new Set(made.map(({ token }) => token)).size).toBe(1_000)
  expect(new Set(made.map(({ prefix }) => prefix)).size).toBe(1_000)
})

test('one changed character is noticed, wherever it stands', () => {
  const { token } = makeToken('wsk')
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom('0', 'A', 'z', '_', '-', 'é'), (at, character) => {
      fc.pre(token[at] !== character)
      expect(isWellFormed('wsk', token.slice(0, at) + character + token.slice(at + 1))).toBe(false)
    }),
  )
})

test('another label, another length and other text are no tokens', () => {
  const { token } = makeToken('wsk')
  const cut = ['', 'wsk_', token.slice(1), `${token}0`, ` ${token}`.slice(0, token.length)]
  for (const text of [...cut, makeToken('wso').token, token.toLowerCase()])
    expect(isWellFormed('wsk', text)).toBe(false)
  fc.assert(fc.property(fc.string(), (text) => !isWellFormed('wsk', text)))
})
