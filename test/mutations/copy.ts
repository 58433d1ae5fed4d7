// A copy of the project, in which mistakes are planted and tests run.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import type { Mutation } from './mutation.ts'

type TestRun = {
  readonly kind: 'passed' | 'failed' | 'timed out'
  /** The test files that failed, and the full name of the first test that did. */
  readonly failed: readonly string[]
  readonly test: string
}
type RunOptions = { readonly boundMs: number; readonly bail: boolean }

export type Copy = {
  /** The files in which the mutation's place is, one for each place. */
  find(mutation: Mutation): readonly string[]
  /** Returns what takes the mistake out again. */
  plant(mutation: Mutation): () => void
  /** The test files whose path has one of these words. */
  filesWith(words: readonly string[]): readonly string[]
  run(files: readonly string[], options: RunOptions): Promise<TestRun>
  /** Returns what the compiler says, or nothing. */
  compiles(): string
  close(): void
}

const notCopied = new Set(['node_modules', '.git', 'screens', 'coverage', 'data'])

/** The installed packages are shared. */
export function openCopy(project: string): Copy {
  const root = mkdtempSync(join(tmpdir(), 'mutations-'))
  cpSync(project, root, {
    recursive: true,
    filter: (source) => !notCopied.has(relative(project, source).split(sep)[0] ?? ''),
  })
  symlinkSync(join(project, 'node_modules'), join(root, 'node_modules'), 'dir')
  const close = (): void => rmSync(root, { recursive: true, force: true })
  process.once('exit', close)
  process.once('SIGINT', () => process.exit(130))
  const bin = (name: string): string => join(root, 'node_modules/.bin', name)

  /** As they are without a mistake. */
  const texts = new Map<string, ReadonlyMap<string, string>>()
  function textsOf(tier: string): ReadonlyMap<string, string> {
    const known = texts.get(tier) ?? readTier(root, tier)
    texts.set(tier, known)
    return known
  }

  function find({ tier, find }: Mutation): string[] {
    const everywhere = new RegExp(find.source, `${find.flags}g`)
    return [...textsOf(tier)].flatMap(([file, text]) => [...text.matchAll(everywhere)].map(() => file))
  }

  function plant(mutation: Mutation): () => void {
    const file = join(root, find(mutation)[0] ?? '')
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace(mutation.find, mutation.replace))
    return () => writeFileSync(file, text)
  }

  const testFiles = globSync('test/**/*.test.ts', { cwd: root }).map((file) => file.split(sep).join('/'))
  const filesWith = (words: readonly string[]): string[] =>
    testFiles.filter((file) => words.some((word) => file.includes(word))).toSorted()

  async function run(files: readonly string[], { boundMs, bail }: RunOptions): Promise<TestRun> {
    const report = join(root, 'mutations-report.json')
    rmSync(report, { force: true })
    const args = ['run', '--maxWorkers=1', '--reporter=json', `--outputFile=${report}`, ...(bail ? ['--bail=1'] : [])]
    const child = spawn(bin('vitest'), [...args, ...files], { cwd: root, detached: true, stdio: 'ignore' })
    const end = (): void => endGroup(child.pid)
    process.once('exit', end)
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      end()
    }, boundMs)
    const [code] = (await once(child, 'exit')) as [number | null]
    clearTimeout(timer)
    // Programs that a test has started and left.
    end()
    process.off('exit', end)
    if (isLate) return { kind: 'timed out', failed: [], test: '' }
    if (code === 0) return { kind: 'passed', failed: [], test: '' }
    return failureIn(report, root, files)
  }

  function compiles(): string {
    return ['tsc', 'tsc -p console']
      .flatMap((command) => {
        const [program = '', ...args] = command.split(' ')
        const { status, stdout } = spawnSync(bin(program), args, { cwd: root, encoding: 'utf8' })
        return status === 0 ? [] : [stdout]
      })
      .join('\n')
  }

  return { find, plant, filesWith, run, compiles, close }
}

function readTier(root: string, tier: string): ReadonlyMap<string, string> {
  const files = globSync(`${tier}/**/*.{ts,tsx}`, { cwd: root }).filter((file) => !file.includes('generated'))
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
}

type Report = {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

/** Where the run has ended without a report, all files count as failed. */
function failureIn(report: string, root: string, files: readonly string[]): TestRun {
  if (!existsSync(report)) return { kind: 'failed', failed: files, test: 'the run broke off' }
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const failed = testResults.filter(({ status }) => status === 'failed')
  const tests = failed.flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'failed'))
  return {
    kind: 'failed',
    failed: failed.map(({ name }) => relative(root, name)),
    test: (tests[0]?.fullName ?? 'a file that does not load').replaceAll('|', ' '),
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
