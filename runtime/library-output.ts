// What libraries and Node print by themselves, as lines of the process's log: a Redis client that nobody listens to, a
// driver's deprecation, a warning of Node. In plain text they would stand between JSON lines, which readers of the log
// cannot parse, and past the redaction.
import { format } from 'node:util'
import type { Log } from './log.ts'

const levels = { debug: 'debug', log: 'info', info: 'info', trace: 'info', warn: 'warn', error: 'error' } as const

/** For the rest of the process's life. */
export function logLibraryOutput(log: Log): void {
  for (const [method, level] of Object.entries(levels) as [keyof typeof levels, (typeof levels)[keyof typeof levels]][])
    console[method] = (...printed: unknown[]) => log[level]({ printed: true }, format(...printed))
  // Node's own listener prints them.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ err: warning }, warning.message))
}
