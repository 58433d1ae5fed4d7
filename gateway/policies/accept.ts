// Does the caller take what is answered here? A caller that says nothing takes anything (RFC 9110, section 12.5.1).
import { Fault } from '#contract/fault.ts'

export const restTypes = ['application/json', 'application/problem+json']
export const mcpTypes = ['application/json', 'text/event-stream']

export function checkAccept(accept: string | undefined, offered: readonly string[]): void {
  if (accept === undefined || accept.trim() === '') return
  if (accept.split(',').some((range) => takes(range, offered))) return
  throw new Fault('not_acceptable', `Answers are ${offered.join(' or ')}.`)
}

function takes(range: string, offered: readonly string[]): boolean {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  if (parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))) return false
  return type === '*/*' || offered.some((each) => each === type || type === `${each.split('/')[0]}/*`)
}
