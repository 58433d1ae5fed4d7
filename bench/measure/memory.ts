// What a process holds in memory, from /proc: all of it, and what is its own (heap, stacks, buffers) without the files
// that it maps. Where there is no /proc it is unknown.
import { readFileSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'

/** MiB. */
export type Memory = { readonly minute: number; readonly rss: number; readonly own: number }

/** Looks every so often until `over`. */
export async function memoryOver(pid: number, everyMs: number, over: AbortSignal): Promise<Memory[]> {
  const startedAt = performance.now()
  const looks: Memory[] = []
  while (!over.aborted) {
    const memory = memoryOf(pid)
    if (memory !== null) looks.push({ minute: (performance.now() - startedAt) / 60_000, ...memory })
    await after(everyMs, undefined, { signal: over }).catch(() => {})
  }
  return looks
}

/** Null where it is unknown. */
export function memoryOf(pid: number): { rss: number; own: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return { rss: mebibytes(status, 'VmRSS'), own: mebibytes(status, 'RssAnon') }
  } catch {
    return null
  }
}

const mebibytes = (status: string, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? Number.NaN) / 1_024
