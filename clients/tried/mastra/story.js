import { MCPClient } from '@mastra/mcp'
import { tellMcpStory } from '../mcp-story.ts'

const client = new MCPClient({
  servers: {
    workspace: {
      url: new URL(`${process.env.BASE_URL}/api/mcp`),
      requestInit: { headers: { Authorization: `Bearer ${process.env.API_KEY}` } },
    },
  },
})
const tools = await client.listTools()

await tellMcpStory({
  names: async () => Object.keys(tools),
  call: (name, input) => tools[name].execute(input, {}),
  close: () => client.disconnect(),
})
