// Patterns that select types of events: one type (`projects.created`), all of a segment (`projects.*`), or all (`*`).
import { Type } from 'typebox'

const EventPattern = Type.String({ format: 'event-pattern', maxLength: 100 })

export const eventPatterns = (description: string) =>
  Type.Array(EventPattern, { minItems: 1, maxItems: 50, uniqueItems: true, description })

/** The types of events that carry `changes`. A filter by changed fields applies to these alone. */
export const isUpdate = (eventType: string): boolean => eventType.endsWith('.updated')

export const patternMatches = (pattern: string, eventType: string): boolean =>
  pattern === '*' || pattern === eventType || (pattern.endsWith('.*') && eventType.startsWith(pattern.slice(0, -1)))
