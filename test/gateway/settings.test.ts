// The rate limits of a deployment as settings: alike in each process that must know them.
import { describe, expect, test } from 'vitest'
import { defaultRates } from '#contract/rate-limits.ts'
import { SettingsError, readSettings } from '#runtime/settings.ts'
import { rateContradictions, ratesIn } from '#runtime/shared-settings.ts'
import { settings as gateway } from '../../gateway/settings.ts'
import { settings as service } from '../../service/settings.ts'
import { settings as standalone } from '../../standalone/settings.ts'

describe.each([
  ['gateway', gateway],
  ['service', service],
  ['standalone', standalone],
] as const)('of the %s', (_tier, all) => {
  const { rateLimitKeyPerMinute, rateLimitKeyBurst, rateLimitWorkspacePerMinute, rateLimitWorkspaceBurst } = all
  const ofKey = { rateLimitKeyPerMinute, rateLimitKeyBurst }
  const declared = { ...ofKey, rateLimitWorkspacePerMinute, rateLimitWorkspaceBurst }
  const read = (env: Record<string, string>) => readSettings(declared, env, rateContradictions)
  const mistakes = (...told: unknown[]) => expect.objectContaining({ mistakes: told })

  test('keys and workspaces have what is given, and what is not given is what the contract says', () => {
    const env = { RATE_LIMIT_KEY_PER_MINUTE: '60', RATE_LIMIT_KEY_BURST: '100', RATE_LIMIT_WORKSPACE_BURST: '200' }

    expect(ratesIn(read({}))).toEqual(defaultRates)
    const [key, workspace] = [
      { perMinute: 60, burst: 100 },
      { perMinute: 3_000, burst: 200 },
    ]
    expect(ratesIn(read(env))).toEqual({ key, workspace })
  })

  test('all mistakes are told at once: a burst must hold the costliest call', () => {
    const given = { KEY_PER_MINUTE: '0', KEY_BURST: '99', WORKSPACE_PER_MINUTE: '600001', WORKSPACE_BURST: 'many' }
    const named = Object.entries(given).map(([name, value]) => [`RATE_LIMIT_${name}`, value] as const)

    const rangeOf = (name: string) => (name.endsWith('BURST') ? '100 to 100000' : '1 to 600000')
    const told = named.map(([name, value]) => `${name} must be a whole number from ${rangeOf(name)}, not "${value}"`)
    expect(() => read(Object.fromEntries(named))).toThrow(mistakes(...told))
  })

  test('a key cannot have more than all keys of its workspace together', () => {
    const one = 'RATE_LIMIT_KEY_PER_MINUTE is above RATE_LIMIT_WORKSPACE_PER_MINUTE: 3001 is more than 3000'
    const tooFast = { RATE_LIMIT_KEY_PER_MINUTE: '3001' }

    expect(() => read({ ...tooFast, RATE_LIMIT_WORKSPACE_BURST: '100' })).toThrow(mistakes(one))
    expect(() => read({ ...tooFast, RATE_LIMIT_KEY_BURST: '501' })).toThrow(mistakes(one, expect.any(String)))
  })
})

test.each([gateway, standalone])('how often an address may be wrong is a setting', ({ failedCredentialsPerMinute }) => {
  const read = (env: Record<string, string>) =>
    readSettings({ failedCredentialsPerMinute }, env).failedCredentialsPerMinute

  expect([read({}), read({ RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: '5' })]).toEqual([60, 5])
  expect(() => read({ RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: '0' })).toThrow(SettingsError)
})
