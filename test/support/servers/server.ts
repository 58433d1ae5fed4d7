// A server program of a test’s own, which can be killed, started again and wiped, and ends with the test process.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export type Server = AsyncDisposable & {
  readonly url: string
  /** SIGTERM lets it finish its work, SIGKILL does not. Resolves once it has ended. */
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Resolves once it answers, on the same port and folder as before. */
  start(): Promise<void>
  /** Keeps all of its processes from running, as a machine does that hangs; `thaw` lets them go on where they stood. */
  freeze(): void
  thaw(): void
  /** Loses all that it has stored. Only while stopped. */
  wipe(): void
  close(): Promise<void>
}

export type Program = {
  readonly name: string
  readonly url: string
  readonly folder: string
  /** Starts the program on the folder, made anew if need be. */
  readonly launch: () => ChildProcess
  /** Rejects while the server does not answer yet. */
  readonly answers: (url: string) => Promise<void>
}

const answersWithinMs = 90_000
const pollEveryMs = 100

export async function serve(program: Program): Promise<Server> {
  let child: ChildProcess | null = null
  const start = async () => {
    child = program.launch()
    await answering(program, child)
  }
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    if (child !== null) await end(child, signal)
    child = null
  }
  const freeze = () => signalTree(child, 'SIGSTOP')
  const thaw = () => signalTree(child, 'SIGCONT')
  const wipe = () => rmSync(program.folder, { recursive: true, force: true })
  const close = async () => {
    process.off('exit', kill)
    thaw()
    await stop('SIGKILL')
    wipe()
  }
  const kill = () => child && signalGroup(child, 'SIGKILL')
  process.on('exit', kill)
  await start()
  return { url: program.url, start, stop, freeze, thaw, wipe, close, [Symbol.asyncDispose]: close }
}

/** Its own process group, so that what the program starts ends with it. */
export function launch(
  command: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; uid?: number; cwd?: string } = {},
): ChildProcess {
  return spawn(command, args, { stdio: 'ignore', detached: true, ...options, env: { ...process.env, ...options.env } })
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** The first of these programs that is installed. */
export function installed(...paths: readonly string[]): string | null {
  return paths.find((path) => existsSync(path)) ?? null
}

export function privateFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `${name}-`))
  mkdirSync(folder, { recursive: true })
  return folder
}

async function answering({ name, url, answers }: Program, child: ChildProcess): Promise<void> {
  const until = Date.now() + answersWithinMs
  for (;;) {
    const error: unknown = await answers(url).catch((thrown: unknown) => thrown)
    if (error === undefined) return
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}`)
    if (Date.now() > until) throw new Error(`${name} does not answer`, { cause: error })
    await delay(pollEveryMs)
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  signalGroup(child, signal)
  await ended
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // It has ended by itself.
  }
}

/** The program first, so that it starts no more of those that it has: some lead groups of their own. */
function signalTree(child: ChildProcess | null, signal: NodeJS.Signals): void {
  if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  process.kill(child.pid, signal)
  for (const pid of childrenOf(child.pid)) {
    try {
      process.kill(pid, signal)
    } catch {
      // It has ended by itself.
    }
  }
}

const childrenOf = (pid: number): number[] =>
  spawnSync('ps', ['--no-headers', '-o', 'pid', '--ppid', String(pid)], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter((line) => line.trim() !== '')
    .map(Number)
