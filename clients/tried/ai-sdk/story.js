import { createMCPClient } from '@ai-sdk/mcp'
import { tellMcpStory } from '../mcp-story.ts'

const client = await createMCPClient({
  transport: {
    type: 'http',
    url: `${process.env.BASE_URL}/api/mcp`,
    headers: { Authorization: `Bearer ${process.env.API_KEY}` },
  },
})
const tools = await client.tools()

await tellMcpStory({
  names: async () => Object.keys(tools),
  call: (name, input) => tools[name].execute(input, { toolCallId: '1', messages: [] }),
  close: () => client.close(),
})
