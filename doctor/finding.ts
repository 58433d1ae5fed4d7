// What the doctor finds: a sentence each, and how bad it is.
import { startupSentence } from '#runtime/process.ts'
import { withTimeout } from '#runtime/timeouts.ts'

/** `warning`: it works, and someone should look. `failure`: a process does not start, or does not do its work. */
export type Level = 'ok' | 'warning' | 'failure'
export type Finding = { readonly level: Level; readonly about: string; readonly sentence: string }
export type Check = { readonly about: string; readonly look: () => Promise<readonly Finding[]> }

const lookWithinMs = 15_000

export const found = (level: Level, about: string, sentence: string): Finding => ({ level, about, sentence })

/** Never rejects: what is thrown is a finding as well. */
export async function lookAt({ about, look }: Check): Promise<readonly Finding[]> {
  try {
    return await withTimeout(lookWithinMs, look(), `There was no answer within ${lookWithinMs / 1_000} seconds.`)
  } catch (error) {
    return [found('failure', about, startupSentence(error) ?? (error instanceof Error ? error.message : String(error)))]
  }
}

/** Returns what is true of a number with two limits, the second the worse. */
export const levelOf = (value: number, warnBelow: number, failBelow: number): Level =>
  value < failBelow ? 'failure' : value < warnBelow ? 'warning' : 'ok'
