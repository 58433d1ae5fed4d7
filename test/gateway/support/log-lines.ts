// The access log, as a test reads it. Other lines, such as that of a service which is slow under load, are left out.
import { Writable } from 'node:stream'
import { pino } from 'pino'

export function logLines() {
  const lines: string[] = []
  const keep = (line: string) => void (line.includes('"msg":"request"') && lines.push(line))
  const out = new Writable({ write: (chunk, _encoding, done) => (keep(String(chunk)), done()) })
  return { log: pino({ level: 'info' }, out), lines }
}
