import { MCPClient } from 'mcp-use/client'
import { tellMcpStory } from '../mcp-story.ts'

const client = MCPClient.fromDict({
  mcpServers: {
    workspace: {
      url: `${process.env.BASE_URL}/api/mcp`,
      headers: { Authorization: `Bearer ${process.env.API_KEY}` },
    },
  },
})
const session = await client.createSession('workspace')

await tellMcpStory({
  names: async () => (await session.listTools()).map(({ name }) => name),
  call: (name, input) => session.callTool(name, input),
  close: () => client.closeAllSessions(),
})
