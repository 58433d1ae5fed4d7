// Patterns that select types of events: one type (`projects.created`), all of a segment (`projects.*`), or all (`*`).
import { Type } from 'typebox'

const EventPattern = Type.String({ format: 'event-pattern', maxLength: 100 })

export const eventPatterns = (description: string) =>
  Type.Array(EventPattern, { minItems: 1, maxItems: 50, uniqueItems: true, description })

/** The types whose `changes` name what has changed: a filter by fields is about these, and no other type has any to ask for. */
export const isUpdate = (eventType: string): boolean => eventType.endsWith('.updated')

export const patternMatches = (pattern: string, eventType: string): boolean =>
  pattern === '*' || pattern === eventType || (pattern.endsWith('.*') && eventType.startsWith(pattern.slice(0, -1)))
