import { expect, test } from 'vitest'
import * as kinds from '#runtime/settings.ts'

const { SettingsError, readSettings } = kinds
const { choice, cidrs, flag, integers, origin, origins, port, secret, text, url, urls } = kinds
const description = 'What it is.'
const declared = {
  port: port('PORT', { default: 8080, description }),
  host: text('HOST', { default: '127.0.0.1', description }),
  mode: choice('MODE', { of: ['fast', 'safe'], default: 'safe', description }),
  secret: secret('INTERNAL_SECRET', { description }),
  database: url('DATABASE_URL', { protocols: ['postgres', 'postgresql'], default: null, description }),
  services: urls('SERVICE_URLS', { protocols: ['http', 'https'], default: [], description }),
  proxies: cidrs('TRUSTED_PROXIES', { default: ['10.0.0.0/8'], whenEmpty: 'nobody', description }),
  retries: integers('RETRIES', { min: 1, max: 100, default: [5, 20], unit: 'seconds', description }),
  pretty: flag('PRETTY', { default: false, description }),
}
const goodSecret = 's'.repeat(32)

test('what is not given takes its default; a list that may be empty is so where it is given as nothing', () => {
  const given = { INTERNAL_SECRET: goodSecret, PORT: undefined }
  const [ofPlace, ofLists] = [
    { port: 8080, host: '127.0.0.1', database: null },
    { services: [], retries: [5, 20] },
  ]
  const defaults = { ...ofPlace, ...ofLists, mode: 'safe', secret: goodSecret, proxies: ['10.0.0.0/8'], pretty: false }

  expect(readSettings(declared, given)).toEqual(defaults)
  for (const TRUSTED_PROXIES of ['', '  '])
    expect(readSettings(declared, { ...given, TRUSTED_PROXIES })).toEqual({ ...defaults, proxies: [] })
})

test('an empty value where none makes sense is refused by name, and so is a list of nothing but commas', () => {
  const names = ['PORT', 'HOST', 'MODE', 'INTERNAL_SECRET', 'DATABASE_URL', 'SERVICE_URLS', 'RETRIES', 'PRETTY']

  const mistakes = mistakesIn(Object.fromEntries(names.map((name, at) => [name, ' '.repeat(at % 2)])))

  const orNot = (name: string) => (name === 'INTERNAL_SECRET' ? '' : ', or leave it out')
  expect(mistakes).toEqual(names.map((name) => `${name} is empty: give it a value${orNot(name)}. What it is.`))
  expect(mistakesIn({ INTERNAL_SECRET: goodSecret, SERVICE_URLS: ' , ', RETRIES: ',' })).toEqual([
    'SERVICE_URLS must list at least one',
    'RETRIES must list at least one, not ","',
  ])
})

test('every kind of value is read from its text', () => {
  const plain = { INTERNAL_SECRET: goodSecret, PORT: '0', MODE: 'fast', PRETTY: 'true', RETRIES: '1, 2,3' }
  const addresses = { SERVICE_URLS: 'http://one:1, http://two:2', TRUSTED_PROXIES: '10.0.0.0/8,::1' }
  const database = 'postgres://a:b@db/x'

  const settings = readSettings(declared, { ...plain, ...addresses, DATABASE_URL: database })

  expect(settings).toMatchObject({ port: 0, mode: 'fast', database, retries: [1, 2, 3], pretty: true })
  expect(settings).toMatchObject({ services: ['http://one:1', 'http://two:2'], proxies: ['10.0.0.0/8', '::1'] })
})

test('all mistakes are reported together, and no secret is repeated', () => {
  const plain = { PORT: '70000', MODE: 'slow', INTERNAL_SECRET: 'hunter2', RETRIES: '1,two', PRETTY: 'yes' }
  const addresses = { SERVICE_URLS: 'service:8081', TRUSTED_PROXIES: '10.0.0.0/8,localhost' }
  const mistakes = mistakesIn({ ...plain, ...addresses, DATABASE_URL: 'mysql://me:hunter2@db' })

  expect(mistakes).toHaveLength(8)
  expect(mistakes[0]).toBe('PORT must be a whole number from 0 to 65535, not "70000"')
  expect(mistakes.join('\n')).not.toContain('hunter2')
})

test('a setting without default must be given, and settings that contradict each other are a mistake', () => {
  const read = () =>
    readSettings(declared, { INTERNAL_SECRET: goodSecret }, ({ port }) => [`PORT ${port} is not for today`])

  expect(mistakesIn({})).toEqual(['INTERNAL_SECRET is missing: What it is.'])
  expect(read).toThrow(new SettingsError(['PORT 8080 is not for today']))
})

test('origins are read in their one spelling, and what is none is refused by name', () => {
  const web = {
    address: origin('PUBLIC_URL', { default: null, description }),
    pages: origins('ALLOWED_ORIGINS', { default: [], whenEmpty: 'none', description }),
  }

  expect(readSettings(web, {})).toEqual({ address: null, pages: [] })
  const listed = 'http://App.a.com:8080 , vscode-webview://Abc'
  const given = { PUBLIC_URL: 'HTTPS://API.example.com:443/', ALLOWED_ORIGINS: listed }
  const pages = ['http://app.a.com:8080', 'vscode-webview://abc']
  expect(readSettings(web, given)).toEqual({ address: 'https://api.example.com', pages })
  for (const PUBLIC_URL of ['api.example.com', 'https://example.com/api/mcp', 'ftp://api.example.com', 'https://a@b'])
    expect(() => readSettings(web, { PUBLIC_URL })).toThrow('PUBLIC_URL must be an address such as')
  for (const ALLOWED_ORIGINS of ['*', 'null', 'https://*.example.com:x', 'https://a.example.com/page'])
    expect(() => readSettings(web, { ALLOWED_ORIGINS })).toThrow(`(${ALLOWED_ORIGINS} is none)`)
})

function mistakesIn(env: Record<string, string>): readonly string[] {
  try {
    readSettings(declared, env)
    return []
  } catch (error) {
    if (error instanceof SettingsError) return error.mistakes
    throw error
  }
}
