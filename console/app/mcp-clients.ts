// How MCP clients are connected, each in the form that it has for servers at an address. The key comes from the
// environment wherever the client can read it there. Pure.
import { mcpPath } from '#contract/route-paths.ts'
import { keyVariable } from './call-samples.ts'

type Step = { readonly where: string; readonly text: string }
export type McpClient = { readonly id: string; readonly label: string; readonly steps: readonly Step[] }

/** Claude Code keeps the name `workspace` for itself. */
const server = 'workspace-api'

/** One line for a shell. `key`: the secret, or a variable that holds it. */
export const claudeCodeCommand = (origin: string, key = `$${keyVariable}`): string =>
  `claude mcp add --transport http ${server} "${origin}${mcpPath}" \\\n  --header "Authorization: Bearer ${key}"`

export function mcpClients(origin: string): McpClient[] {
  const url = origin + mcpPath
  const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })
  return [
    {
      id: 'claude-code',
      label: 'Claude Code',
      steps: [
        { where: 'In a shell, for your user only', text: claudeCodeCommand(origin) },
        {
          where: '.mcp.json in the root of a project, shared with everyone who works on it',
          text: json({ mcpServers: { [server]: { type: 'http', url, headers: bearer(`\${${keyVariable}}`) } } }),
        },
      ],
    },
    {
      id: 'claude-desktop',
      label: 'Claude Desktop',
      steps: [
        {
          where:
            'claude_desktop_config.json (Settings > Developer > Edit Config). Claude Desktop only starts local programs, so mcp-remote connects it to the server. Replace wsk_… with your key',
          text: json({ mcpServers: { [server]: throughRemote(url) } }),
        },
      ],
    },
    {
      id: 'cursor',
      label: 'Cursor',
      steps: [
        {
          where: '.cursor/mcp.json in a project or in your home directory',
          text: json({ mcpServers: { [server]: { url, headers: bearer(`\${env:${keyVariable}}`) } } }),
        },
      ],
    },
    {
      id: 'vscode',
      label: 'VS Code',
      steps: [
        {
          where: '.vscode/mcp.json in a project. VS Code asks for the key once and stores it',
          text: json(vsCode(url)),
        },
      ],
    },
    {
      id: 'codex',
      label: 'Codex',
      steps: [
        {
          where: '~/.codex/config.toml',
          text: `[mcp_servers.${server}]\nurl = "${url}"\nbearer_token_env_var = "${keyVariable}"`,
        },
      ],
    },
  ]
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** The space before the key is in the variable, since some versions split arguments at spaces. */
const throughRemote = (url: string) => ({
  command: 'npx',
  args: [
    '-y',
    'mcp-remote',
    url,
    ...(url.startsWith('http:') ? ['--allow-http'] : []),
    '--header',
    'Authorization:${AUTHORIZATION}',
  ],
  env: { AUTHORIZATION: 'Bearer wsk_…' },
})

const input = 'workspace-key'
const vsCode = (url: string) => ({
  inputs: [{ type: 'promptString', id: input, description: 'API key of the workspace', password: true }],
  servers: { [server]: { type: 'http', url, headers: { Authorization: `Bearer \${input:${input}}` } } },
})
