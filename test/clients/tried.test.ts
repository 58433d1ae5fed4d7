// `npm run try-clients` on folders of the test's own; and what its table in the docs says of the real ones.
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { candidatesIn, type Outcome } from '#clients/tried/candidate.ts'
import { titlesIn, withTable } from '#clients/tried/table.ts'
import { run } from '../support/run-program.ts'

const root = join(import.meta.dirname, '../..')
const program = join(root, 'clients/tried/run.ts')
const tried = join(root, 'clients/tried')
const page = join(root, 'docs/clients.md')

/** What is tried, and where the runner copies and installs to. */
let [folder, temporary] = ['', '']
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tried-test-'))
  temporary = mkdtempSync(join(tmpdir(), 'tried-copies-'))
})
afterEach(() => [folder, temporary].forEach((made) => rmSync(made, { recursive: true, force: true })))

function add(name: string, description: object, files: Readonly<Record<string, string>> = {}): void {
  const all = { 'tried.json': JSON.stringify({ title: `The ${name}`, tried: 'a call', ...description }), ...files }
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(join(folder, name, dirname(file)), { recursive: true })
    writeFileSync(join(folder, name, file), text)
  }
}

const tryAll = (args: readonly string[] = [], env = {}) =>
  run(root, process.execPath, [program, '--folder', folder, ...args], { TMPDIR: temporary, ...env })

const elsewhere = { BASE_URL: 'http://127.0.0.1:9', API_KEY: 'wsk_x' }
const whoAmI = `
const headers = { authorization: 'Bearer ' + process.env.API_KEY }
const response = await fetch(process.env.BASE_URL + '/api/v1/me', { headers })
console.log((await response.json()).apiKey.name)
if (!response.ok || process.env.OPERATOR_TOKEN) process.exit(1)
`

test('each folder is run with a key of its own; a failure is shown and ends with 1, what cannot be had counts as skipped', async () => {
  add('good', { command: 'node who.mjs' }, { 'who.mjs': whoAmI })
  add('bad', { command: 'node who.mjs; echo "it was | refused"; exit 3' }, { 'who.mjs': whoAmI })
  add('absent', { command: 'true', programs: { 'no-such-program': '1.2' } })
  add('unreachable', { command: 'echo first; echo "no network here"; exit 77', programs: ['node'] })

  const { code, output } = await tryAll([], { OPERATOR_TOKEN: 'not-for-clients' })

  expect(code).toBe(1)
  expect(output).toContain('failed  bad: exit code 3\n        The bad\n        it was | refused\n')
  expect(output).toMatch(/^The absent +no-such-program 1\.2 +a call +skipped: not on this machine: no-such-program$/m)
  expect(output).toMatch(/^The unreachable +a call +skipped: no network here$/m)
  expect(output).toMatch(/^1 passed, 1 failed, 2 skipped$/m)
  expect(readdirSync(folder).toSorted()).toEqual(['absent', 'bad', 'good', 'unreachable'])
})

test('an installation that is named is taken as it is, and where none failed the run ends with 0', async () => {
  add('named', { command: 'test "$BASE_URL $API_KEY" = "http://127.0.0.1:9 wsk_x"' })
  add('other', { command: 'false' })

  const passed = { code: 0, output: expect.stringMatching(/1 passed, 0 failed/) }
  expect(await tryAll(['named'], elsewhere)).toMatchObject(passed)
  expect(await tryAll(['nmed'], elsewhere)).toEqual({ code: 2, output: 'Unknown: nmed. There are: named, other\n' })
  expect(await tryAll([], { BASE_URL: elsewhere.BASE_URL })).toMatchObject({ code: 1 })
})

test('packages are installed from the lockfile, outside of the folder', async () => {
  const [name, dependencies] = ['packaged', { dep: 'file:dep' }]
  const link = { resolved: 'dep', link: true }
  const packages = { '': { name, dependencies }, dep: { version: '1.0.0' }, 'node_modules/dep': link }
  const files = {
    'package.json': JSON.stringify({ name, dependencies }),
    'package-lock.json': JSON.stringify({ name, lockfileVersion: 3, requires: true, packages }),
    'story.mjs': `import dep from 'dep'; if (dep !== 'installed') process.exit(1)`,
    'dep/package.json': '{ "name": "dep", "version": "1.0.0", "main": "index.cjs" }',
    'dep/index.cjs': `module.exports = 'installed'`,
  }
  add(name, { command: 'node story.mjs' }, files)

  const { code, output } = await tryAll([], elsewhere)

  expect([code, output]).toEqual([0, expect.stringMatching(/^passed +packaged$/m)])
  expect(output).toContain('dep file:dep')
  expect(readdirSync(join(folder, name))).not.toContain('node_modules')
})

test('the table of a page is replaced as a whole, and the rest of the page stays', () => {
  const outcome = (title: string, result: Outcome['result'], detail: string): Outcome => {
    const candidate = { name: title, title, tried: 'a | b', command: '' }
    return { candidate, versions: ['x 1', 'y 2'], output: '', result, detail }
  }
  const before = 'Above.\n<!-- tried -->\n| old | … |\n<!-- /tried -->\nBelow.'
  const outcomes = [outcome('One', 'passed', ''), outcome('Two', 'skipped', 'no network')]
  const after = withTable(before, outcomes, new Date('2026-11-25T12:00:00Z'))

  expect(after).toMatch(/^Above\.\n<!-- tried -->\nRun on 2026-11-25 [^\n]+: 1 passed, 0 failed, 1 skipped\.\n/)
  expect(after).toContain('| One | x 1, y 2 | a \\| b | passed |\n| Two | x 1, y 2 | a \\| b | skipped: no network |')
  expect(after).toMatch(/<!-- \/tried -->\nBelow\.$/)
  expect(withTable(after, outcomes, new Date('2026-11-25T12:00:00Z'))).toBe(after)
})

test('what a script leaves running is ended with it; what takes too long is ended, and has failed', async () => {
  add('left', { command: 'sleep 600 & echo "pid $!"; exit 5' })
  add('slow', { command: 'echo begun; sleep 30' })
  const { code, output } = await tryAll(['--seconds', '0.5'], elsewhere)
  const [, pid = ''] = /pid (\d+)/.exec(output) ?? []

  // Who has ended may still stand in the list of processes, without its arguments.
  expect(pid).not.toBe('')
  expect(spawnSync('ps', ['-o', 'args=', '-p', pid], { encoding: 'utf8' }).stdout).not.toContain('sleep 600')
  expect([code, output]).toEqual([1, expect.stringMatching(/slow: not done within 0.5 seconds/)])
  expect(output).toContain('begun')
})

test('the table in the docs names exactly the folders that exist, each with what it is and pinned versions', () => {
  const candidates = candidatesIn(tried)
  const folders = readdirSync(tried, { withFileTypes: true }).filter((entry) => entry.isDirectory())

  expect(candidates.map(({ name }) => name).toSorted()).toEqual(folders.map(({ name }) => name).toSorted())
  expect(titlesIn(readFileSync(page, 'utf8'))).toEqual(candidates.map(({ title }) => title))
  for (const file of globSync('*/package.json', { cwd: tried })) {
    const packages = JSON.parse(readFileSync(join(tried, file), 'utf8')) as Record<string, object>
    const { dependencies, devDependencies } = packages
    for (const version of Object.values({ ...dependencies, ...devDependencies })) expect(version).toMatch(/^\d/)
    const lockfile = readFileSync(join(tried, file, '../package-lock.json'), 'utf8')
    expect(lockfile, file).not.toContain('"resolved"')
  }
})
