// Does the caller take what is answered here? A caller that says nothing takes anything (RFC 9110, section 12.5.1).
import { Fault } from '#contract/faults/fault.ts'
import { preferredType } from '#runtime/http-headers.ts'

export const restTypes = ['application/json', 'application/problem+json']
export const mcpTypes = ['application/json', 'text/event-stream']

/** Throws `not_acceptable` when the caller takes none of the offered types. */
export const checkAccept = (accept: string | undefined, offered: readonly string[]): void =>
  void negotiatedType(accept, offered)

/** Returns the offered type that the caller likes best, of equally liked ones the first; throws as above. */
export function negotiatedType(accept: string | undefined, offered: readonly string[]): string {
  const type = preferredType(accept, offered)
  if (type === null) throw new Fault('not_acceptable', `Answers are ${offered.join(' or ')}.`)
  return type
}
