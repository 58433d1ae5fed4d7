// The commands that somebody types first: the README names them, and what every change must pass calls the same.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { run } from '../support/run-program.ts'

const root = join(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const script = readFileSync(join(root, '.ci/run'), 'utf8')
const command = 'npm ci && npm test'

test('the README names the command that tests right below the one that starts, and CI calls that very one', () => {
  const [, first = ''] = /```sh\n([^]*?)```/.exec(readme) ?? []

  expect(first).toBe(`npm ci && npm start\n${command}\n`)
  expect(script).toContain(`{ ${command}; }`)
})

test('the first screen of the README says what this is in three lines and shows pictures that fit light and dark', () => {
  const [, opening = '', shown = ''] = /^# .*\n\n([^]*?)\n\n([^]*?)!\[[^\]]+\]\(docs\/parts\.svg\)/.exec(readme) ?? []
  const picture = readFileSync(join(root, 'docs/parts.svg'), 'utf8')
  const pages = Array.from(shown.matchAll(/"(docs\/pictures\/[\w-]+\.png)"/g), ([, path = '']) => path)

  expect(opening.split('\n')).toHaveLength(3)
  expect(picture).toMatch(/<title[^]*@media \(prefers-color-scheme: dark\)/)
  expect(picture).not.toMatch(/href="http|<script|<image|url\(http/)
  expect(pages.map((path) => /-(?:dark|light)\./.exec(path)?.[0])).toEqual(['-dark.', '-light.', '-dark.', '-light.'])
  for (const path of pages) expect(statSync(join(root, path)).size).toBeLessThan(150_000)
})

describe('.ci/run', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ci-'))
    for (const name of ['.ci', 'bin']) mkdirSync(join(folder, name))
    copyFileSync(join(root, '.ci/run'), join(folder, '.ci/run'))
    // Nothing of this machine is installed or started.
    for (const program of ['apt-get', 'pg_ctlcluster', 'redis-server', 'rabbitmq-server']) stub(program, 'exit 0')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const stub = (program: string, text: string) =>
    writeFileSync(join(folder, 'bin', program), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
  const runWith = (failing: string) => {
    stub('npm', `echo "npm $*"; [ "$*" != test ] || echo "3 passed, 0 failed, 0 skipped"; [ "$*" != "${failing}" ]`)
    return run(folder, 'bash', ['.ci/run'], { PATH: `${join(folder, 'bin')}:${process.env['PATH']}` })
  }

  test('installs, tests, verifies, and says the tally last', async () => {
    const { code, output } = await runWith('nothing')

    const tally = '3 passed, 0 failed, 0 skipped'
    expect(output.trimEnd().split('\n')).toEqual(['npm ci', 'npm test', tally, 'npm run verify', tally])
    expect(code).toBe(0)
  })

  test.each(['ci', 'test', 'run verify'])('fails where npm %s fails, and verifies all the same', async (failing) => {
    const { code, output } = await runWith(failing)

    expect(code).not.toBe(0)
    expect(output).toContain('npm run verify')
  })
})
