// CPU time that processes have used, user and system, all threads, from /proc. Where there is no /proc, and for a
// process of another machine, it is unknown.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const ticksPerSecond = Number(attempt(() => execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) ?? 100)

/** In microseconds; null when one of the processes cannot be read. */
export function cpuMicros(pids: readonly number[]): number | null {
  const each = pids.map((pid) => attempt(() => ticksOf(readFileSync(`/proc/${pid}/stat`, 'utf8'))))
  if (each.length === 0 || each.some((ticks) => ticks === null)) return null
  return (each.reduce<number>((sum, ticks) => sum + (ticks ?? 0), 0) * 1e6) / ticksPerSecond
}

export type CpuReading = ReadonlyMap<number, number>

/** Of each of the processes that can be read, in microseconds. */
export const cpuByProcess = (pids: readonly number[]): CpuReading =>
  new Map(
    pids.flatMap((pid) => {
      const micros = cpuMicros([pid])
      return micros === null ? [] : [[pid, micros] as const]
    }),
  )

/** What the processes of both readings have used, over so many; null where there are none, or no longer any. */
export function usedPerOne(before: CpuReading, after: CpuReading, count: number): number | null {
  const used = [...after].flatMap(([pid, micros]) => {
    const from = before.get(pid)
    return from === undefined ? [] : [micros - from]
  })
  return used.length === 0 || count === 0 ? null : used.reduce((sum, micros) => sum + micros, 0) / count
}

/** The difference of two readings, over so many; null where either is unknown. */
export const perOne = (before: number | null, after: number | null, count: number): number | null =>
  before === null || after === null || count === 0 ? null : (after - before) / count

/** The name stands in parentheses and may hold anything: what is counted begins behind it. */
export function ticksOf(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

function attempt<T>(look: () => T): T | null {
  try {
    return look()
  } catch {
    return null
  }
}
