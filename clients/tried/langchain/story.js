import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { tellMcpStory } from '../mcp-story.ts'

const client = new MultiServerMCPClient({
  mcpServers: {
    workspace: {
      url: `${process.env.BASE_URL}/api/mcp`,
      headers: { Authorization: `Bearer ${process.env.API_KEY}` },
    },
  },
})
const tools = await client.getTools()

await tellMcpStory({
  names: async () => tools.map(({ name }) => name),
  call: (wanted, input) => tools.find(({ name }) => name === wanted).invoke(input),
  close: () => client.close(),
})
