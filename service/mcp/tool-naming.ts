// How tools are named for a caller: as the gateway has decided, which also knows the key's choice and what clients said
// earlier. What the message itself says counts where no gateway has decided, as in a release before this one.
import type { IncomingHttpHeaders } from 'node:http'
import { v4 as uuid } from 'uuid'
import {
  clientNameIn,
  decidedNamingHeader,
  namingBy,
  sessionIdFor,
  toolNamesChoice,
  toolNamesHeader,
  type Naming,
} from '#contract/tools/names.ts'

export function namingFor(headers: IncomingHttpHeaders, body: unknown): Naming {
  const chosen = toolNamesChoice(textOf(headers[decidedNamingHeader]) || textOf(headers[toolNamesHeader]))
  const sessionId = textOf(headers['mcp-session-id'])
  return namingBy({ chosen, client: clientNameIn(body), sessionId }) ?? 'dots'
}

/** For the answer to `initialize`; null where the client has not named itself. */
export function newSessionId(body: unknown): string | null {
  const client = clientNameIn(body)
  return client === null ? null : sessionIdFor(client, uuid())
}

const textOf = (value: string | string[] | undefined): string => [value].flat()[0]?.trim() ?? ''
