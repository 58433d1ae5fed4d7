// The product as an operator runs it: real processes, configured by their environment, which tests stop and kill.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { eventually } from './eventually.ts'
import { freePort } from './servers/server.ts'

const here: Place = { folder: join(import.meta.dirname, '../..'), node: process.execPath }
const readyWithinMs = 60_000

export type Program =
  | `${'gateway' | 'service' | 'dispatcher' | 'standalone' | 'prisma'}/main.ts`
  | 'service/setup-link.ts'
export type Env = Readonly<Record<string, string>>
/** Where the program is, which Node runs it, and as which user: by default this project, this Node and this user. */
export type Place = { readonly folder: string; readonly node: string; readonly uid?: number | undefined }
type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

export type Running = AsyncDisposable & {
  readonly url: string
  readonly pid: number
  readonly stdout: () => string
  /** SIGSTOP and SIGCONT: freezes the process, and lets it go on. */
  freeze(): void
  thaw(): void
  /** Ends the process; resolves when it is gone. */
  kill(signal: NodeJS.Signals): Promise<Ended>
}

/** Runs a program until it has ended and all that it said is here, which on a busy machine is after its exit. */
export async function runToEnd(program: Program, env: Env, place?: Place): Promise<Ended> {
  const child = launch(program, env, place)
  const output = collect(child)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...output() }
}

/**
 * Starts a program that listens, and waits until it is ready, or until it answers at another path than `/ready`; with
 * null it is not waited for.
 */
export async function start(
  program: Program,
  env: Env,
  place?: Place,
  path: string | null = '/ready',
): Promise<Running> {
  const port = env['PORT'] ?? String(await freePort())
  const child = launch(program, { ...env, PORT: port }, place)
  const output = collect(child)
  const url = `http://${env['HOST'] ?? '127.0.0.1'}:${port}`
  const kill = async (signal: NodeJS.Signals): Promise<Ended> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal)
      await once(child, 'exit')
    }
    return { code: child.exitCode, ...output() }
  }
  const answers = async () => path === null || (await isReady(url + path, child, output))
  await eventually(answers, `${program} to be ready`, readyWithinMs).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })
  return {
    url,
    pid: child.pid ?? 0,
    stdout: () => output().stdout,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    kill,
    [Symbol.asyncDispose]: async () => void (await kill('SIGKILL')),
  }
}

async function isReady(url: string, child: ChildProcess, output: () => Omit<Ended, 'code'>): Promise<boolean> {
  if (child.exitCode !== null) throw new Error(`Ended with ${child.exitCode}: ${output().stderr}${output().stdout}`)
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

// Of the test’s own environment only what finds programs, folders and compiled code.
function launch(program: Program, env: Env, { folder, node, uid }: Place = here): ChildProcess {
  const { PATH = '', HOME = '', TMPDIR = '', NODE_COMPILE_CACHE = '' } = process.env
  // Short lives: to optimise WebAssembly takes longer than they gain by that.
  return spawn(node, ['--liftoff-only', join(folder, program)], {
    cwd: folder,
    ...(uid !== undefined && { uid }),
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...(TMPDIR && { TMPDIR }), DRAIN_SECONDS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function collect(child: ChildProcess): () => Omit<Ended, 'code'> {
  let stdout = ''
  let stderr = ''
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  return () => ({ stdout, stderr })
}
