import type { Tone } from '../ui/tone.ts'

/** Of an HTTP status. */
export function statusTone(status: number): Tone {
  if (status >= 500) return 'bad'
  if (status >= 400) return 'warn'
  return status >= 300 ? 'neutral' : 'good'
}
