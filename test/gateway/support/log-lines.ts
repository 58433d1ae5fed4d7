// A log whose lines a test can read.
import { Writable } from 'node:stream'
import { pino } from 'pino'

export function logLines() {
  const lines: string[] = []
  const out = new Writable({ write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()) })
  return { log: pino({ level: 'info' }, out), lines }
}
