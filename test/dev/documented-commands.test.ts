// Every command that the pages for developers show is run as by hand, in a copy of this project, or named with why not.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { copyProject, type WorkingCopy } from './working-copy.ts'

const root = join(import.meta.dirname, '../..')
const withinMs = 240_000

const notRun: Readonly<Record<string, string>> = {
  'npm ci': '.ci/run begins with it on a machine of its own',
  'npm ci && npm run dev': 'both are named by themselves',
  'npm run dev': 'test/dev/dev.test.ts',
  'npm run dev -- --fresh': 'the first start of test/dev/dev.test.ts does the same',
  'npm run dev -- --inspect': 'test/dev/dev.test.ts, with a free port',
  'npm run dev -- --port 9080 --console-port 9081': 'test/dev/dev.test.ts, with free ports',
  'LOG_LEVEL=info npm run dev': 'test/dev/dev.test.ts; the level is tested in test/runtime/log.test.ts',
  'npm test': 'it is what runs this',
  'npm run verify': '.ci/run calls it after the tests',
  '.ci/run': 'it installs programs and calls this; test/deploy/first-commands.test.ts',
  'npm run pictures': 'it overwrites committed pictures',
  'npm run chaos -- kills --rounds 1': 'it takes minutes, and needs the machine for itself',
  'npm run try-postgres -- 14 16':
    'it downloads builds of Postgres and takes minutes; test/system/postgres-versions.test.ts',
  'npm run try-clients': 'it downloads clients; test/clients/tried.test.ts',
}

/** Commands that go on until they are ended, with what they have written once they do what they are for. */
const endless: Readonly<Record<string, RegExp>> = {
  'npm run test:watch': /Waiting for file changes/,
  'npm run test:watch -- test/runtime/metrics': /\d+ passed, 0 failed/,
}

const pages = { 'CONTRIBUTING.md': /[^]*/, 'docs/testing.md': /[^]*/, 'README.md': /^## Develop\n[^]*?(?=^## )/m }
const commands = [...new Set(Object.entries(pages).flatMap(([page, part]) => commandsIn(textOf(page), part)))]

function commandsIn(text: string, part: RegExp): string[] {
  const [shown = ''] = part.exec(text) ?? []
  return Array.from(shown.matchAll(/^( *)```sh\n([^]*?)^ *```$/gm), ([, , block = '']) => block)
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '')
}

function textOf(page: string): string {
  return readFileSync(join(root, page), 'utf8')
}

describe('commands of the pages for developers', () => {
  let copy: WorkingCopy
  beforeAll(() => {
    copy = copyProject()
  })
  afterAll(() => copy.remove())

  test('each page shows some, and each that is not run here is shown', () => {
    const unknown = Object.keys({ ...notRun, ...endless }).filter((command) => !commands.includes(command))

    expect(commands.length).toBeGreaterThan(15)
    expect(unknown).toEqual([])
  })

  test.each(commands.filter((command) => !(command in notRun) && !(command in endless)))(
    '%s',
    { timeout: withinMs },
    async (command) => {
      const program = copy.run(command)
      const code = await within(program.ended)

      expect({ code, output: code === 0 ? '' : program.output() }).toEqual({ code: 0, output: '' })
    },
  )

  test.each(Object.entries(endless))('%s goes on', { timeout: withinMs }, async (command, expected) => {
    const program = copy.run(command)
    await eventually(() => expected.test(program.output()), `${command} to say ${expected}`, withinMs)
    program.signal('SIGTERM')
    await within(program.ended)
  })
})

const needsOtherNode = /\bnpx (?:vitest|prisma|tsc|oxlint|oxfmt|knip|vite)\b|(?<!service |-- )\bnode [\w./-]+\.ts\b/g
test('no page and no message names a command that needs another Node than the system’s', () => {
  const files = [...globSync('*.md', { cwd: root }), ...globSync('docs/**/*.md', { cwd: root })]
  const sources = globSync('{contract,runtime,prisma,gateway,service,dispatcher,standalone,console,cli,docs}/**/*.ts', {
    cwd: root,
    exclude: ['prisma/generated/**'],
  })
  const named = [...files, ...sources]
    // What has changed once, and what is run by the image's own Node.
    .filter((file) => file !== 'CHANGELOG.md' && file !== 'docs/decisions/0003-no-build.md')
    .flatMap((file) => Array.from(textOf(file).matchAll(needsOtherNode), ([command]) => `${file}: ${command}`))

  expect(named).toEqual([])
})

const within = (ended: Promise<number | null>): Promise<number | null | string> =>
  Promise.race([ended, delay(withinMs - 5_000, 'still running', { ref: false })])
