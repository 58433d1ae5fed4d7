// Plants one mistake after the other in a copy of this project and runs the tests that should notice it:
//
//   npm run mutations                 all of them, which takes an hour or more; writes test/mutations/results.md
//   npm run mutations -- G01 S        some, by the beginnings of their ids
//   npm run mutations -- --continue   without those that results.md has
//   npm run mutations -- --check      only whether each is found and compiles
//   npm run mutations -- --named      only with the tests that the list names for each
//   npm run mutations -- --at-once    without the first run of all of these tests as they are
//
// A mistake counts as noticed when a test fails that passes without it. Where the tests named do not notice it, all
// tests of its tier are run, and then those of the whole system and of MCP. Nothing is changed in this folder but
// results.md.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { clientMutations } from './clients.ts'
import { contractMutations } from './contract.ts'
import { openCopy, type Copy } from './copy.ts'
import { dispatcherMutations } from './dispatcher.ts'
import { gatewayMutations } from './gateway.ts'
import type { Mutation } from './mutation.ts'
import { serviceMutations } from './service.ts'
import { toolMutations } from './tools.ts'

const mutations: readonly Mutation[] = [
  ...gatewayMutations,
  ...serviceMutations,
  ...dispatcherMutations,
  ...contractMutations,
  ...clientMutations,
  ...toolMutations,
]
const resultsFile = join(import.meta.dirname, 'results.md')
const minuteMs = 60_000
const namedTestsMs = 5 * minuteMs
const widerTestsMs = 25 * minuteMs

type Verdict = 'noticed' | 'noticed: timed out' | 'not noticed' | 'not found' | 'found more than once'
type Result = {
  readonly id: string
  readonly verdict: Verdict
  /** The test that failed. */
  readonly by: string
  readonly seconds: number
}

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    continue: { type: 'boolean' },
    check: { type: 'boolean' },
    named: { type: 'boolean' },
    'at-once': { type: 'boolean' },
  },
})
/** Plants all of them at once and looks whether that compiles. */
function check({ find, plant, compiles }: Copy, checked: readonly Mutation[]): number {
  const lost = checked.filter((mutation) => {
    const found = find(mutation).length
    if (found !== 1) console.log(`${mutation.id}: found ${found} times`)
    return found !== 1
  })
  for (const mutation of checked) if (!lost.includes(mutation)) plant(mutation)
  const errors = compiles()
  console.log(errors === '' ? `${checked.length - lost.length} of ${checked.length} found; they compile` : errors)
  return lost.length === 0 && errors === '' ? 0 : 1
}

async function measure({ filesWith }: Copy, measured: readonly Mutation[]): Promise<void> {
  if (options['at-once'] !== true) await assertGreen(copy, filesWith(measured.flatMap(({ tests }) => tests)))
  const measuredNow = new Map<string, Result>()
  for (const mutation of measured) {
    const startedAt = Date.now()
    const { verdict, by } = await verdictOn(mutation)
    const seconds = Math.round((Date.now() - startedAt) / 1_000)
    console.log(`${mutation.id} ${verdict} (${seconds} s) ${by}`)
    measuredNow.set(mutation.id, { id: mutation.id, verdict, by, seconds })
    // Another run of a part may have written meanwhile.
    writeFileSync(resultsFile, tableOf(isPart ? new Map([...readResults(), ...measuredNow]) : measuredNow))
  }
}

/** A mistake can only be noticed by tests that pass without it. */
async function assertGreen({ run }: Copy, files: readonly string[]): Promise<void> {
  console.log(`Without a mistake: ${files.length} test files`)
  const { kind, failed } = await run(files, { boundMs: widerTestsMs, bail: false })
  const suspects = kind === 'timed out' ? files : failed
  if (kind !== 'passed' && !(await passesWithout(suspects, widerTestsMs)))
    throw new Error(`Not green without a mistake (${kind}): ${suspects.join(', ')}`)
}

type Judged = { readonly verdict: Verdict; readonly by: string }

async function verdictOn(mutation: Mutation): Promise<Judged> {
  const found = copy.find(mutation).length
  if (found !== 1) return { verdict: found === 0 ? 'not found' : 'found more than once', by: '' }
  const named = copy.filesWith(mutation.tests)
  const ofTier = copy.filesWith([`test/${mutation.tier}/`]).filter((file) => !named.includes(file))
  const ofSystem = copy.filesWith(['test/system/', 'test/mcp/']).filter((file) => !named.includes(file))
  const stages = [named, ...(options.named === true ? [] : [ofTier, ofSystem])]
  for (const [at, files] of stages.entries()) {
    const judged = await judgedBy(files, mutation, at === 0 ? namedTestsMs : widerTestsMs)
    if (judged !== null) return judged
  }
  return { verdict: 'not noticed', by: '' }
}

/** Null where the mistake was not noticed. A test that fails without it, too, notices nothing, and is left out. */
async function judgedBy(files: readonly string[], mutation: Mutation, boundMs: number): Promise<Judged | null> {
  if (files.length === 0) return null
  const undo = copy.plant(mutation)
  const { kind, failed, test } = await copy.run(files, { boundMs, bail: true }).finally(undo)
  if (kind === 'passed') return null
  const suspects = kind === 'timed out' ? files : failed
  if (await passesWithout(suspects, boundMs))
    return kind === 'timed out' ? { verdict: 'noticed: timed out', by: '' } : { verdict: 'noticed', by: test }
  console.log(`  left out, as it fails without the mistake: ${suspects.join(', ')}`)
  return judgedBy(
    files.filter((file) => !suspects.includes(file)),
    mutation,
    boundMs,
  )
}

const cleanTriesMax = 2
const clean = new Set<string>()

/** Without a mistake; on a busy machine a test may fail once. */
async function passesWithout(files: readonly string[], boundMs: number): Promise<boolean> {
  const name = files.join()
  for (let tries = 0; tries < cleanTriesMax && !clean.has(name); tries++)
    if ((await copy.run(files, { boundMs, bail: false })).kind === 'passed') clean.add(name)
  return clean.has(name)
}

function tableOf(results: ReadonlyMap<string, Result>): string {
  const all = mutations.flatMap((mutation) => {
    const result = results.get(mutation.id)
    return result === undefined ? [] : [{ ...mutation, ...result }]
  })
  const noticed = all.filter(({ verdict }) => verdict.startsWith('noticed')).length
  const rows = all.map(
    ({ id, tier, fear, verdict, by, seconds }) => `| ${id} | ${tier} | ${fear} | ${verdict} | ${by} | ${seconds} |`,
  )
  return [
    '# Planted mistakes',
    '',
    `${noticed} of ${all.length} noticed; the list has ${mutations.length}. Made by \`npm run mutations\`.`,
    '',
    '| id | tier | what goes wrong | verdict | by the test | s |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function readResults(): Map<string, Result> {
  if (!existsSync(resultsFile)) return new Map()
  const rows = readFileSync(resultsFile, 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, id = '']) => mutations.some((mutation) => mutation.id === id))
  return new Map(
    rows.map(([, id = '', , , verdict = '', by = '', seconds = '']) => [
      id,
      { id, verdict: verdict as Verdict, by, seconds: Number(seconds) },
    ]),
  )
}

setPriority(15)
const copy = openCopy(join(import.meta.dirname, '../..'))
const isPart = options.continue === true || positionals.length > 0
const known = isPart ? readResults() : null
const chosen = mutations.filter(
  ({ id }) =>
    (positionals.length === 0 || positionals.some((start) => id.startsWith(start))) &&
    !(options.continue === true && known?.has(id)),
)
try {
  if (options.check === true) process.exitCode = check(copy, chosen)
  else await measure(copy, chosen)
} finally {
  copy.close()
}
