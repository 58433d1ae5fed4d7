// Reports what is held somewhere else, at intervals and one report at a time. One that failed may have been taken all
// the same, so it is sent again unchanged, under the same id, before anything more is taken out of where it is held:
// however long the service is away, there is one report beside what is held.
import { randomUUID } from 'node:crypto'
import { isUnacceptable, type Report } from './buffered-reporter.ts'

export type SendReport<T> = (report: Report<T>) => Promise<void>
type Options<T> = {
  readonly send: SendReport<T>
  readonly everyMs: number
  readonly onError: (error: unknown) => void
  /** The items of one report after the other. What it has given is forgotten where it was held. */
  due(): Iterable<readonly T[]>
  all(): Iterable<readonly T[]>
  beforeFlush(): void
}

export function reportLoop<T>({ send, everyMs, onError, due, all, beforeFlush }: Options<T>) {
  let kept: Report<T> | null = null
  let isFailing = false
  let running: Promise<void> = Promise.resolve()

  async function sendOne(report: Report<T>): Promise<void> {
    kept = report
    try {
      await send(report)
    } catch (error) {
      // What is refused now will be refused again; keeping it would hold up all the others.
      if (!isUnacceptable(error)) throw error
      onError(error)
    }
    kept = null
    isFailing = false
  }

  async function sendAll(reports: () => Iterable<readonly T[]>): Promise<void> {
    beforeFlush()
    try {
      if (kept !== null) await sendOne(kept)
      for (const items of reports()) await sendOne({ id: randomUUID(), items })
    } catch (error) {
      // One line per outage, not per attempt.
      if (!isFailing) onError(error)
      isFailing = true
    }
  }

  const after = (reports: () => Iterable<readonly T[]>): Promise<void> =>
    (running = running.then(() => sendAll(reports)))
  let isSending = false
  const timer = setInterval(() => {
    if (isSending) return
    isSending = true
    void after(due).finally(() => (isSending = false))
  }, everyMs).unref()
  const flush = (): Promise<void> => after(all)
  const close = (): Promise<void> => {
    clearInterval(timer)
    return flush()
  }
  return { flush, close }
}
