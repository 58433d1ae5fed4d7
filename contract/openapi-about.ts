// What the description says before it comes to operations.
import { apiPrefix, mcpPath } from './route.ts'

const description = `Integrations read and write a workspace here; AI agents call the same operations as MCP tools at \`${mcpPath}\`; whoever is not asking is told of changes by webhooks.

**Keys.** Every call carries \`Authorization: Bearer wsk_…\`. Keys are made in the workspace settings, with scopes; \`x-scope\` names the one that an operation needs.

**Workspace.** A key acts in its workspace. One that is bound to none names the workspace in the header \`x-workspace-id\` or the parameter \`workspaceId\`.

**Nothing is ignored.** An unknown parameter is refused with 400, an unknown field with 422, both with the nearest name that is known. 400: the request could not be read. 422: it could, and its values are not acceptable.

**Errors** are \`application/problem+json\` (RFC 9457) with a stable \`code\`.

**Pages.** Lists are cut into pages: \`page.nextCursor\` goes into \`cursor\`. Lists in a parameter are written with commas.

**Copies** are kept up to date by \`updatedAfter\` with \`includeDeleted\`, by the feed (\`events.list\`) or by webhooks; none of them misses a change.

**Repeating.** A POST with an \`Idempotency-Key\` acts once. \`If-Match\` with an \`ETag\` changes only what you have seen.

Without a key: \`${apiPrefix}/openapi.json\`, \`${apiPrefix}/openapi.yaml\`, \`${apiPrefix}/starter.zip\` (samples that run) and \`${apiPrefix}/health\`. Fields, values of enumerations, events and optional parameters may be added at any time.`

export const about = {
  info: {
    title: 'Workspace integration API',
    version: '1.0.0',
    summary: 'Projects, tasks, CRM entities and documents of a workspace, for machines.',
    description,
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  },
  servers: [{ url: '/', description: 'This installation.' }],
  security: [{ apiKey: [] }],
}
