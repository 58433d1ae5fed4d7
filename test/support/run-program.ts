// Runs programs in a folder, with nothing of the test's own environment but what finds programs.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export type Env = Record<string, string>

export function start(folder: string, program: string, args: readonly string[], env: Env) {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(program, args, { cwd: folder, env: { PATH, HOME, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return { child, output: () => output }
}

/** Runs the program until it exits. */
export async function run(folder: string, program: string, args: readonly string[], env: Env) {
  const { child, output } = start(folder, program, args, env)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output: output() }
}
