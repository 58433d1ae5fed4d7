// A line that shows how far a long command is, where somebody looks: a terminal.
import type { WriteStream } from 'node:tty'

export type Progress = { show(share: number, text: string): void; clear(): void }

const width = 30
const everyMs = 100

/** Writes nothing where the stream is no terminal. */
export function progressOn(stream: Pick<WriteStream, 'write' | 'isTTY'>): Progress {
  let shownAt = 0
  let isShown = false
  return {
    show(share, text) {
      const now = performance.now()
      if (!stream.isTTY || (isShown && now - shownAt < everyMs)) return
      shownAt = now
      isShown = true
      const full = Math.round(Math.min(Math.max(share, 0), 1) * width)
      stream.write(`\r\u001b[K[${'#'.repeat(full)}${' '.repeat(width - full)}] ${Math.round(share * 100)} %  ${text}`)
    },
    clear() {
      if (isShown) stream.write('\r\u001b[K')
    },
  }
}
