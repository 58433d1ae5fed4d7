// What a cut answer says: what is missing, and how to get it. Pure.
import type { Cut } from './cut-fields.ts'

/** Empty where nothing was cut. */
export function cutNote(cut: Cut['cut']): string {
  const fields = Object.entries(cut).map(([name, what]) => `\`${name}\` (${what})`)
  return fields.length === 0
    ? ''
    : `Cut to fit \`maxTokens\`: ${fields.join(', ')}. Ask for a field alone with \`fields\`, or with a larger \`maxTokens\`.`
}

export const cutMembers = (cut: Cut['cut']): object => (Object.keys(cut).length === 0 ? {} : { truncated: true, cut })
