// One client, generator or suite of others: a folder with `tried.json`, and with `package.json` and `package-lock.json`
// where it comes from npm. It is copied to a folder beside the system's temporary files, installed there from its
// lockfile, and run with a time bound. The repository stays as it is.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join, resolve } from 'node:path'
import type { Access } from './installation.ts'

const root = join(import.meta.dirname, '../..')
const installWithinMs = 600_000
const outputCharsMax = 200_000
const shownLinesMax = 30
/** With this code a script says that what it needs cannot be had here; its last line says why. */
const skippedCode = 77

/** What `tried.json` says. */
type Description = {
  readonly title: string
  /** What is tried, as a phrase for the table. */
  readonly tried: string
  /** Runs in the folder, by the shell, with BASE_URL and API_KEY. */
  readonly command: string
  /**
   * What must be on the machine: programs, or packages of Debian. With the version that it was written with, where that
   * is not in the lockfile.
   */
  readonly programs?: readonly string[] | Readonly<Record<string, string>>
}
export type Candidate = Description & { readonly name: string }
export type Outcome = {
  readonly candidate: Candidate
  readonly versions: readonly string[]
  readonly result: 'passed' | 'failed' | 'skipped'
  /** Why it failed or was skipped, in a line; empty where it passed. */
  readonly detail: string
  readonly output: string
}
type Ended = { readonly code: number | null; readonly output: string }
type Verdict = Pick<Outcome, 'result' | 'detail' | 'output'>

/** Returns the candidates in the folder, by title. */
export const candidatesIn = (folder: string): Candidate[] =>
  globSync('*/tried.json', { cwd: folder })
    .map((path) => ({ name: dirname(path), ...(readJson(join(folder, path)) as Description) }))
    .toSorted((a, b) => a.title.localeCompare(b.title, 'en'))

export async function tryCandidate(
  candidate: Candidate,
  folder: string,
  access: Access,
  withinMs: number,
): Promise<Outcome> {
  const needed = Object.entries(neededBy(candidate)).map(([name, pinned]) => ({
    name: basename(name),
    pinned,
    installed: installedVersion(name),
  }))
  const versions = [
    ...packagesOf(join(folder, candidate.name)),
    ...needed
      .filter(({ pinned }) => pinned !== '')
      .map(({ name, pinned, installed }) => `${name} ${installed || pinned}`),
  ]
  const missing = needed.filter(({ installed }) => installed === null)
  const verdict: Verdict =
    missing.length > 0
      ? { result: 'skipped', detail: `not on this machine: ${missing.map(({ name }) => name).join(', ')}`, output: '' }
      : await installAndRun(candidate, folder, access, withinMs)
  return { candidate, versions, ...verdict }
}

async function installAndRun(
  { name, command }: Candidate,
  folder: string,
  access: Access,
  withinMs: number,
): Promise<Verdict> {
  const place = copied(folder, name)
  const installed = await install(place)
  if (installed.code !== 0) return { result: 'failed', detail: 'npm ci failed', output: lastLines(installed.output) }
  const { HOME = '', LANG = 'C.UTF-8' } = process.env
  const env = { HOME, LANG, NO_COLOR: '1', CI: '1', ...access }
  const ended = await runBounded(place, 'sh', ['-c', command], env, withinMs)
  const output = lastLines(ended.output)
  const lastLine = output.slice(output.lastIndexOf('\n') + 1)
  if (ended.code === 0) return { result: 'passed', detail: '', output }
  if (ended.code === skippedCode) return { result: 'skipped', detail: lastLine, output }
  const reason = ended.code === null ? `not done within ${withinMs / 1_000} seconds` : `exit code ${ended.code}`
  return { result: 'failed', detail: reason, output }
}

/**
 * Copies the folder and what lies beside the folders, so that a script finds `../story.ts` and `../../../docs` as in
 * the repository. Installed packages stay from run to run.
 */
function copied(folder: string, name: string): string {
  const hash = createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 8)
  const copy = join(tmpdir(), `wia-tried-${hash}`)
  const place = join(copy, 'clients/tried', name)
  mkdirSync(place, { recursive: true })
  if (!existsSync(join(copy, 'docs'))) symlinkSync(join(root, 'docs'), join(copy, 'docs'))
  writeFileSync(join(copy, 'package.json'), '{ "type": "module" }\n')
  for (const file of globSync('*.*', { cwd: folder })) cpSync(join(folder, file), join(dirname(place), file))
  for (const file of readdirSync(place)) {
    if (file !== 'node_modules') rmSync(join(place, file), { recursive: true })
  }
  const isOurs = (path: string) => !path.includes(`${name}/node_modules`)
  cpSync(join(folder, name), place, { recursive: true, filter: isOurs })
  return place
}

/** Installs from the lockfile, once for each lockfile. No package's install script runs. */
async function install(place: string): Promise<Ended> {
  const lockfile = join(place, 'package-lock.json')
  if (!existsSync(lockfile)) return { code: 0, output: '' }
  const hash = createHash('sha256').update(readFileSync(lockfile)).digest('hex')
  const marker = join(place, 'node_modules/.installed')
  if (existsSync(marker) && readFileSync(marker, 'utf8') === hash) return { code: 0, output: '' }
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund']
  const ended = await runBounded(place, 'npm', args, process.env, installWithinMs)
  if (ended.code === 0) {
    mkdirSync(dirname(marker), { recursive: true })
    writeFileSync(marker, hash)
  }
  return ended
}

/** Runs a program with all that it starts, and ends all of it when the time is up; then the code is null. */
async function runBounded(
  folder: string,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  withinMs: number,
): Promise<Ended> {
  const { PATH = '' } = process.env
  // The Node that runs this comes first.
  const path = [dirname(process.execPath), PATH].join(delimiter)
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...env, PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  const keep = (chunk: Buffer) => (output = (output + chunk.toString()).slice(-outputCharsMax))
  for (const stream of [child.stdout, child.stderr]) stream.on('data', keep)
  const endAll = () => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // All of it has ended.
    }
  }
  const timer = setTimeout(endAll, withinMs)
  const [code] = (await once(child, 'exit')) as [number | null]
  clearTimeout(timer)
  // What it has left running would hold the pipes open.
  endAll()
  if (!child.stdout.closed) await once(child, 'close')
  return { code, output: output.trim() }
}

/** Returns the version that is installed, '' where it tells none, null where there is nothing of this name. */
function installedVersion(name: string): string | null {
  if (spawnSync('sh', ['-c', `command -v '${name}'`]).status === 0) {
    const told = ['--version', 'version'].map((arg) => spawnSync(name, [arg], { encoding: 'utf8' }))
    const text = told.find(({ status }) => status === 0)?.stdout ?? ''
    return /\d+(?:\.\d+)+/.exec(text)?.[0] ?? ''
  }
  const asked = spawnSync('dpkg-query', ['-W', '-f', '${db:Status-Status} ${source:Upstream-Version}', name], {
    encoding: 'utf8',
  })
  return asked.status === 0 && asked.stdout.startsWith('installed ') ? (asked.stdout.split(' ')[1] ?? '') : null
}

function neededBy({ programs = [] }: Candidate): Readonly<Record<string, string>> {
  return Array.isArray(programs)
    ? Object.fromEntries(programs.map((name: string) => [name, '']))
    : (programs as Readonly<Record<string, string>>)
}

/** What is tried is a dependency of the folder; what helps to try it, a development dependency. */
function packagesOf(folder: string): string[] {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return []
  const { dependencies = {} } = readJson(file) as { dependencies?: Record<string, string> }
  return Object.entries(dependencies).map(([name, version]) => `${name} ${version}`)
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

const lastLines = (text: string): string => text.split('\n').slice(-shownLinesMax).join('\n')
