// Whether what a receiver got is what the catalogue of events promises.
import { Compile } from 'typebox/compile'
import { eventCatalogue } from '#contract/api.ts'
import { eventRecordOf, type EventRecord } from '#contract/event.ts'

/** For bodies with a full payload. Empty when the body is valid. */
export function bodyProblems(body: string): string[] {
  const event = JSON.parse(body) as EventRecord
  const check = checkOf(event.type)
  if (check === undefined) return [`${event.type} is not in the catalogue`]
  const [first] = check.Check(event) ? [] : check.Errors(event)
  return first === undefined ? [] : [`${event.type} ${event.id}: ${first.instancePath} ${first.message}`]
}

const checks = new Map<string, ReturnType<typeof Compile>>()

/** Compiled when the first of its type comes: few types do. */
function checkOf(type: string): ReturnType<typeof Compile> | undefined {
  const event = eventCatalogue.find((one) => one.type === type)
  if (event !== undefined && !checks.has(type)) checks.set(type, Compile(eventRecordOf(event)))
  return checks.get(type)
}
