// No Docker engine is needed: what is read here is what `docker compose` would read.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Setting } from '#runtime/settings.ts'
import { logSettings } from '#runtime/log.ts'
import { settings as migrateSettings } from '#prisma/settings.ts'
import { drainSeconds } from '#runtime/shared-settings.ts'
import { settings as dispatcher } from '../../dispatcher/settings.ts'
import { settings as gateway } from '../../gateway/settings.ts'
import { settings as service } from '../../service/settings.ts'
import { permissionsBy } from '../support/node-permissions.ts'

type Container = {
  command?: string[]
  /** Without a value: passed on where it is given. */
  environment?: Record<string, string | null>
  ports?: string[]
  image?: string
  mem_limit?: string
  logging?: object
  healthcheck?: { test: string[] }
  depends_on?: Record<string, { condition: string }>
  [key: string]: unknown
}

const file = readFileSync(join(import.meta.dirname, '../../docker-compose.yml'), 'utf8')
const { services: containers } = parse(file, { merge: true }) as { services: Record<string, Container> }
const { balancer } = containers
const tiers = { gateway, service, dispatcher } as const
const migrate = { ...migrateSettings, ...logSettings }
const declared: Record<string, Record<string, Setting<unknown>>> = { ...tiers, migrate }
/** Of Node. */
const notSettings = new Set(['NODE_OPTIONS'])
/**
 * The image and the health checks say where a process listens. On a network that nobody else is on, no tier needs a
 * certificate.
 */
const ofImage = new Set(['HOST', 'PORT', 'TLS_CERTIFICATE_FILE', 'TLS_KEY_FILE', 'SERVICE_CA_FILE'])

test.each(Object.keys(declared))('%s is given all its settings, no other, and can read them', (name) => {
  const { environment = {} } = containers[name] ?? {}
  const settings = Object.values(declared[name] ?? {})
  const known = settings.map((setting) => setting.name)
  const needed = settings.filter((setting) => setting.default === undefined).map((setting) => setting.name)
  const given = Object.entries(environment).flatMap(([key, value]) => (value === null ? [] : [[key, filledIn(value)]]))
  const values = new Map(given as [string, string][])
  const read = settings.flatMap(({ name: key, parse: readAs }) =>
    values.has(key) ? [() => readAs(values.get(key)!)] : [],
  )

  expect(Object.keys(environment).filter((key) => !known.includes(key) && !notSettings.has(key))).toEqual([])
  expect(known.filter((key) => !(key in environment) && !ofImage.has(key))).toEqual([])
  expect(needed.filter((key) => !values.has(key))).toEqual([])
  for (const readOne of read) expect(readOne).not.toThrow()
  expect([...values.values()]).not.toContain('')
})

test.each(Object.keys(declared))('%s has no more rights than an ordinary user', (name) => {
  const container = containers[name]

  expect(container).toMatchObject({ cap_drop: ['ALL'], read_only: true, security_opt: ['no-new-privileges:true'] })
  for (const right of ['privileged', 'user', 'cap_add', 'network_mode', 'pid'])
    expect(container).not.toHaveProperty(right)
  expect(container).toMatchObject(name === 'service' ? { volumes: ['files:/app/files'] } : {})
  if (name !== 'service') expect(container).not.toHaveProperty('volumes')
})

test.each(Object.keys(declared))(
  '%s is held by Node to what it needs: it starts nothing, and writes files alone',
  (name) => {
    const options = containers[name]?.environment?.['NODE_OPTIONS'] ?? ''

    expect(permissionsBy(options, ['/app/files/x', '/app/x', '/tmp/x'])).toEqual({
      scopes: ['fs.read'],
      mayWrite: name === 'service' ? ['/app/files/x'] : [],
    })
  },
)

test.each(Object.entries(tiers))('%s can be scaled, says if it is ready, and has time to stop', (name, settings) => {
  const { healthcheck, ...container } = containers[name] ?? {}

  const seconds = Number.parseInt(String(container['stop_grace_period']), 10)
  expect(container).not.toHaveProperty('container_name')
  expect(container).not.toHaveProperty('hostname')
  expect(seconds).toBeGreaterThan((drainSeconds.default ?? 0) + 25)
  expect(healthcheck?.test.join(' ')).toContain(`http://127.0.0.1:${settings.port.default}/ready`)
})

test('the balancer is reached from this machine alone, nothing else is; gateways believe it, so that allowlists see the caller', () => {
  const published = Object.entries(containers).filter(([, { ports }]) => ports !== undefined)
  const networks = balancer?.['networks'] as { default: { ipv4_address: string } } | undefined

  expect(published.map(([name, { ports }]) => [name, ports])).toEqual([['balancer', ['127.0.0.1:8080:8080']]])
  const trusted = `\${TRUSTED_PROXIES-${networks?.default.ipv4_address}}`
  expect(containers['gateway']?.environment?.['TRUSTED_PROXIES']).toBe(trusted)
})

test('every part has an image of one minor version, a bound on its memory, one on its log, and a health check to wait for', () => {
  for (const [name, container] of Object.entries(containers)) {
    const { image, mem_limit, logging } = container
    if (!(name in declared)) expect(image, name).toMatch(/:\d+\.\d+(-alpine)?$/)
    expect(mem_limit, name).toMatch(/^\d+[mg]$/)
    expect(logging, name).toMatchObject({ options: { 'max-size': expect.any(String), 'max-file': expect.any(String) } })
    if (name !== 'migrate') expect(container, name).toHaveProperty('healthcheck')
  }
  const conditions = Object.values(containers).flatMap(({ depends_on = {} }) => Object.entries(depends_on))
  for (const [name, { condition }] of conditions)
    expect(condition).toBe(name === 'migrate' ? 'service_completed_successfully' : 'service_healthy')
})

test('a new version is rolled out in one order, wherever that is said: whoever reads before whoever writes', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operating/running.md'), 'utf8')
  const ordersIn = (text: string) =>
    Array.from(text.matchAll(/deploy\/roll \w+(?: && deploy\/roll \w+)+/g), ([order]) => order)

  const order = 'deploy/roll dispatcher && deploy/roll service && deploy/roll gateway'
  expect(ordersIn(file)).toEqual([order])
  expect(ordersIn(page)).toEqual([order])
  for (const text of [file, page]) expect(text).toContain('docker compose build && docker compose run --rm migrate')
})

test('no secret has a default', () => {
  const interpolated = Array.from(file.matchAll(/\$\{(\w*(?:SECRET|TOKEN|PASSWORD)\w*)(\S*)/g))

  expect(interpolated.length).toBeGreaterThan(0)
  for (const [, , rest] of interpolated) expect(rest).toMatch(/^:\?/)
})

/** As compose would, with every secret set and nothing else. */
const filledIn = (value: string): string =>
  value.replaceAll(/\$\{\w+(:?[-?])([^}]*)\}/g, (_all, kind, rest) => (kind === ':?' ? 'x'.repeat(32) : rest))
