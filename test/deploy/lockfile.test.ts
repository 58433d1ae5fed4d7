// What is installed is what the lockfile names, byte for byte, and under licences that are accepted.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { licenceMistakes } from '../../docs/licences.ts'

type Locked = Partial<Record<'version' | 'integrity' | 'resolved', string>> &
  Partial<Record<'optional' | 'hasInstallScript', boolean>> &
  Partial<Record<'os' | 'cpu', string | readonly string[]>>
type Manifest = Record<'allowScripts', Record<string, boolean>> &
  Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>

const read = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, '../..', name), 'utf8'))
const { packages } = read('package-lock.json') as { packages: Record<string, Locked> }
const manifest = read('package.json') as Manifest
const installed = Object.entries(packages).filter(([path]) => path !== '')

test('every package has the hash of its contents, those of other platforms too, and none is tied to a registry', () => {
  const without = installed.filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity))

  expect(installed.length).toBeGreaterThan(500)
  expect(without.map(([path]) => path)).toEqual([])
  expect(installed.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
})

test('Node comes as packages of the lockfile, one for each platform and all of one version', () => {
  const nodes = installed.filter(([path]) => /^node_modules\/node-(?:linux|win)-\w+$/.test(path))

  expect(nodes.map(([path]) => path.slice('node_modules/'.length))).toEqual(Object.keys(manifest.optionalDependencies))
  for (const [, { optional, os, cpu }] of nodes)
    expect({ optional, os, cpu }).toEqual({ optional: true, os: expect.any(String), cpu: expect.any(String) })
  expect(new Set(nodes.map(([, { version }]) => version)).size).toBe(1)
  expect(manifest.dependencies).not.toHaveProperty('node')
})

test('no install script of a package is run: none can fetch what the lockfile does not name', () => {
  const scripted = installed.filter(([, locked]) => locked.hasInstallScript === true && locked.optional !== true)
  const names = scripted.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 13))

  expect(names.filter((name) => manifest.allowScripts[name] !== false)).toEqual([])
  expect(Object.values(manifest.allowScripts)).not.toContain(true)
})

test('every dependency is one version', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest
  const versions = Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies })

  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(version))).toEqual([])
})

test('a package of the production tree without an accepted licence is named, one for development alone is not', () => {
  const mistakes = licenceMistakes({
    '': { license: 'Apache-2.0' },
    'node_modules/fine': { license: 'MIT' },
    'node_modules/copyleft': { license: 'GPL-3.0-only' },
    'node_modules/a/node_modules/@scope/silent': {},
    'node_modules/tool': { license: 'GPL-3.0-only', dev: true },
    'node_modules/elkjs': { license: 'GPL-3.0-only' },
  })

  expect(mistakes.map((mistake) => mistake.split(' ')[0])).toEqual(['copyleft', '@scope/silent', 'elkjs'])
})
