// Creates sample data through the public API at the first run, and says once what to try next.
import { operations } from '#contract/api.ts'
import { settingsPrefix, apiPrefix, docsPaths, mcpPath } from '#contract/route-paths.ts'
import { presetNames } from '#contract/key-preset.ts'
import { scopes } from '#contract/scopes.ts'
import { setupLinkHours } from '#contract/setup.ts'

const sampleProjects = [
  {
    project: { name: 'Website relaunch', status: 'active', priority: 'high', labels: ['web'] },
    tasks: [
      { title: 'Agree on the structure of the pages', status: 'done', priority: 'high' },
      { title: 'Draft the start page', status: 'in_progress', priority: 'high', labels: ['design'] },
      { title: 'Move the news archive', status: 'todo', labels: ['content'] },
      { title: 'Redirect the old addresses', status: 'backlog', labels: ['content'] },
    ],
  },
  {
    project: { name: 'Quarterly planning', status: 'planned', labels: ['internal'] },
    tasks: [
      { title: 'Collect the goals of each team', status: 'todo', priority: 'medium' },
      { title: 'Book a room for the planning day', status: 'done' },
    ],
  },
  {
    project: { name: 'Onboarding of Acme', status: 'active', health: 'at_risk', labels: ['customer'] },
    tasks: [
      { title: 'Import their contacts', status: 'blocked', priority: 'urgent', labels: ['data'] },
      { title: 'Train the support team', status: 'todo', priority: 'medium' },
    ],
  },
] as const

type OperatorAccess = { readonly url: string; readonly operatorToken: string }
type Seeded = {
  readonly workspaceId: string
  readonly key: string
  /** Why a webhook to this machine would be refused; null where it is taken. */
  readonly webhookProblem: string | null
}

/** Of the webhook that the message shows: a receiver on this machine. */
const sampleReceiver = 'http://127.0.0.1:9000/'

/** Creates a workspace with a key, sample projects and their tasks. Returns null when there is a workspace already. */
export async function seedIfNew(operator: OperatorAccess): Promise<Seeded | null> {
  const asOperator = apiCaller(operator.url, operator.operatorToken)
  const { data } = (await asOperator('GET', `${settingsPrefix}/workspaces?limit=1`)) as { data: unknown[] }
  if (data.length > 0) return null
  const workspace = (await asOperator('POST', `${settingsPrefix}/workspaces`, { name: 'My workspace' })) as {
    id: string
  }
  const keyPath = `${settingsPrefix}/workspaces/${workspace.id}/api-keys`
  const { secret } = (await asOperator('POST', keyPath, { name: 'First key', scopes: scopesOfApi() })) as {
    secret: string
  }
  const asKey = apiCaller(operator.url, secret)
  for (const { project, tasks } of sampleProjects) {
    const { id: projectId } = (await asKey('POST', `${apiPrefix}/projects`, project)) as { id: string }
    for (const task of tasks) await asKey('POST', `${apiPrefix}/tasks`, { projectId, ...task })
  }
  const check = `${settingsPrefix}/workspaces/${workspace.id}/webhooks/check-url?url=${encodeURIComponent(sampleReceiver)}`
  const { problem } = (await asOperator('GET', check)) as { problem: string | null }
  return { workspaceId: workspace.id, key: secret, webhookProblem: problem }
}

/** `tokenPath`: the file that holds the operator token, null when the environment gives it. */
export function welcomeMessage(
  url: string,
  { workspaceId, key, webhookProblem }: Seeded,
  tokenPath: string | null,
): string {
  const auth = `-H "Authorization: Bearer ${key}"`
  const operator = `-H "Authorization: Bearer ${tokenPath === null ? '$OPERATOR_TOKEN' : `$(cat '${tokenPath}')`}"`
  const post = (path: string, body: object, as = auth) =>
    `curl -s ${url}${path} ${as} -H "Content-Type: application/json" -d '${JSON.stringify(body)}'`
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'projects.list', arguments: { limit: 3 } },
  }
  return `
A workspace with sample projects and tasks is ready. This is shown once.

  Base URL         ${url}
  Workspace id     ${workspaceId}
  API key          ${key}
  Operator token   in ${tokenPath ?? 'the environment'}
  Documentation    ${url}${docsPaths.start}

List projects:
  curl -s "${url}${apiPrefix}/projects?limit=3" ${auth}

Create one:
  ${post(`${apiPrefix}/projects`, { name: 'First of my own' })}

Register a webhook (a receiver of yours at this address gets every change, signed${whatItTakes(webhookProblem)}):
  ${post(`${apiPrefix}/webhooks`, { name: 'My receiver', url: sampleReceiver, eventTypes: ['projects.*'] })}

Call an MCP tool:
  ${post(mcpPath, call)}

Make a second key, as the operator (presets: ${presetNames.join(', ')}; ${url}${docsPaths.scopes} lists all scopes):
  ${post(`${settingsPrefix}/workspaces/${workspaceId}/api-keys`, { name: 'Second key', preset: 'read-only' }, operator)}

`
}

/** Where the settings of this start refuse receivers on this machine, the command alone would be refused as well. */
const whatItTakes = (problem: string | null): string =>
  problem === null
    ? ''
    : `.
  As it was started, this is refused: ${problem}
  Start again with WEBHOOK_ALLOW_CIDRS=127.0.0.0/8 and WEBHOOK_ALLOW_HTTP=true, or give the https address of a public host`

/**
 * The message as long as there is no account. `path`: the file that holds the link as well, null where there is none. A
 * link that stands there is shown at the first start only, since what a start prints may be kept as a log.
 */
export function setupMessage(link: string, path: string | null, isFirst: boolean): string {
  if (path !== null && !isFirst)
    return `Make your account by the link in ${path} (good for ${setupLinkHours} hours).\n\n`
  return `Make your account, and open the workspace settings (good for ${setupLinkHours} hours${path === null ? '' : `, also in ${path}`}):

  ${link}

`
}

/** Returns every scope that an operation of the API asks for. */
function scopesOfApi(): string[] {
  const segments = new Set(
    operations.filter(({ audiences }) => audiences.includes('api')).map(({ scope }) => scope?.split(':')[0]),
  )
  return scopes.filter((scope) => segments.has(scope.split(':')[0]))
}

const apiCaller =
  (url: string, token: string) =>
  async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const response = await fetch(url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (response.ok) return response.json()
    throw new Error(`${method} ${path} was answered ${response.status}: ${await response.text()}`)
  }
