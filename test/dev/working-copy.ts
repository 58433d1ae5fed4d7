// A copy of this project in a temporary folder, and programs in it as by hand: with npm and the Node of the system.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

const root = join(import.meta.dirname, '../..')
/** Hidden files stay away, but for those that programs read. */
const left = new Set(['node_modules', 'data', 'screens', 'coverage'])
const hiddenButRead = new Set(['.npmrc', '.oxfmtrc.json', '.gitignore', '.ci'])

export type WorkingCopy = {
  readonly folder: string
  /** Runs a line of the shell in it. Ends with the test at the latest. */
  run(line: string, env?: Readonly<Record<string, string>>): Program
  remove(): Promise<void>
}
export type Program = {
  output(): string
  readonly ended: Promise<number | null>
  /** Sends the signal to all processes of the program. */
  signal(name: NodeJS.Signals): void
}

export function copyProject(): WorkingCopy {
  const folder = mkdtempSync(join(tmpdir(), 'wia-copy-'))
  for (const name of readdirSync(root))
    if (!left.has(name) && (!name.startsWith('.') || hiddenButRead.has(name)))
      cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const programs: Program[] = []
  return {
    folder,
    run(line, env = {}) {
      const program = started(folder, line, env)
      programs.push(program)
      return program
    },
    async remove() {
      for (const program of programs) program.signal('SIGKILL')
      await Promise.all(programs.map(({ ended }) => ended))
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function started(folder: string, line: string, env: Readonly<Record<string, string>>): Program {
  const child = spawn('bash', ['-c', line], {
    cwd: folder,
    env: { ...fromOutside(), ...env },
    // A group of its own, so that a signal reaches what npm has started.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return {
    output: () => output,
    ended: once(child, 'close').then(([code]) => code as number | null),
    signal: (name) => signalGroup(child, name),
  }
}

function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    process.kill(-pid!, name)
  } catch {
    // All of it has ended.
  }
}

/** Without what npm and the tests have put into the environment of this process. */
function fromOutside(): Record<string, string> {
  const kept = ['HOME', 'TMPDIR', 'LANG', 'DATABASE_URL', 'REDIS_URL', 'AMQP_URL', 'NODE_COMPILE_CACHE']
  const path = (process.env['PATH'] ?? '').split(delimiter).filter((part) => !part.includes('node_modules'))
  const pairs = kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]] as const]))
  return { ...Object.fromEntries(pairs), PATH: path.join(delimiter), NO_COLOR: '1' }
}
