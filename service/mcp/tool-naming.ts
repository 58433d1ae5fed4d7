// Which clients are listed tools without dots in their names, unless they say by `x-mcp-tool-names` what they want. The
// specification allows dots, but these clients hand names to a model's API that takes `^[a-zA-Z0-9_-]{1,64}$` alone.
import type { IncomingHttpHeaders } from 'node:http'
import { CLIENT_INFO_META_KEY } from '@modelcontextprotocol/server'
import { v4 as uuid } from 'uuid'
import type { Caller } from '../mcp-tools/exchange.ts'

/** How their `clientInfo.name` begins, and where it is told that they refuse or mangle dots. */
const refuseDots = [
  // Claude Desktop and claude.ai drop all tools of a server: evoila/meho#2745, barryw/ImmichMCP#4, l22-io/orchard-mcp#14.
  'claude-ai',
  // Cursor leaves such tools out, or calls them with underscores: webstudio-is/webstudio#5960, gemini-cli-extensions/workspace#168.
  'cursor',
  // Codex fails with every prompt: openai/codex#8174.
  'codex-mcp-client',
  // Copilot CLI fails with every prompt: github/copilot-cli#2581, github/copilot-cli#1879.
  'github-copilot-developer',
]

type Naming = Caller['naming']
const sessionStart = 'underscore-'

/**
 * By the name that the message tells, else by what `initialize` has put into the session id: there is no session, so any
 * replica reads the same from it. Ids that are not ours mean nothing.
 */
export function namingFor(headers: IncomingHttpHeaders, body: unknown): Naming {
  const name = clientNameIn(body)
  const session = String(headers['mcp-session-id'] ?? '')
  const withUnderscores = name === null ? session.startsWith(sessionStart) : mustAvoidDots(name)
  return withUnderscores ? 'underscores' : 'dots'
}

/** For the answer to `initialize`; null where nothing has to be remembered. */
export const sessionIdFor = (body: unknown): string | null => {
  const name = clientNameIn(body)
  return name !== null && mustAvoidDots(name) ? sessionStart + uuid() : null
}

const mustAvoidDots = (name: string): boolean => refuseDots.some((start) => name.toLowerCase().startsWith(start))

function clientNameIn(body: unknown): string | null {
  type Info = { readonly name?: unknown } | null
  type Params = { readonly clientInfo?: Info; readonly _meta?: Readonly<Record<string, Info>> | null } | null
  const { params } = (body ?? {}) as { readonly params?: Params }
  const name = (params?._meta?.[CLIENT_INFO_META_KEY] ?? params?.clientInfo)?.name
  return typeof name === 'string' ? name : null
}
