// The helpers of Anthropic and Google, and Mastra, hand the names of tools to a model's API as they are listed. They connect
// under a name of the developer's choice: the helpers as the client that they are given, Mastra as the server in its settings.
import assert from 'node:assert/strict'
import { mcpTools } from '@anthropic-ai/sdk/helpers/beta/mcp'
import { mcpToTool } from '@google/genai'
import { MCPClient } from '@mastra/mcp'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

/** What the APIs of models take. */
const nameForm = /^[a-zA-Z0-9_-]{1,64}$/
const url = new URL('/api/mcp', process.env.BASE_URL)
const requestInit = { headers: { authorization: `Bearer ${process.env.API_KEY}` } }

function judge(framework, names, expected) {
  assert.deepEqual(
    names.filter((name) => !nameForm.test(name)),
    [],
  )
  assert.ok(names.includes(expected) && names.length > 20, `${framework} lists ${names.join(' ')}`)
  console.log(`${framework}: ${names.length} tools listed, one called`)
}

for (const mode of ['legacy', 'auto']) {
  const client = new Client({ name: 'my-app', version: '1.0.0' }, { versionNegotiation: { mode } })
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }))

  const { tools } = await client.listTools()
  const runnable = mcpTools(tools, client)
  const [block] = await runnable.find(({ name }) => name === 'projects_list').run({ limit: 1 })
  assert.match(block.text, /projects/)
  judge(
    `mcpTools (${mode})`,
    runnable.map(({ name }) => name),
    'projects_list',
  )

  const callable = mcpToTool(client)
  const { functionDeclarations } = await callable.tool()
  const [part] = await callable.callTool([{ name: 'projects_list', args: { limit: 1 } }])
  assert.match(part.functionResponse.response.content[0].text, /projects/)
  judge(
    `mcpToTool (${mode})`,
    functionDeclarations.map(({ name }) => name),
    'projects_list',
  )
  await client.close()
}

const mastra = new MCPClient({ servers: { workspace: { url, requestInit } } })
const tools = await mastra.listTools()
const { data } = await tools.workspace_projects_list.execute({ limit: 1 }, {})
assert.equal(data.length, 1)
judge('Mastra', Object.keys(tools), 'workspace_projects_list')
await mastra.disconnect()
