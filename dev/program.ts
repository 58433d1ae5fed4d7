// A program that is started anew when its files change. One that fails stays away until the next change.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'

export const root = join(import.meta.dirname, '..')

export type Program = {
  readonly name: string
  /** Of Node itself, then the program and its arguments. */
  readonly args: readonly string[]
  /** Besides what this process has; undefined takes a variable out. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** An address that answers once the program is ready. */
  readonly readyAt: string
  /** Called with each line that the program writes to its standard output. */
  onLine(line: string): void
}
export type Running = { stop(): Promise<void> }

const readyWithinMs = 120_000
const pollMs = 100
/** Receivers that hang, and callers that wait, do not hold up a reload for longer. */
const stopsWithinMs = 4_000
const settleMs = 150

/** Starts the program once, and waits until it is ready. Throws when it ends before that. */
export async function start(program: Program): Promise<Running> {
  const child = launch(program)
  const stop = (): Promise<void> => end(child)
  try {
    await ready(child, program)
  } catch (error) {
    await stop()
    throw error
  }
  return { stop }
}

type Watching = {
  /** Top-level folders whose files the program is made of. */
  readonly folders: readonly string[]
  /** Before the program starts again, with the file that has changed. Throws where it makes no sense to start. */
  beforeReload(file: string): Promise<void>
  say(sentence: string): void
}

/** Runs the program, and again after each change of a file. */
export async function startReloading(program: Program, { folders, beforeReload, say }: Watching): Promise<Running> {
  let running: Running | null = await start(program)
  let changed: string | null = null
  let reloading: Promise<void> | null = null
  async function reload(): Promise<void> {
    while (changed !== null) {
      await pause(settleMs)
      const [file, from] = [changed, performance.now()]
      changed = null
      try {
        await running?.stop()
        running = null
        await beforeReload(file)
        running = await start(program)
        say(`${file} has changed: ${program.name} restarted in ${Math.round(performance.now() - from)} ms`)
      } catch (error) {
        say(`${file} has changed: ${(error as Error).message} Waiting for the next change.`)
      }
    }
    reloading = null
  }
  const watchers = folders.map((folder) =>
    watch(join(root, folder), { recursive: true }, (_event, name) => {
      if (name === null || !/\.(?:ts|sql)$/.test(name)) return
      changed = join(folder, name)
      reloading ??= reload()
    }),
  )
  return {
    stop: async () => {
      for (const watcher of watchers) watcher.close()
      changed = null
      await reloading
      await running?.stop()
    },
  }
}

function launch({ args, env, onLine }: Program): ChildProcess {
  const attached = join(import.meta.dirname, 'attached.ts')
  const child = spawn(process.execPath, ['--import', attached, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    // Ctrl+C in a terminal goes to a whole group: this program alone is to hear it, and ends the others in their order.
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  createInterface({ input: child.stdout! }).on('line', onLine)
  return child
}

async function ready(child: ChildProcess, { name, readyAt }: Program): Promise<void> {
  const until = performance.now() + readyWithinMs
  while (performance.now() < until) {
    if (hasEnded(child)) throw new Error(`The ${name} ended before it was ready.`)
    const isReady = await fetch(readyAt).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady && !hasEnded(child)) return
    await pause(pollMs)
  }
  throw new Error(`The ${name} was not ready within ${readyWithinMs / 1_000} seconds.`)
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  // The second signal waits for nothing.
  const again = setTimeout(() => child.kill('SIGTERM'), stopsWithinMs)
  const atLast = setTimeout(() => child.kill('SIGKILL'), 2 * stopsWithinMs)
  await ended
  for (const timer of [again, atLast]) clearTimeout(timer)
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null
