// One JSON line per event, to standard output, written beside the requests (runtime/log-buffer.ts). Redaction is the last
// thing that happens to a line, so a secret that reached it by an unexpected way (an error's text, an address with a
// password) is masked all the same. The lines of requests, of which there are thousands a second, are put together from
// fields that hold no secret (`lineWriter`).
import { pino, type DestinationStream, type Logger } from 'pino'
import { logBuffer } from './log-buffer.ts'
import { choice } from './settings.ts'
import { format } from 'node:util'

export type Log = Logger

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Spread into a process's settings, so that a wrong level is reported with the other mistakes. */
export const logSettings = {
  logLevel: choice('LOG_LEVEL', {
    of: levels,
    default: 'info',
    description: 'The least important events that are logged.',
  }),
}

const standardOutput = 1

let droppedByProcess = (): number => 0
/** Log lines of this process that found no room, since the start. */
export const droppedLogLines = (): number => droppedByProcess()

/** Of a whole process, which has one: what waits is written when it ends. */
export function processLogger(level: string, name: string): Log {
  const onDropped = (count: number): void => log.warn({ count }, 'log lines were dropped: nobody took them in time')
  const buffer = logBuffer(standardOutput, { onDropped })
  process.once('exit', buffer.flushSync)
  droppedByProcess = buffer.dropped
  const log = logger(level, name, buffer)
  return log
}

export function logger(level: string, name: string, destination?: DestinationStream): Log {
  const options = { level, name, hooks: { streamWrite: withoutSecrets } }
  return destination === undefined ? pino(options) : pino(options, destination)
}

/** Text that a caller wrote has gone through `maskedText`; all other text is known to hold no secret. */
type LineFields = Readonly<Record<string, string | number | null | undefined>>

/** Writes lines of level info that are not searched for secrets: `fields` are what a line of this message has. */
export function lineWriter(log: Log, message: string): (fields: LineFields) => void {
  const { destination, bindings } = partsOf(log)
  const level = log.levels.values['info'] ?? 0
  const end = `,"msg":${JSON.stringify(message)}}\n`
  return (fields) => {
    if (level < log.levelVal) return
    const written = JSON.stringify(fields).slice(1, -1)
    destination.write(`{"level":${level},"time":${Date.now()}${bindings},${written}${end}`)
  }
}

/** What pino's own lines go to, and how they begin after level and time. */
function partsOf(log: Log): { readonly destination: DestinationStream; readonly bindings: string } {
  const parts = log as unknown as Readonly<Record<symbol, unknown>>
  const { streamSym, chindingsSym } = pino.symbols
  return { destination: parts[streamSym] as DestinationStream, bindings: parts[chindingsSym] as string }
}

const masked = '[redacted]'
// Fields that hold secrets, at any depth. Then secrets by their form, wherever they are: of a token the readable start
// stays, which tells which one it was; of a URL all but the password.
const field = /("(?:authorization|cookie|set-cookie|secret|password|token)":)(?:"(?:[^"\\]|\\.)*"|\[[^\]]*\])/gi
// `node_` is excluded, since a path through node_modules looks like a token.
const token = /\b(?!node_)([a-z]{2,10}_(?:[0-9A-Za-z]{8}_)?)[0-9A-Za-z+/]{24,}=*/g
const passwordInUrl = /(:\/\/[^\s:/@"]*:)[^\s/"]+@/g

export const withoutSecrets = (line: string): string =>
  line.replace(field, `$1"${masked}"`).replace(token, `$1${masked}`).replace(passwordInUrl, `$1${masked}@`)

/** A caller's word for a line's field. What has neither of these two signs matches none of the forms above. */
export const maskedText = (text: string): string =>
  text.includes('_') || text.includes('://') ? withoutSecrets(text) : text

// What libraries and Node print by themselves, as lines of the process's log: a Redis client that nobody listens to, a
// driver's deprecation, a warning of Node. In plain text they would stand between JSON lines, which readers of the log
// cannot parse, and past the redaction.

const consoleLevels = {
  debug: 'debug',
  log: 'info',
  info: 'info',
  trace: 'info',
  warn: 'warn',
  error: 'error',
} as const

/** For the rest of the process's life. */
export function logLibraryOutput(log: Log): void {
  for (const [method, level] of Object.entries(consoleLevels) as [
    keyof typeof consoleLevels,
    'debug' | 'info' | 'warn' | 'error',
  ][])
    console[method] = (...printed: unknown[]) => log[level]({ printed: true }, format(...printed))
  // Node's own listener prints them.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ err: warning }, warning.message))
}

// Keeps what happens a thousand times from being logged a thousand times. Causes are few and known beforehand.

export type ThrottledLog = (cause: string, count: number, log: (count: number) => void) => void

/** Logs the first of each cause at once, then at most one in `everyMs`, with the count of those since the last. */
export function throttledLog(everyMs: number, now: () => number = () => performance.now()): ThrottledLog {
  const logged = new Map<string, { readonly at: number; unlogged: number }>()
  return (cause, count, log) => {
    const last = logged.get(cause)
    if (last !== undefined && now() - last.at < everyMs) {
      last.unlogged += count
      return
    }
    logged.set(cause, { at: now(), unlogged: 0 })
    log(count + (last?.unlogged ?? 0))
  }
}
