import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { tellMcpStory } from '../mcp-story.ts'

const client = new Client({ name: 'tried', version: '1.0.0' })
await client.connect(
  new StdioClientTransport({
    command: 'node_modules/.bin/mcp-remote',
    args: [`${process.env.BASE_URL}/api/mcp`, '--header', `Authorization: Bearer ${process.env.API_KEY}`],
    env: { ...process.env, HOME: import.meta.dirname },
  }),
)

await tellMcpStory({
  names: async () => (await client.listTools()).tools.map(({ name }) => name),
  call: (name, input) => client.callTool({ name, arguments: input }),
  close: () => client.close(),
})
