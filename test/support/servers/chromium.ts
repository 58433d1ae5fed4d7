// Debian’s Chromium. Tests that need it are skipped without it; with CI=true that is a failure instead.
import { installed } from './server.ts'

export function chromiumBinary(): string | null {
  const found = installed('/usr/bin/chromium', '/usr/bin/chromium-browser')
  if (found === null && process.env['CI'] === 'true') throw new Error('Chromium is not installed, and CI needs it')
  return found
}
