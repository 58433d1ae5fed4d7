// How tools are named: `tasks.list`, as the specification has it, or `tasks_list`. Clients that hand the names to a
// model's API as they are lose every tool whose name has a dot, since those APIs take `^[a-zA-Z0-9_-]{1,64}$` alone.
// Calls take both forms; which of them is listed is decided here, for the gateway and for the service. Pure.
import { toolNamesChoices, type ToolNames } from '../surface.ts'

export type Naming = Exclude<ToolNames, 'auto'>

/** The header in which a caller chooses; and the one in which the gateway tells the service what it has decided. */
export const toolNamesHeader = 'x-mcp-tool-names'
export const decidedNamingHeader = 'x-internal-tool-names'

export const underscored = (name: string): string => name.replaceAll('.', '_')
export const inNaming = (naming: Naming, name: string): string => (naming === 'dots' ? name : underscored(name))

/**
 * The names, and no more than these, of programs that call tools by hand and take the names of the specification: the
 * Inspector and the conformance suite. A developer's own program may well be called `inspector-bot`.
 */
const takeDots = new Set([
  'mcp-inspector',
  'mcp-inspector-web',
  'mcp-inspector-tui',
  'inspector-cli',
  'inspector-client',
  'conformance-client',
  'conformance-test-client',
  'conformance-session-id-test',
  'conformance-session-lifecycle-test',
  'conformance-dns-rebinding-test',
])

/** Most clients that name themselves were told their name by the program around them, so names say nothing of dots. */
const namingOfClient = (name: string): Naming => (takeDots.has(name) ? 'dots' : 'underscores')

/** In the order in which they count. Undefined or null: nothing is known of it. */
export type NamingHints = {
  /** By the address, the header or the key; `auto` leaves it to the client. */
  readonly chosen?: ToolNames | undefined
  readonly client?: string | null
  readonly sessionId?: string | undefined
  /** What the last client of this key and User-Agent was listed. */
  readonly remembered?: Naming | null
}

/** Null where nothing says: then the names are those of the specification. */
export function namingBy({ chosen = 'auto', client, sessionId, remembered }: NamingHints): Naming | null {
  if (chosen !== 'auto') return chosen
  if (client !== undefined && client !== null) return namingOfClient(client)
  return namingOfSession(sessionId) ?? remembered ?? null
}

/**
 * The session id for a client that has named itself: no session is kept, and any replica reads the naming from it.
 * `unique`: a UUID.
 */
export const sessionIdFor = (client: string, unique: string): string => `${namingOfClient(client)}-${unique}`

/** Ids that are not ours mean nothing. Those of the version before begin with `underscore-`. */
function namingOfSession(sessionId = ''): Naming | null {
  if (/^underscores?-/.test(sessionId)) return 'underscores'
  return sessionId.startsWith('dots-') ? 'dots' : null
}

/** Undefined where the text is none of the choices. `dot` and `underscore` are taken as well. */
export const toolNamesChoice = (text: string): ToolNames | undefined =>
  toolNamesChoices.find((choice) => choice === text || choice === `${text}s`)

const clientInfoKey = 'io.modelcontextprotocol/clientInfo'

/** The name by which the sender of a message calls itself, in `initialize` or in `_meta`; null where it does not. */
export function clientNameIn(message: unknown): string | null {
  const { clientInfo, _meta: meta } = membersOf(membersOf(message)['params'])
  const { name } = membersOf(membersOf(meta)[clientInfoKey] ?? clientInfo)
  return typeof name === 'string' ? name : null
}

const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
