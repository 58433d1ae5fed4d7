import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { isOfOperator } from '#contract/operation.ts'
import { parseArguments } from '../../cli/arguments.ts'
import { exampleOf, helpOn, overview } from '../../cli/help.ts'
import { assertInput } from '../../service/validation/validate-operation.ts'

const offered = operations.filter(isOfOperator)

test.each(offered.map((operation) => [operation.name, operation] as const))(
  '%s: its help names every field, and its example is a call that the API takes',
  (name, operation) => {
    const help = helpOn(operation)
    const [, , , , called, ...words] = wordsOf(exampleOf(operation))

    expect(help).toContain(exampleOf(operation))
    for (const field of Object.keys(operation.input.properties))
      expect(help).toMatch(new RegExp(`^  --${field}\\b`, 'm'))
    expect(called).toBe(name)
    expect(() => assertInput(operation, parseArguments(operation, words).input)).not.toThrow()
  },
)

test('no field has the name of an option of the command line itself', () => {
  const fields = offered.flatMap(({ input }) => Object.keys(input.properties))

  expect(fields.filter((field) => ['workspace', 'json', 'help'].includes(field))).toEqual([])
})

test('the overview lists every operation, and what each exit code means', () => {
  const text = overview(offered)

  for (const { name, summary } of offered) expect(text).toMatch(new RegExp(`${name} +${summary}`))
  expect(text).toMatch(/0 done; 1 refused.*; 2 not called/)
})

test('the commands of the README are calls that can be made as they stand', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  const commands = [...readme.matchAll(/^npm run cli -- ([^#\n]+)/gm)].map(([, words = '']) => words.trim().split(' '))

  expect(commands.length).toBeGreaterThan(1)
  for (const [name = '', ...words] of commands.filter(([name = '']) => !['audit', 'deliveries'].includes(name))) {
    const operation = offered.find((each) => each.name === name)
    expect(operation, name).toBeDefined()
    if (operation !== undefined && !words.includes('--help')) parseArguments(operation, words)
  }
})

/** As a shell splits them. */
const wordsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `for word in ${command}; do printf '%s\\0' "$word"; done`], { encoding: 'utf8' })
    .split('\0')
    .slice(0, -1)
