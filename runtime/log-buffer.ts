// Log lines on their way to a file descriptor. They are gathered and written together, beside the requests: a line costs
// its caller no system call, and a reader that stalls holds up nobody. What waits is bounded; what finds no room is
// counted. At the end of the process all that waits is written at once, so a stop or a crash loses nothing; only a kill
// does, at most what came in the last moment.
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
/** At the end of the process nobody can come back later: a full pipe is tried again so often, for so long each. */
const lastTries = { count: 50, everyMs: 20 }

export function logBuffer(fd: number, options: Options, files: Writer = { write, writeSync }): LogBuffer {
  const { onDropped, heldMax = defaultHeldMax, flushEveryMs = defaultFlushEveryMs } = options
  let lines: string[] = []
  let held = 0
  let isWriting = false
  let isClosed = false
  let timer: NodeJS.Timeout | null = null
  let dropped = 0
  let told = 0

  function add(line: string): void {
    if (isClosed || held + line.length > heldMax) {
      dropped += 1
      return
    }
    lines.push(line)
    held += line.length
    if (held >= batchLength) flush()
    else timer ??= setTimeout(flush, flushEveryMs).unref()
  }

  function taken(): string {
    const text = lines.join('')
    lines = []
    held = 0
    return text
  }

  function flush(): void {
    if (isWriting || lines.length === 0) return
    if (timer !== null) clearTimeout(timer)
    timer = null
    isWriting = true
    send(Buffer.from(taken()))
  }

  function send(bytes: Buffer): void {
    files.write(fd, bytes, (error, count) => {
      if (error !== null && !isBusy(error)) return close()
      const rest = error === null ? bytes.subarray(count) : bytes
      if (rest.length > 0) return void setTimeout(send, error === null ? 0 : flushEveryMs, rest).unref()
      isWriting = false
      tellDropped()
      if (held >= batchLength) flush()
      else if (lines.length > 0) timer ??= setTimeout(flush, flushEveryMs).unref()
    })
  }

  /** Nobody reads any more: nothing can be told either. */
  function close(): void {
    isClosed = true
    dropped += lines.length
    taken()
  }

  function tellDropped(): void {
    const count = dropped - told
    told = dropped
    if (count > 0) onDropped(count)
  }

  function flushSync(): void {
    if (isClosed) return
    tellDropped()
    let rest = Buffer.from(taken())
    for (let tries = 0; rest.length > 0 && tries < lastTries.count;) {
      try {
        rest = rest.subarray(files.writeSync(fd, rest))
      } catch (error) {
        if (!isBusy(error as NodeJS.ErrnoException)) return close()
        tries += 1
        pause(lastTries.everyMs)
      }
    }
  }
  return { write: add, flushSync, dropped: () => dropped }
}

const isBusy = ({ code }: NodeJS.ErrnoException): boolean => code === 'EAGAIN' || code === 'EBUSY'

const pause = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
