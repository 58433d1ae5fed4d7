// Which process runs on which core: the measured ones on one core, the load on another, if `taskset` is available.
// Where one core is too few for what is measured, all of them share both.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpus } from 'node:os'

export type Core = 'measured' | 'load' | 'both'

const numbers: Record<Core, string> = { measured: '0', load: '1', both: '0,1' }

export const canPin = cpus().length > 1 && spawnSync('taskset', ['--version']).status === 0

/** The command that starts this one on its core. */
export const pinned = (core: Core, command: readonly string[]): string[] =>
  canPin ? ['taskset', '-c', numbers[core], ...command] : [...command]

/** This process, and its threads, keep out of the way of what is measured. */
export function pinSelf(core: Core): void {
  if (canPin) execFileSync('taskset', ['-acp', numbers[core], String(process.pid)], { stdio: 'ignore' })
}
