// A refused call as the result of its tool, for the model to read and correct: the code that HTTP callers get, what was
// wrong, and what to do.
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { FaultCode, Fault, FaultMembers, FieldError } from '#contract/faults/fault.ts'
import { adviceOn } from '#contract/faults/help.ts'
import type { Tool } from '#contract/tools/tool.ts'
import type { Caller } from './exchange.ts'

/**
 * Clients of the older SDK hold structured content against the output that a tool lists, even where it is an error: there
 * the text is all.
 */
export function refusal(
  fault: Fault,
  tool: Tool | undefined,
  { principal, hasStructuredContent }: Caller,
): CallToolResult {
  const { requestId } = principal
  const { code } = fault
  const detail = fault.message.slice(0, detailLengthMax)
  const members = withShortPlaces(fault.members)
  return {
    isError: true,
    content: [{ type: 'text', text: refusalText(code, detail, { ...members, requestId }) }],
    ...(hasStructuredContent &&
      tool?.output === undefined && { structuredContent: { code, detail, ...members, requestId } }),
  }
}

/** The code that a refusal begins with; null for the result of a call that was done. */
export function refusedWith({ isError = false, content: [first] }: CallToolResult): string | null {
  if (!isError) return null
  return /^\w+(?=:)/.exec(first?.type === 'text' ? first.text : '')?.[0] ?? 'internal_error'
}

/** What a place is called may be what the caller has sent, of any length. */
function withShortPlaces({ errors, ...members }: FaultMembers): FaultMembers {
  if (errors === undefined) return members
  const short = ({ pointer, ...error }: FieldError): FieldError =>
    pointer === undefined ? error : { ...error, pointer: pointer.slice(0, placeLengthMax) }
  return { ...members, errors: errors.map(short) }
}

const placeLengthMax = 200
const detailLengthMax = 1_000

function refusalText(code: FaultCode, detail: string, members: FaultMembers): string {
  const { errors = [], hint, retryAfterSeconds, requestId, ...others } = members
  const lines = [
    errors.length === 0 ? `${code}: ${detail}` : `${code}:`,
    ...errors.map((error) => `- ${errorText(error)}`),
    hint ?? adviceOn(code),
    ...Object.entries(others).map(
      ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    ),
    ...(retryAfterSeconds === undefined ? [] : [`retryAfterSeconds: ${retryAfterSeconds}`]),
    `requestId: ${String(requestId)}`,
  ]
  return lines.join('\n')
}

function errorText({ pointer, parameter, header, detail, allowed }: FieldError): string {
  const named = parameter ?? pointer?.slice(1) ?? header ?? ''
  return `\`${named}\`: ${detail}${allowed === undefined ? '' : ` Allowed: ${allowed.join(', ')}.`}`
}
