// The linter keeps folders and modules apart: these imports, tried beside a copy of its configuration, show it.
import { execFile } from 'node:child_process'
import { copyFileSync, globSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { importRule } from '../import-rule.ts'

const root = join(import.meta.dirname, '..')
const scratch = mkdtempSync(join(tmpdir(), 'wia-imports-'))
const copy = join(scratch, 'house')
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const fault = '#contract/faults/fault.ts'
const tests = '../test/support/services.ts'

/** What says something that the walk over all modules does not say. */
const allowed = [
  ['contract', './fault.ts', 'typebox', 'typebox/value'],
  ['runtime', './log.ts', 'node:fs', 'pino'],
  ['prisma', './client.ts', '#runtime/process.ts', 'pg'],
  ['gateway/policies', fault, '#runtime/log.ts', 'fastify'],
  ['service/projects', fault, '#runtime/log.ts', '#prisma/client.ts'],
  ['dispatcher', fault, '#runtime/log.ts', '#prisma/client.ts'],
  ['standalone', '../gateway/server.ts', '../service/server.ts', '../dispatcher/sign.ts', fault, '#prisma/client.ts'],
  ['clients', './client.ts', '#contract/api.ts'],
  ['clients/typescript/src', './send.ts'],
  ['console/ui', './button.tsx', 'radix-ui', '#contract/json-schema.ts'],
  ['cli', './main.ts', '#clients/client.ts', '#contract/api.ts', '#runtime/settings.ts'],
  ['dev', './main.ts', '../console/build/vite-options.ts', '#clients/client.ts', '#prisma/client.ts'],
  ['test/gateway', '../../gateway/server.ts', '../support/services.ts', '#prisma/client.ts'],
]

const refused = [
  ['contract', 'node:fs', 'uuid', '#runtime/log.ts'],
  ['runtime', fault, '../contract/faults/fault.ts', tests],
  ['prisma', fault, '../service/execute.ts', tests],
  ['gateway/policies', '#prisma/client.ts', '../../service/server.ts', '../../dispatcher/sign.ts', `../${tests}`],
  ['gateway', '../contract/faults/fault.ts', '../service/server.ts', '#clients/client.ts'],
  ['service', '../gateway/server.ts', '../dispatcher/sign.ts', '../standalone/main.ts', tests],
  ['dispatcher', '../gateway/server.ts', '../service/server.ts', '../standalone/main.ts', tests],
  ['dev', '../gateway/server.ts', '../contract/fault.ts', '../standalone/main.ts'],
  ['standalone', '../contract/faults/fault.ts', '../prisma/client.ts', tests, '#clients/client.ts'],
  ['clients', '#runtime/log.ts', '#prisma/client.ts', '../service/server.ts'],
  ['clients/typescript/src', '#contract/api.ts', '../../client.ts', 'node:fs', 'typebox'],
  ['console', '#prisma/client.ts', '../service/server.ts', '../gateway/server.ts'],
  ['console/app', 'radix-ui'],
  ['console/pages/keys', 'radix-ui', '../webhooks/webhooks-page.tsx'],
  ['cli', '#prisma/client.ts', '../service/server.ts'],
  ['bench', '#prisma/client.ts', '../service/server.ts'],
]

const withModules = Object.entries(importRule).flatMap(([folder, { modules }]) =>
  modules === undefined ? [] : [{ folder, modules }],
)

/** Every module with every other one of its folder, as rows of the tables above. */
const betweenModules = withModules.flatMap(({ folder, modules }) =>
  Object.entries(modules).flatMap(([module, mayImport]) =>
    ['.', ...Object.keys(modules)]
      .filter((other) => other !== module)
      .map((other) => ({
        row: [module === '.' ? folder : `${folder}/${module.replace('*', 'one')}`, specifier(module, other)],
        isAllowed: mayImport.includes(other),
      })),
  ),
)

test('each folder and each module may import what the rule names, and nothing else', async () => {
  copyConfiguration()
  const ofModules = (isAllowed: boolean) =>
    betweenModules.filter((each) => each.isAllowed === isAllowed).map(({ row }) => row)
  const fine = filesFor([...allowed, ...ofModules(true)], 'allowed')
  const wrong = filesFor([...refused, ...ofModules(false)], 'refused')

  const reported = await filesReported()

  expect(fine.filter((file) => reported.includes(file))).toEqual([])
  expect(wrong.filter((file) => !reported.includes(file))).toEqual([])
})

test.each(withModules)('the modules of $folder are all there are, and import lower ones', ({ folder, modules }) => {
  const names = Object.keys(modules).filter((name) => name !== '.')
  const found = globSync(['*/*.{ts,tsx}', '*/*/*.{ts,tsx}'], { cwd: join(root, folder) })
  const moduleOf = (path: string): string => (names.includes(`${dirname(path)}/*`) ? `${dirname(path)}/*` : path)
  const present = found.map(dirname).map(moduleOf)

  expect([...new Set(present)].toSorted()).toEqual(names.toSorted())
  for (const [index, name] of names.entries())
    expect(names.slice(0, index), name).toEqual(
      expect.arrayContaining((modules[name] ?? []).filter((one) => one !== '.')),
    )
})

function copyConfiguration(): void {
  mkdirSync(copy)
  // Above the files, where the linter does not look for any.
  symlinkSync(join(root, 'node_modules'), join(scratch, 'node_modules'))
  for (const file of ['oxlint.config.ts', 'import-rule.ts']) copyFileSync(join(root, file), join(copy, file))
}

function specifier(module: string, other: string): string {
  const path = other.replace('*', 'other')
  return module === '.' ? `./${path}/anything.ts` : `${posix.relative(module, path)}/anything.ts`
}

/** One file for each import, so that each has to be reported for itself. */
function filesFor(table: string[][], label: string): string[] {
  const imports = table.flatMap(([folder = '', ...specifiers]) =>
    specifiers.map((specifier) => ({ folder, specifier })),
  )
  return imports.map(({ folder, specifier }, index) => {
    const file = join(folder, `${label}-${index}.ts`)
    mkdirSync(join(copy, dirname(file)), { recursive: true })
    writeFileSync(join(copy, file), `export type { Anything } from '${specifier}'\n`)
    return file
  })
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
