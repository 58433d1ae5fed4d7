// Every command of the guide of the command line is run as it is shown, in its order, in a folder of its own: the
// package that the installation serves is installed and does the rest. Or a command is named with what runs it.
import { readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from '../support/run-program.ts'
import { describeOnce, sharedSystem } from '../support/system.ts'
import { node } from './packaged.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/command-line.md'), 'utf8')

/** Commands that ask, or go on until they are ended, by their first words. */
const notRun: Readonly<Record<string, string>> = {
  'workspace login --url https://workspace.example': 'test/cli/sign-in.test.ts types the secret',
  "workspace listen --forward-to http://localhost:3000/webhooks --events 'tasks.*'": 'test/cli/listen.test.ts',
  'workspace trigger tasks.created': 'it works in sandboxes alone: test/cli/logs.test.ts',
  'workspace logs tail --status 4xx,5xx': 'test/cli/logs.test.ts',
}
const isNotRun = (line: string): boolean => Object.hasOwn(notRun, line)

/** The first one installs the package. */
const [install = '', ...lines] = Array.from(guide.matchAll(/^```sh\n([^]*?)\n```$/gm), ([, block = '']) =>
  block.split('\n'),
).flat()

/** Files that the guide speaks of. */
const files: Readonly<Record<string, string>> = {
  'companies.csv': 'No,Company,Notes\n1,Acme,first\n2,Globex,\n',
  'tasks.ndjson': '{"projectId":"RELAUNCH","title":"From a file"}\n',
}

test('each command that is not run here is shown', () => {
  expect(Object.keys(notRun).filter((line) => !lines.includes(line))).toEqual([])
  expect(lines.length).toBeGreaterThan(10)
})

describeOnce('the commands of the guide', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  test('work as they are shown, one after the other', async () => {
    const scratch = mkdtempSync(join(tmpdir(), 'wia-guide-'))
    for (const [name, text] of Object.entries({ ...files, 'key.txt': `${tenant.secret}\n` }))
      writeFileSync(join(scratch, name), text)
    const { secret } = tenant
    const login = [`printf %s '${secret}' | workspace login --url ${system.url} >&2`, 'unset WORKSPACE_API_KEY']
    const shown = [install, ...login, ...lines]
      .filter((line) => !isNotRun(line))
      .map((line) => line.replaceAll('https://workspace.example', system.url))
    // Each is said before it is run: where one fails, the output ends with it.
    const script = [...shown, 'command -v workspace']
      .map((line) => `echo '$ ${line.replaceAll("'", `'\\''`)}'\n${line}`)
      .join('\n')
    const installed = join(scratch, 'global')
    const path = [join(installed, 'bin'), join(node, '..'), process.env['PATH'] ?? ''].join(':')
    const env = { PATH: path, HOME: scratch, npm_config_prefix: installed }

    const { code, output } = await run(scratch, 'bash', ['-euc', script], env)

    rmSync(scratch, { recursive: true, force: true })
    expect([code, code === 0 ? '' : output]).toEqual([0, ''])
    expect(output.trim().split('\n').at(-1)).toBe(join(installed, 'bin/workspace'))
  })
})
