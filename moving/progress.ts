// How far an export or an import is: a bar on a terminal, else a line for each thing that is done.
type Terminal = Pick<NodeJS.WriteStream, 'write'> & { readonly isTTY?: boolean }

export type ProgressReport = {
  /** What is worked on from here on, and how much of it there is. */
  begin(what: string, total: number): void
  add(count: number): void
  done(note?: string): void
}

const width = 30
const redrawMs = 100

export function reportProgress(out: Terminal = process.stdout, now = Date.now): ProgressReport {
  let [what, total, done, drawnAt] = ['', 0, 0, 0]
  const isTerminal = out.isTTY === true

  function draw(): void {
    if (!isTerminal || now() - drawnAt < redrawMs) return
    drawnAt = now()
    const share = total === 0 ? 1 : Math.min(1, done / total)
    const bar = '#'.repeat(Math.round(share * width)).padEnd(width, '.')
    out.write(`\r\u001B[K[${bar}] ${Math.floor(share * 100)} % ${what}`)
  }
  return {
    begin: (next, of) => {
      ;[what, total, done, drawnAt] = [next, of, 0, 0]
      draw()
    },
    add: (count) => {
      done += count
      draw()
    },
    done: (note = String(done)) => out.write(`${isTerminal ? '\r\u001B[K' : ''}${what}: ${note}\n`),
  }
}
