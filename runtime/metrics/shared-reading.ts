// A reading that several figures share, and that has to ask somebody else: asked once for all of them, and not waited
// for longer than a scrape can wait.
import { withTimeout } from '../timeout.ts'

const withinMs = 2_000
/** Figures of one scrape are read at the same time. */
const ofOneScrapeMs = 500

/**
 * Rejects when the answer takes too long; whoever asked is asked again only when it has come and was shared for `sharedMs`.
 */
export function sharedReading<T>(read: () => Promise<T>, sharedMs = ofOneScrapeMs): () => Promise<T> {
  let running: Promise<T> | null = null
  return () => {
    running ??= read().finally(() => setTimeout(() => (running = null), sharedMs).unref())
    return withTimeout(withinMs, running, 'No answer in time')
  }
}
