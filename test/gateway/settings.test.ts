// The rate limits of a deployment as settings: alike in each process that must know them.
import { describe, expect, test } from 'vitest'
import { defaultRates } from '#contract/rate-limits.ts'
import { SettingsError, readSettings } from '#runtime/settings.ts'
import { rateContradictions, ratesIn, type rateLimits } from '#runtime/shared-settings.ts'
import { settings as gateway } from '../../gateway/settings.ts'
import { settings as service } from '../../service/settings.ts'
import { settings as standalone } from '../../standalone/settings.ts'

type Declared = ReturnType<typeof rateLimits>
/** Those of the rate limits alone. */
const limitsOf = (all: Declared): Declared => ({
  rateLimitKeyPerMinute: all.rateLimitKeyPerMinute,
  rateLimitKeyBurst: all.rateLimitKeyBurst,
  rateLimitWorkspacePerMinute: all.rateLimitWorkspacePerMinute,
  rateLimitWorkspaceBurst: all.rateLimitWorkspaceBurst,
})

describe.each([
  ['gateway', limitsOf(gateway)],
  ['service', limitsOf(service)],
  ['standalone', limitsOf(standalone)],
] as const)('of the %s', (_tier, declared) => {
  const read = (env: Record<string, string>) => readSettings(declared, env, rateContradictions)
  const mistakesIn = (env: Record<string, string>): readonly string[] => {
    try {
      read(env)
    } catch (error) {
      return (error as SettingsError).mistakes
    }
    return []
  }

  test('what is not given is what the contract says', () => {
    expect(ratesIn(read({}))).toEqual(defaultRates)
  })

  test('keys and workspaces have what is given', () => {
    const env = { RATE_LIMIT_KEY_PER_MINUTE: '60', RATE_LIMIT_KEY_BURST: '100', RATE_LIMIT_WORKSPACE_BURST: '200' }

    expect(ratesIn(read(env))).toEqual({
      key: { perMinute: 60, burst: 100 },
      workspace: { perMinute: 3_000, burst: 200 },
    })
  })

  test('all mistakes are told at once: a burst must hold the costliest call', () => {
    const env = {
      RATE_LIMIT_KEY_PER_MINUTE: '0',
      RATE_LIMIT_KEY_BURST: '99',
      RATE_LIMIT_WORKSPACE_PER_MINUTE: '600001',
      RATE_LIMIT_WORKSPACE_BURST: 'many',
    }

    expect(mistakesIn(env)).toEqual([
      'RATE_LIMIT_KEY_PER_MINUTE must be a whole number from 1 to 600000, not "0"',
      'RATE_LIMIT_KEY_BURST must be a whole number from 100 to 100000, not "99"',
      'RATE_LIMIT_WORKSPACE_PER_MINUTE must be a whole number from 1 to 600000, not "600001"',
      'RATE_LIMIT_WORKSPACE_BURST must be a whole number from 100 to 100000, not "many"',
    ])
  })

  test('a key cannot have more than all keys of its workspace together', () => {
    expect(mistakesIn({ RATE_LIMIT_KEY_PER_MINUTE: '3001', RATE_LIMIT_WORKSPACE_BURST: '100' })).toEqual([
      'RATE_LIMIT_KEY_PER_MINUTE is above RATE_LIMIT_WORKSPACE_PER_MINUTE: 3001 is more than 3000',
    ])
    expect(mistakesIn({ RATE_LIMIT_KEY_BURST: '501', RATE_LIMIT_KEY_PER_MINUTE: '3001' })).toHaveLength(2)
  })
})

test('how often an address may be wrong is a setting of the gateway', () => {
  for (const { failedCredentialsPerMinute } of [gateway, standalone]) {
    const read = (env: Record<string, string>) =>
      readSettings({ failedCredentialsPerMinute }, env).failedCredentialsPerMinute
    expect([read({}), read({ RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: '5' })]).toEqual([60, 5])
    expect(() => read({ RATE_LIMIT_FAILED_CREDENTIALS_PER_MINUTE: '0' })).toThrow(SettingsError)
  }
})
