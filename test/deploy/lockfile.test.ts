// What is installed is what the lockfile names, byte for byte, and under licences that are accepted.
import { globSync, readFileSync } from 'node:fs'
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
const foreign = read('test/foreign/package.json') as Pick<Manifest, 'devDependencies' | 'allowScripts'>
const foreignLock = read('test/foreign/package-lock.json') as { packages: Record<string, Locked> }
const installedForeign = Object.entries(foreignLock.packages).filter(([path]) => path !== '')

test('every package has the hash of its contents, those of other platforms too, and none is tied to a registry', () => {
  const all = [...installed, ...installedForeign]
  const without = all.filter(([, { integrity = '' }]) => !/^sha512-[\w+/]{86}==$/.test(integrity))

  expect(all.length).toBeGreaterThan(1_000)
  expect(without.map(([path]) => path)).toEqual([])
  expect(all.filter(([, { resolved }]) => resolved !== undefined)).toEqual([])
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
  const all = [...installed, ...installedForeign]
  const scripted = all.filter(([, locked]) => locked.hasInstallScript === true && locked.optional !== true)
  const names = scripted.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 13))

  const allowed = { ...manifest.allowScripts, ...foreign.allowScripts }
  expect(names.filter((name) => allowed[name] !== false)).toEqual([])
  expect(Object.values(allowed)).not.toContain(true)
})

test('every dependency is one version', () => {
  const { dependencies, devDependencies, optionalDependencies } = manifest
  const versions = [dependencies, devDependencies, optionalDependencies, foreign.devDependencies].flatMap((named) =>
    Object.values(named),
  )

  expect(versions.filter((version) => !/^\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(version))).toEqual([])
})

test('what only tests against the software of others need is not installed with the product, and is used', () => {
  const root = join(import.meta.dirname, '../..')
  const files = globSync('{test,bench}/**/*.ts', { cwd: root, exclude: ['test/deploy/lockfile.test.ts'] })
  const sources = files.map((file) => readFileSync(join(root, file), 'utf8'))
  const names = Object.keys(foreign.devDependencies)
  const isImported = (name: string) =>
    sources.some((source) => source.includes(`'${name}'`) || source.includes(`'${name}/`))

  const unused = names.filter((name) => !isImported(name))

  // Postman’s collection brings one of its own, which would stand in the place of that of the tests.
  expect(names.filter((name) => `node_modules/${name}` in packages)).toEqual(['uuid'])
  // Peers of the others, and types.
  expect(unused).toEqual(['@langchain/core', '@langchain/langgraph', '@types/superagent'])
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
