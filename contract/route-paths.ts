// The paths of operations over HTTP. Gateway and service read the same table.
import { methodOf, pathOf, type Audience, type Method, type Operation } from './operation.ts'

/** Length of one segment of a path. So large that the schema, and not the router, refuses what is too long. */
export const pathSegmentLengthMax = 8_192

export type Route = {
  readonly operation: Operation
  readonly audience: Audience
  readonly method: Method
  /** Path template with `{name}` for parameters. */
  readonly path: string
}

/**
 * Fields of an input that say what the answer shows of objects. They stand in the query, also where the others are the
 * body.
 */
export const answerFields: readonly string[] = ['fields', 'expand']

export const apiPrefix = '/api/v1'
/** Stands for the address of the installation, in guides, starter files and collections of requests. */
export const placeholderAddress = 'https://workspace.example'
/** The console's pages; below it is the API that they call. */
export const consolePrefix = '/settings'
export const settingsPrefix = `${consolePrefix}/api`
export const mcpPath = '/api/mcp'
/** Where a provider of sign-in sends the browser back to. */
export const providerReturnPage = '/settings/sign-in/callback'
/** The page of the first run. Its token stands behind `#`, so that browsers send it nowhere. */
export const setupPage = '/settings/setup'
/** The page of an invitation, likewise. */
export const invitationPage = '/settings/invitation'
/** The page of the console that sends any operation. */
export const tryPage = `${consolePrefix}/try`
/** The page that sets a new password, likewise. */
export const resetAccessPage = '/settings/reset-access'
/** The page that confirms a new email, likewise. */
export const confirmEmailPage = '/settings/confirm-email'

/** Documentation pages: HTML, Markdown, or JSON, as the caller accepts. The guides are beside them, below `docs`. */
export const docsPaths = {
  start: '/',
  docs: '/docs',
  docsMarkdown: '/docs.md',
  page: '/docs/{page}',
  asset: '/docs/assets/{file}',
  errors: '/docs/errors',
  error: '/docs/errors/{code}',
  scopes: '/docs/scopes',
  changelog: '/docs/changelog',
  reference: '/docs/reference',
  search: '/docs/search.json',
  llms: '/llms.txt',
  llmsFull: '/llms-full.txt',
} as const

/** Paths that need no key, for GET and HEAD. */
export const publicPaths = {
  ...docsPaths,
  json: `${apiPrefix}/openapi.json`,
  yaml: `${apiPrefix}/openapi.yaml`,
  json30: `${apiPrefix}/openapi-3.0.json`,
  settings: `${settingsPrefix}/openapi.json`,
  starter: `${apiPrefix}/starter.zip`,
  commandLine: `${apiPrefix}/workspace-cli.tgz`,
  postman: '/docs/collections/postman.json',
  bruno: '/docs/collections/bruno.zip',
  http: '/docs/collections/requests.http',
  workflows: '/docs/workflows.arazzo.yaml',
  overlay: '/docs/generators.overlay.yaml',
  health: `${apiPrefix}/health`,
} as const

export const routesOf = (operations: readonly Operation[]): Route[] =>
  operations.flatMap((operation) =>
    operation.audiences.map((audience) => ({
      operation,
      audience,
      method: methodOf(operation),
      path: pathFor(operation, audience),
    })),
  )

/** The settings API names the workspace in the path: the operator is bound to none. */
export function pathFor(operation: Operation, audience: Audience): string {
  if (audience === 'api') return apiPrefix + pathOf(operation)
  const workspace = operation.tenancy === 'workspace' ? '/workspaces/{workspaceId}' : ''
  return settingsPrefix + workspace + pathOf(operation)
}

/** The parameter that names the workspace in which a member calls; null where there is none. */
export const workspaceParameterOf = ({ tenancy, admits }: Operation): 'workspaceId' | 'id' | null =>
  tenancy === 'workspace' ? 'workspaceId' : admits === 'member' ? 'id' : null

/** The names in a path template, in their order. */
export const parameterNames = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '')

/** Fastify's spelling of a path template: `/projects/{id}` as `/projects/:id`. */
export const colonPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')
