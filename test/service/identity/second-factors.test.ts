// Codes of authenticator apps and recovery codes, against RFC 6238 and against an app that is none of ours.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  newRecoveryCodes,
  plainCode,
  recoveryCodeHash,
} from '../../../service/identity/second-factors/recovery-codes.ts'
import { isAuthenticatorCode, newSecret, stepOf } from '../../../service/identity/second-factors/totp.ts'
import { codeFor } from '../../support/authenticator.ts'

const labels = { issuer: 'settings.example.com', email: 'ada@example.com' }
const at = (seconds: number): Date => new Date(seconds * 1_000)
/** `12345678901234567890`, the secret of the tables of RFC 6238 (appendix B), in base32. */
const secretOfTheTables = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %i seconds the code is that of RFC 6238', (seconds, code) => {
  expect(stepOf(code, secretOfTheTables, at(seconds))).toBe(Math.floor(seconds / 30))
})

test('a code of another app is taken in its step, the one before and the one after, and in no other', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 100, max: 4_000_000_000 }),
      fc.integer({ min: -5, max: 5 }),
      async (seconds, stepsLater) => {
        const { secret } = newSecret(labels)
        const code = await codeFor(secret, at(seconds))
        // A code may be that of another step as well, by chance.
        const steps = [-1, 0, 1].map((each) => at(seconds + (stepsLater + each) * 30))
        const near = await Promise.all(steps.map((each) => codeFor(secret, each)))

        const step = stepOf(code, secret, at(seconds + stepsLater * 30))

        expect(step !== null).toBe(near.includes(code))
        if (Math.abs(stepsLater) <= 1) expect(step).not.toBeNull()
      },
    ),
    { numRuns: 200 },
  )
})

test('what is no six digits is no code of an app, whatever it is', () => {
  const { secret } = newSecret(labels)

  fc.assert(
    fc.property(fc.string(), (text) => {
      fc.pre(!/^\d{6}$/.test(text))
      expect([isAuthenticatorCode(text), stepOf(text, secret, new Date())]).toEqual([false, null])
    }),
  )
})

test('secrets have 160 random bits, and the address for the app says what it belongs to', () => {
  const made = Array.from({ length: 50 }, () => newSecret(labels))
  const url = new URL(made[0]?.url ?? '')

  expect(new Set(made.map(({ secret }) => secret)).size).toBe(50)
  for (const { secret } of made) expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect([url.protocol, url.host, decodeURIComponent(url.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/settings.example.com:ada@example.com',
  ])
  expect(Object.fromEntries(url.searchParams)).toEqual({
    issuer: 'settings.example.com',
    secret: made[0]?.secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})

test('ten recovery codes are random, readable and known by their hash, however they are typed', () => {
  const codes = newRecoveryCodes()
  const [first = ''] = codes

  expect([codes.length, new Set(codes).size]).toEqual([10, 10])
  for (const code of codes) expect(code).toMatch(/^(?:[2-9a-kmnp-z]{4}-){3}[2-9a-kmnp-z]{4}$/)
  expect(codes.some((code) => isAuthenticatorCode(plainCode(code)))).toBe(false)
  for (const typed of [first.toUpperCase(), first.replaceAll('-', ' '), first.replaceAll('-', '')])
    expect(recoveryCodeHash(typed)).toEqual(recoveryCodeHash(first))
  expect(recoveryCodeHash(codes[1] ?? '')).not.toEqual(recoveryCodeHash(first))
})
