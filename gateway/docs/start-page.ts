// The page at the address of this installation itself: what this is, and where to go on.
import { infoOf } from '#contract/openapi/document.ts'
import { docsPaths, mcpPath, publicPaths, apiPrefix } from '#contract/route-paths.ts'
import { note, heading, link, codeBlock, htmlPage, paragraph, table, cell } from './html.ts'
import type { Page } from './page.ts'

const { title, version, summary } = infoOf('api')

const links = [
  [publicPaths.json, 'The API as OpenAPI 3.1: every call, every event, with examples.'],
  [publicPaths.yaml, 'The same as YAML.'],
  [publicPaths.settings, 'The workspace settings as OpenAPI 3.1: workspaces, members, keys and policies.'],
  [
    publicPaths.starter,
    'Samples that run against this installation: curl, TypeScript, Python, MCP clients; webhook receivers for Express, Fastify, Next, FastAPI and Go.',
  ],
  [docsPaths.errors, 'Every error with its meaning, an example, and what to do.'],
  [docsPaths.scopes, 'Every scope with what it allows, and presets for usual keys.'],
  [docsPaths.changelog, 'What has changed, release by release.'],
] as const

export const startPage = (): Page => ({
  json: { name: title, version, summary, links: { api: apiPrefix, mcp: mcpPath, ...linksByName } },
  html: htmlPage(
    title,
    note(`Version ${version}`),
    paragraph(
      `${summary} Programs call it over HTTP under \`${apiPrefix}\`, AI agents call the same operations as MCP tools at \`${mcpPath}\`, and webhooks tell of every change.`,
    ),
    heading('First call', 'first-call'),
    paragraph('Make a key in the workspace settings, and send it with every call.'),
    codeBlock(`curl -s "$ADDRESS${apiPrefix}/me" -H "Authorization: Bearer $KEY"`),
    heading('Where to go on', 'links'),
    table(
      ['Address', 'What is there'],
      links.map(([path, what]) => [link(path, path), cell(what)]),
    ),
  ),
})

const linksByName = {
  description: publicPaths.json,
  settingsDescription: publicPaths.settings,
  starter: publicPaths.starter,
  errors: docsPaths.errors,
  scopes: docsPaths.scopes,
  changelog: docsPaths.changelog,
}
