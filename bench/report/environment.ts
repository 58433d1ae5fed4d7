// Machine, date, commit and versions of a result: without these a figure says nothing.
import { execFileSync } from 'node:child_process'
import { cpus, totalmem } from 'node:os'
import { canPin } from '../measure/cores.ts'

export type Facts = Readonly<Record<string, string>>

export const environment = (): Facts => ({
  machine: `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
  node: process.versions.node,
  commit: commit(),
  date: new Date().toISOString().slice(0, 16).replace('T', ' ') + ' UTC',
  placement: canPin ? 'measured process on core 0, everything that loads it on core 1' : 'not pinned to cores',
})

/** Results themselves do not make a tree dirty. */
function commit(): string {
  try {
    const [id, changed] = [
      git('rev-parse', '--short', 'HEAD'),
      git('status', '--porcelain', '--', ':/', ':!/bench/results', ':!/test/chaos/results'),
    ]
    return changed === '' ? id : `${id} with uncommitted changes`
  } catch {
    return 'unknown'
  }
}

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { encoding: 'utf8', cwd: import.meta.dirname }).trim()
