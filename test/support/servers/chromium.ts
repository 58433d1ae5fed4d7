// The browser that the console's tests look with: Debian's Chromium. Without it they are skipped, by name; with CI=true
// that is a failure instead.
import { installed } from './server.ts'

export function chromiumBinary(): string | null {
  const found = installed('/usr/bin/chromium', '/usr/bin/chromium-browser')
  if (found === null && process.env['CI'] === 'true') throw new Error('Chromium is not installed, and CI needs it')
  return found
}
