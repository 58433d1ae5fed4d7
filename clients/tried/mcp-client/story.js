import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { tellMcpStory } from '../mcp-story.ts'

const client = new Client({ name: 'tried', version: '1.0.0' })
const headers = { Authorization: `Bearer ${process.env.API_KEY}` }
await client.connect(
  new StreamableHTTPClientTransport(new URL(`${process.env.BASE_URL}/api/mcp`), { requestInit: { headers } }),
)

await tellMcpStory({
  names: async () => (await client.listTools()).tools.map(({ name }) => name),
  call: (name, input) => client.callTool({ name, arguments: input }),
  close: () => client.close(),
})
