// Log lines on their way to a file descriptor. They are gathered and written together, beside the requests: a line
// costs its caller no system call, and a reader that stalls holds up no request. What waits is bounded; what finds no
// room is counted. At the end of the process all that waits is written at once, so a stop or a crash loses nothing;
// only a kill does, at most what came in the last moment.
import { write, writeSync } from 'node:fs'

export type LogBuffer = {
  /** Never waits and never throws. */
  write(line: string): void
  flushSync(): void
  /** Lines that found no room, since the start. */
  dropped(): number
}
type Options = {
  /** Called when there is room again, with the number of lines dropped since it was last called. */
  readonly onDropped: (count: number) => void
  readonly heldMax?: number
  readonly flushEveryMs?: number
}
type Writer = {
  write(fd: number, text: string | Buffer, done: (error: NodeJS.ErrnoException | null, bytes: number) => void): void
  writeSync(fd: number, text: string | Buffer): number
}

/** In characters: a few seconds of access log under full load. */
const defaultHeldMax = 8 * 1024 * 1024
const defaultFlushEveryMs = 50
/** So much is written without waiting for the timer. */
const batchLength = 64 * 1024
/** At the end of the process there is no later: a full pipe is tried again so often, for so long each. */
const lastTries = { count: 50, everyMs: 20 }

export function logBuffer(fd: number, options: Options, files: Writer = { write, writeSync }): LogBuffer {
  const { onDropped, heldMax = defaultHeldMax, flushEveryMs = defaultFlushEveryMs } = options
  const lines = waitingLines(heldMax)
  let isWriting = false
  let timer: NodeJS.Timeout | null = null

  function add(line: string): void {
    lines.add(line)
    if (lines.length() >= batchLength) flush()
    else timer ??= setTimeout(flush, flushEveryMs).unref()
  }

  function flush(): void {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (isWriting || lines.length() === 0) return
    isWriting = true
    send(Buffer.from(lines.take()))
  }

  function send(bytes: Buffer): void {
    files.write(fd, bytes, (error, count) => {
      // The reader is gone: nothing can be told either.
      if (error !== null && !isBusy(error)) return lines.end()
      const rest = error === null ? bytes.subarray(count) : bytes
      if (rest.length > 0) {
        setTimeout(send, error === null ? 0 : flushEveryMs, rest).unref()
        return
      }
      isWriting = false
      tellDropped()
      if (lines.length() >= batchLength) flush()
      else if (lines.length() > 0) timer ??= setTimeout(flush, flushEveryMs).unref()
    })
  }

  function tellDropped(): void {
    const count = lines.takeDropped()
    if (count > 0) onDropped(count)
  }

  function flushSync(): void {
    tellDropped()
    if (!writeAll(fd, Buffer.from(lines.take()), files)) lines.end()
  }
  return { write: add, flushSync, dropped: lines.dropped }
}

function waitingLines(lengthMax: number) {
  let lines: string[] = []
  let length = 0
  let isEnded = false
  let dropped = 0
  let told = 0

  function take(): string {
    const text = lines.join('')
    lines = []
    length = 0
    return text
  }
  return {
    add(line: string): void {
      if (isEnded || length + line.length > lengthMax) {
        dropped += 1
        return
      }
      lines.push(line)
      length += line.length
    },
    take,
    length: () => length,
    dropped: () => dropped,
    /** Those since it was last asked. */
    takeDropped(): number {
      const count = dropped - told
      told = dropped
      return count
    },
    /** Everything is dropped from now on. */
    end(): void {
      isEnded = true
      dropped += lines.length
      take()
    },
  }
}

/** Returns false when the reader is gone. */
function writeAll(fd: number, bytes: Buffer, { writeSync: writeNow }: Writer): boolean {
  let rest = bytes
  for (let tries = 0; rest.length > 0 && tries < lastTries.count;) {
    try {
      rest = rest.subarray(writeNow(fd, rest))
    } catch (error) {
      if (!isBusy(error as NodeJS.ErrnoException)) return false
      tries += 1
      pause(lastTries.everyMs)
    }
  }
  return true
}

const isBusy = ({ code }: NodeJS.ErrnoException): boolean => code === 'EAGAIN' || code === 'EBUSY'

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
