// The Info Object, the servers and the security schemes of both documents.
import type { Audience } from '../operation.ts'
import { apiPrefix, docsPaths, mcpPath, publicPaths } from '../route-paths.ts'

// The header x-workspace-id is said here alone. As a parameter of each operation, importers send it with a value of their own
// making; as an alternative in `security`, generated clients send the API key in it; as a scheme that nothing requires,
// it is a field of forms that has no effect.
const apiDescription = `Integrations read and write a workspace here; AI agents call the same operations as MCP tools at \`${mcpPath}\`; whoever is not asking is told of changes by webhooks.

**Keys.** Every call carries \`Authorization: Bearer wsk_…\`. Keys are made in the workspace settings, with scopes; \`x-scope\` names the one that an operation needs, and \`${docsPaths.scopes}\` says what each allows.

**Workspace.** A key acts in its workspace. One that is bound to none names the workspace in the header \`x-workspace-id\` or the query parameter \`workspaceId\`: any operation takes either, so none lists them. Set the header once, as a default of your client.

**Nothing is ignored.** An unknown parameter is refused with 400, an unknown field with 422, both with the nearest name that is known. 400: the request could not be read. 422: it could, and its values are not acceptable.

**Errors** are \`application/problem+json\` (RFC 9457) with a stable \`code\`; \`type\` leads to a page that says what it means and what to do.

**Pages.** Lists are cut into pages: \`page.nextCursor\` goes into \`cursor\`. Lists in a parameter are written with commas.

**Copies** are kept up to date by \`updatedAfter\` with \`includeDeleted\`, by the feed (\`events.list\`) or by webhooks; none of them misses a change.

**Repeating.** A change with an \`Idempotency-Key\` acts once, a deletion too. \`If-Match\` with an \`ETag\` changes only what you have seen.

Without a key: \`${apiPrefix}/openapi.json\`, \`${apiPrefix}/openapi.yaml\`, \`${apiPrefix}/starter.zip\` (samples that run) and \`${apiPrefix}/health\`. Fields, values of enumerations, events and optional parameters may be added at any time.`

const settingsDescription = `Whoever runs this installation makes workspaces here, adds members, makes and revokes API keys, and looks after webhooks, custom fields and the audit log.

**Token.** Every call carries \`Authorization: Bearer <operator token>\`. API keys are not taken here, and the operator token is not taken under \`${apiPrefix}\`.

**People** who sign in (\`sessions.create\`) call the same with a session, in the workspaces where they are members: \`x-roles\` names the roles that may. Their pages must be of this origin.

**Workspace.** It stands in the path: the operator is bound to none.

**Keys.** \`api-keys.create\` takes \`scopes\`, or a \`preset\` in their place; \`${docsPaths.scopes}\` lists both. The secret is in its answer and nowhere else.

Lists, errors, \`If-Match\` and \`Idempotency-Key\` are as in the API itself: \`${publicPaths.json}\`.`

const ofBoth = {
  version: '1.0.0',
  contact: { name: 'Whoever runs this installation' },
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
}

const infos = {
  api: {
    title: 'Workspace integration API',
    summary: 'Projects, tasks, CRM entities and documents of a workspace, for machines.',
    description: apiDescription,
    ...ofBoth,
  },
  settings: {
    title: 'Workspace settings',
    summary: 'Workspaces, members, API keys and policies, for whoever runs the installation.',
    description: settingsDescription,
    ...ofBoth,
  },
} as const satisfies Record<Audience, object>

const schemes = {
  api: {
    apiKey: { type: 'http', scheme: 'bearer', description: 'An API key, made in the workspace settings: `wsk_…`.' },
  },
  settings: {
    operatorToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'The operator token: the setting `OPERATOR_TOKEN`, or the file that the first start names.',
    },
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-session',
      description:
        'Of whoever has signed in with `sessions.create`; over http on this machine it is called `workspace-session-<port>`.',
    },
  },
} as const satisfies Record<Audience, object>

export const infoOf = (audience: Audience): (typeof infos)[Audience] => infos[audience]
export const securitySchemesOf = (audience: Audience): Readonly<Record<string, object>> => schemes[audience]

/** What a document begins with. */
export const documentHead = (audience: Audience) => ({
  info: infoOf(audience),
  servers: [{ url: '/', description: 'This installation.' }],
  security: Object.keys(schemes[audience])
    .slice(0, 1)
    .map((name) => ({ [name]: [] })),
})
