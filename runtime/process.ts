// How every process starts and stops. A failure for a reason outside the program (runtime/process.ts) is written
// as one sentence; only what nobody foresaw is logged with a stack.
import { logLibraryOutput, logSettings, processLogger, type Log } from './log.ts'
import { SettingsError, readSettings } from './settings.ts'
import { withTimeout } from './timeouts.ts'

export type Part = { close(): Promise<void> }
/** `drain` comes before `close`: everything is still served until it resolves. */
export type Process = Part & { drain?(): Promise<void> }

const stopWithinMs = 25_000
const partClosesWithinMs = 8_000
const exitConfig = 78

/** Runs until SIGINT or SIGTERM, then drains and closes. `logLevel` allows for another default. */
export async function run(
  name: string,
  start: (log: Log) => Promise<Process>,
  { logLevel }: typeof logSettings = logSettings,
): Promise<void> {
  const log = processLogger(levelOf(logLevel), name)
  logLibraryOutput(log)
  const stop = stopSignal(log)
  let onError = refuse
  process.on('uncaughtException', (error) => onError(error, log))
  try {
    const running = await start(log)
    onError = crash
    log.info('started')
    await stop
    await running.drain?.()
    boundStop(log)
    await running.close()
    log.info('stopped')
    process.exit(0)
  } catch (error) {
    onError(error, log)
  }
}

/** For a command that does one thing and ends. */
export async function runOnce(name: string, work: (log: Log) => Promise<void>): Promise<void> {
  const log = processLogger(levelOf(logSettings.logLevel), name)
  await work(log).catch((error: unknown) => refuse(error, log))
}

/**
 * Closes the last opened first, since a part may depend on those opened before it. Each has `withinMs`; one that fails does
 * not keep the others open, and is reported in an AggregateError at the end.
 */
export async function closeAll(parts: readonly Part[], withinMs = partClosesWithinMs): Promise<void> {
  const errors: unknown[] = []
  for (const part of parts.toReversed()) {
    await withTimeout(withinMs, part.close(), `Not closed within ${withinMs} ms`).catch((error: unknown) =>
      errors.push(error),
    )
  }
  if (errors.length > 0) throw new AggregateError(errors, 'Some parts did not close')
}

/** Bounds what follows the draining, whose time is a setting. */
function boundStop(log: Log): void {
  setTimeout(() => crash(new Error(`Not stopped within ${stopWithinMs} ms`), log), stopWithinMs).unref()
}

// The second signal waits for nothing.
function stopSignal(log: Log): Promise<void> {
  return new Promise((resolve) => {
    const onSignal = (signal: NodeJS.Signals) => {
      log.info({ signal }, 'stopping')
      for (const name of ['SIGINT', 'SIGTERM'] as const) {
        process.off(name, onSignal)
        process.once(name, () => process.exit(1))
      }
      resolve()
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}

function refuse(error: unknown, log: Log): never {
  if (error instanceof SettingsError) {
    for (const mistake of error.mistakes) process.stderr.write(`${mistake}\n`)
    process.exit(exitConfig)
  }
  const sentence = startupSentence(error)
  if (sentence === null) crash(error, log)
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}

// Nobody knows what state the process is in: the next one starts from the rows.
function crash(error: unknown, log: Log): never {
  log.fatal({ err: error }, 'failed')
  process.exit(1)
}

// A wrong level is reported by the process itself, together with its other mistakes.
function levelOf(logLevel: typeof logSettings.logLevel): string {
  try {
    return readSettings({ logLevel }).logLevel
  } catch {
    return 'info'
  }
}

// Why a process does not start, in one sentence for the person who starts it: a setting, a port in use, a database that is
// away. The program itself is not at fault.

/** Its message is the sentence. */
export class StartupError extends Error {
  override readonly name = 'StartupError'
}

/** Returns null for an error that nobody foresaw. */
export function startupSentence(error: unknown): string | null {
  for (const cause of causes(error)) {
    const sentence = cause instanceof StartupError ? cause.message : systemSentence(cause)
    if (sentence !== null) return sentence
  }
  return null
}

type SystemError = Error & { code?: string; port?: number; address?: string; hostname?: string }

function systemSentence(error: SystemError): string | null {
  const host = error.address ?? error.hostname ?? 'the address'
  const at = error.port === undefined ? host : `${host}:${error.port}`
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${error.port} is already in use (${at}).`
    case 'EADDRNOTAVAIL':
      return `This machine has no address ${at}.`
    case 'EACCES':
      return `Not permitted: ${error.message}.`
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'EHOSTUNREACH':
    case 'ETIMEDOUT':
      return `Nothing answers at ${at}.`
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host name ${at} is not known.`
    default:
      return null
  }
}

// Breadth first, bounded: an error, what it wraps, what it gathers.
function causes(error: unknown): Error[] {
  const found: Error[] = []
  const queue = [error]
  while (queue.length > 0 && found.length < 20) {
    const next = queue.shift()
    if (!(next instanceof Error)) continue
    found.push(next)
    queue.push(next.cause, ...(next instanceof AggregateError ? next.errors : []))
  }
  return found
}
