// No Docker engine is needed: what is read here is what `docker compose` would read.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Setting } from '#runtime/settings.ts'
import { logSettings } from '#runtime/log.ts'
import { databaseUrl, drainSeconds } from '#runtime/shared-settings.ts'
import { settings as dispatcher } from '../../dispatcher/settings.ts'
import { settings as gateway } from '../../gateway/settings.ts'
import { settings as service } from '../../service/settings.ts'

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
const declared: Record<string, Record<string, Setting<unknown>>> = {
  ...tiers,
  migrate: { databaseUrl, ...logSettings },
}
/** The image and the health checks say where a process listens. */
const ofImage = new Set(['HOST', 'PORT'])

describe.each(Object.keys(declared))('%s', (name) => {
  const { environment = {} } = containers[name] ?? {}
  const settings = Object.values(declared[name] ?? {})

  const known = settings.map((setting) => setting.name)

  test('is given every setting that it has, and no other', () => {
    const given = new Set([...Object.keys(environment), ...ofImage])

    expect(Object.keys(environment).filter((variable) => !known.includes(variable))).toEqual([])
    expect(known.filter((variable) => !given.has(variable))).toEqual([])
  })

  test('is given a value for every setting that it must have', () => {
    const needed = settings.filter((setting) => setting.default === undefined).map((setting) => setting.name)

    expect(needed.filter((variable) => (environment[variable] ?? null) === null)).toEqual([])
  })

  test('is given addresses that it can read', () => {
    const mistakes = settings.flatMap(({ name: variable, parse: read }) => {
      const value = environment[variable] ?? undefined
      return value === undefined ? [] : attempt(() => read(filledIn(value)))
    })

    expect(mistakes).toEqual([])
  })

  test('is given nothing that is empty: what was not set stays out', () => {
    const given = Object.values(environment).filter((value) => value !== null)

    expect(given.map(filledIn)).not.toContain('')
  })

  test('has no more rights than an ordinary user', () => {
    const container = containers[name]

    expect(container).toMatchObject({ cap_drop: ['ALL'], read_only: true, security_opt: ['no-new-privileges:true'] })
    for (const right of ['privileged', 'user', 'cap_add', 'network_mode', 'pid', 'volumes'])
      expect(container).not.toHaveProperty(right)
  })
})

test.each(Object.entries(tiers))('%s can be scaled and says whether it is ready, at its own port', (name, settings) => {
  const { healthcheck, ...container } = containers[name] ?? {}

  expect(container).not.toHaveProperty('container_name')
  expect(container).not.toHaveProperty('hostname')
  expect(healthcheck?.test.join(' ')).toContain(`http://127.0.0.1:${settings.port.default}/ready`)
})

test('the balancer is the one part that is reached from outside, and from this machine alone', () => {
  const published = Object.entries(containers).filter(([, { ports }]) => ports !== undefined)

  expect(published.map(([name, { ports }]) => [name, ports])).toEqual([['balancer', ['127.0.0.1:8080:8080']]])
})

test('gateways believe what the balancer says of callers, so that allowlists see the caller', () => {
  const networks = balancer?.['networks'] as { default: { ipv4_address: string } } | undefined

  expect(containers['gateway']?.environment?.['TRUSTED_PROXIES']).toBe(
    `\${TRUSTED_PROXIES-${networks?.default.ipv4_address}}`,
  )
})

test('a process has more time to stop than it takes', () => {
  for (const name of Object.keys(tiers)) {
    const seconds = Number.parseInt(String(containers[name]?.['stop_grace_period']), 10)

    expect(seconds).toBeGreaterThan((drainSeconds.default ?? 0) + 25)
  }
})

test('every part has an image of one minor version, a bound on its memory and one on its log', () => {
  for (const [name, { image, mem_limit, logging }] of Object.entries(containers)) {
    if (!(name in declared)) expect(image, name).toMatch(/:\d+\.\d+(-alpine)?$/)
    expect(mem_limit, name).toMatch(/^\d+[mg]$/)
    expect(logging, name).toMatchObject({ options: { 'max-size': expect.any(String), 'max-file': expect.any(String) } })
  }
})

test('every part that lasts has a health check, and every wait is for one', () => {
  const lasting = Object.entries(containers).filter(([name]) => name !== 'migrate')
  const conditions = Object.values(containers).flatMap(({ depends_on = {} }) => Object.entries(depends_on))

  for (const [name, container] of lasting) expect(container, name).toHaveProperty('healthcheck')
  for (const [name, { condition }] of conditions) {
    expect(condition).toBe(name === 'migrate' ? 'service_completed_successfully' : 'service_healthy')
  }
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

function attempt(read: () => unknown): string[] {
  try {
    read()
    return []
  } catch (error) {
    return [String(error)]
  }
}
