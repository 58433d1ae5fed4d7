// The linter's configuration is what keeps the tiers apart: these imports, tried in a copy of it, show that it bites.
import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const copy = mkdtempSync(join(tmpdir(), 'wia-imports-'))
afterAll(() => rmSync(copy, { recursive: true, force: true }))

const allowed = [
  ['contract', './fault.ts', 'typebox', 'typebox/value'],
  ['runtime', './log.ts', 'node:fs', 'pino'],
  ['prisma', './client.ts', '#runtime/process.ts', 'pg'],
  ['gateway/policies', '../problem.ts', '#contract/fault.ts', '#runtime/log.ts', 'fastify'],
  ['service/projects', '../webhooks/rows.ts', '#contract/fault.ts', '#runtime/log.ts', '#prisma/client.ts'],
  ['dispatcher', './sign.ts', '#contract/fault.ts', '#runtime/log.ts', '#prisma/client.ts'],
  [
    'standalone',
    '../gateway/server.ts',
    '../service/server.ts',
    '../dispatcher/sign.ts',
    '#contract/fault.ts',
    '#prisma/client.ts',
  ],
  ['clients', './client.ts', '#contract/api.ts'],
  ['cli', './main.ts', '#clients/client.ts', '#contract/api.ts', '#runtime/settings.ts'],
  ['test/gateway', '../../gateway/server.ts', '../support/services.ts', '#prisma/client.ts'],
]

const refused = [
  ['contract', 'node:fs', 'uuid', '#runtime/log.ts', '../runtime/log.ts'],
  ['runtime', '#contract/fault.ts', '../contract/fault.ts', '../test/support/services.ts'],
  ['prisma', '#contract/fault.ts', '../service/execute.ts', '../test/support/services.ts'],
  [
    'gateway/policies',
    '#prisma/client.ts',
    '../../service/server.ts',
    '../../dispatcher/sign.ts',
    '../../test/support/services.ts',
  ],
  ['gateway', '../contract/fault.ts', '../service/server.ts', '#clients/client.ts'],
  ['service', '../gateway/server.ts', '../dispatcher/sign.ts', '../standalone/main.ts', '../test/support/services.ts'],
  [
    'dispatcher',
    '../gateway/server.ts',
    '../service/server.ts',
    '../standalone/main.ts',
    '../test/support/services.ts',
  ],
  ['standalone', '../contract/fault.ts', '../prisma/client.ts', '../test/support/services.ts', '#clients/client.ts'],
  ['clients', '#runtime/log.ts', '#prisma/client.ts', '../service/server.ts'],
  ['console', '#prisma/client.ts', '../service/server.ts', '../gateway/server.ts'],
  ['cli', '#prisma/client.ts', '../service/server.ts'],
  ['bench', '#prisma/client.ts', '../gateway/server.ts'],
]

test('each folder may import what the rule names, and nothing else', async () => {
  copyFileSync(join(root, '.oxlintrc.json'), join(copy, '.oxlintrc.json'))
  const fine = filesFor(allowed, 'allowed')
  const wrong = filesFor(refused, 'refused')

  const reported = await filesReported()

  expect(fine.filter((file) => reported.includes(file))).toEqual([])
  expect(wrong.filter((file) => !reported.includes(file))).toEqual([])
})

/** One file for each import, so that each has to be reported for itself. */
function filesFor(table: string[][], label: string): string[] {
  return table.flatMap(([folder = '', ...specifiers]) =>
    specifiers.map((specifier, index) => {
      const file = join(folder, `${label}-${index}.ts`)
      mkdirSync(join(copy, dirname(file)), { recursive: true })
      writeFileSync(join(copy, file), `export type { Anything } from '${specifier}'\n`)
      return file
    }),
  )
}

function filesReported(): Promise<string[]> {
  const oxlint = join(root, 'node_modules/.bin/oxlint')
  return new Promise((resolve) => {
    // It exits with 1 where it reports something: what it printed is what counts.
    execFile(oxlint, ['--format', 'unix'], { cwd: copy }, (_error, stdout) => {
      const lines = stdout.split('\n').filter((line) => line.includes('no-restricted-imports'))
      resolve(lines.map((line) => line.slice(0, line.indexOf(':'))))
    })
  })
}
