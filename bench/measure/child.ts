// A process of the bench: started on its core with only the given environment, and stopped at
// the end of its scope. Its output goes into a file, whose end is shown when the process fails.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { pinned, type Core } from './cores.ts'

export type Child = AsyncDisposable & {
  readonly pid: number
  isRunning(): boolean
  /** All that it has printed so far. */
  output(): string
  /** Resolves when it has ended by itself; rejects where it failed or took longer. */
  finished(withinMs: number): Promise<void>
  /** Sends SIGTERM and waits until it has ended, up to 60 s. */
  ended(): Promise<void>
  stop(): Promise<void>
}
export type Start = {
  readonly name: string
  readonly core: Core
  /** Node when none is given. */
  readonly command?: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const stopWithinMs = 10_000
const endsWithinMs = 60_000
const shownOnFailure = 2_000
const folder = mkdtempSync(join(tmpdir(), 'bench-'))
const running = new Set<number>()
let started = 0
let interrupted = false
const interruption = Promise.withResolvers<never>()
interruption.promise.catch(() => {})

process.on('exit', () => {
  endAll()
  rmSync(folder, { recursive: true, force: true })
})

/** Kills all children and starts none any more. Waiting for a child then rejects, so that scopes clean up. */
export function endAll(): void {
  interrupted = true
  interruption.reject(new Error('Interrupted'))
  for (const pid of running) signal(pid, 'SIGKILL')
}

/** Resolves as the work does; rejects when the bench is interrupted before. For work that no child does. */
export const unlessInterrupted = <T>(work: Promise<T>): Promise<T> => Promise.race([interruption.promise, work])

/** A file of this run, removed at its end. */
export const scratchFile = (name: string): string => join(folder, `${started++}-${name}`)

export function start({ name, core, command: program = process.execPath, args, env = {} }: Start): Child {
  if (interrupted) throw new Error('Interrupted')
  const file = scratchFile(`${name}.log`)
  const log = openSync(file, 'w')
  const [command = '', ...rest] = pinned(core, [program, ...args])
  const child = spawn(command, rest, { stdio: ['ignore', log, log], env: { PATH: process.env['PATH'], ...env } })
  closeSync(log)
  const pid = child.pid ?? 0
  running.add(pid)
  const exit = once(child, 'exit').finally(() => running.delete(pid))
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const output = () => readFileSync(file, 'utf8')

  async function finished(withinMs: number): Promise<void> {
    const ended = await Promise.race([exit.then(() => true), after(withinMs, false, { ref: false })])
    if (!ended) throw new Error(`${name} did not end within ${withinMs} ms`)
    if (child.exitCode !== 0) throw new Error(`${name} failed:\n${output().slice(-shownOnFailure)}`)
  }
  async function stop(): Promise<void> {
    if (!isRunning()) return
    signal(pid, 'SIGTERM')
    const ended = await Promise.race([exit.then(() => true), after(stopWithinMs, false, { ref: false })])
    if (!ended) signal(pid, 'SIGKILL')
    await exit
  }
  async function ended(): Promise<void> {
    signal(pid, 'SIGTERM')
    await finished(endsWithinMs)
  }
  return { pid, isRunning, output, finished, ended, stop, [Symbol.asyncDispose]: stop }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended by itself.
  }
}
