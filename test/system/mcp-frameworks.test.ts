// Frameworks hand the names of tools to a model's API as they are listed: the adapters of the AI SDK and of LangChain, as
// they are installed and under a name of the developer's choice, against stand-ins for two such APIs.
import { createAnthropic } from '@ai-sdk/anthropic'
import { createMCPClient } from '@ai-sdk/mcp'
import { createOpenAI } from '@ai-sdk/openai'
import { ChatAnthropic } from '@langchain/anthropic'
import { HumanMessage } from '@langchain/core/messages'
import { MultiServerMCPClient } from '@langchain/mcp-adapters'
import { ChatOpenAI } from '@langchain/openai'
import { generateText, isStepCount } from 'ai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tools } from '#contract/tools/catalogue.ts'
import { underscored } from '#contract/tools/names.ts'
import { startModelApis, type ModelApis } from '../support/model-apis.ts'
import { startSystem, type System, type Tenant } from '../support/system.ts'

const prompt = 'Which projects are there?'
const listed = tools.map(({ name }) => underscored(name)).toSorted()

type Endpoint = { readonly url: string; readonly headers: Record<string, string> }
type Ask = (endpoint: Endpoint, models: ModelApis) => Promise<string>

const aiSdk =
  (provider: 'openai' | 'anthropic'): Ask =>
  async ({ url, headers }, models) => {
    const client = await createMCPClient({ transport: { type: 'http', url, headers } })
    const options = { apiKey: 'none', baseURL: `${models.url}/v1` }
    const model = provider === 'openai' ? createOpenAI(options).chat('test') : createAnthropic(options)('test')
    try {
      const stopWhen = isStepCount(3)
      const { text } = await generateText({ model, prompt, tools: await client.tools(), stopWhen, maxRetries: 0 })
      return text
    } finally {
      await client.close()
    }
  }

const langChain =
  (provider: 'openai' | 'anthropic'): Ask =>
  async ({ url, headers }, models) => {
    const client = new MultiServerMCPClient({ workspace: { transport: 'http', url, headers } })
    const llm =
      provider === 'openai'
        ? new ChatOpenAI({
            model: 'test',
            apiKey: 'none',
            maxRetries: 0,
            configuration: { baseURL: `${models.url}/v1` },
          })
        : new ChatAnthropic({ model: 'test', apiKey: 'none', maxRetries: 0, anthropicApiUrl: models.url })
    try {
      const offered = await client.getTools()
      const model = llm.bindTools(offered)
      const question = new HumanMessage(prompt)
      const asked = await model.invoke([question])
      const [call] = asked.tool_calls ?? []
      const result = await offered.find(({ name }) => name === call?.name)?.invoke({ ...call!, type: 'tool_call' })
      const answer = await model.invoke([question, asked, result])
      return answer.text
    } finally {
      await client.close()
    }
  }

describe('MCP through a framework', () => {
  let system: System
  let tenant: Tenant
  const endpoint = ({ secret }: Tenant, query = ''): Endpoint => ({
    url: `${system.url}/api/mcp${query}`,
    headers: { authorization: `Bearer ${secret}` },
  })
  beforeAll(async () => {
    system = await startSystem('standalone')
    tenant = await system.tenant()
    await tenant.api('POST', '/api/v1/projects', { name: 'Website relaunch', key: 'WEB' })
  })
  afterAll(() => system?.[Symbol.asyncDispose]())

  const frameworks: [string, Ask][] = [
    ['the AI SDK with OpenAI', aiSdk('openai')],
    ['the AI SDK with Anthropic', aiSdk('anthropic')],
    ['LangChain with OpenAI', langChain('openai')],
    ['LangChain with Anthropic', langChain('anthropic')],
  ]

  test.each(frameworks)('%s offers every tool to the model, and calls the one that it chooses', async (_name, ask) => {
    await using models = await startModelApis({ name: 'projects_list', args: { limit: 3 } })

    expect(await ask(endpoint(tenant), models)).toBe('The tool has answered.')

    expect(models.offered.map((names) => names.toSorted())).toEqual([listed, listed])
    expect(models.results).toEqual([expect.stringContaining('Website relaunch')])
  })

  test.each(frameworks)('%s is refused by the model’s API where dots are asked for', async (_name, ask) => {
    await using models = await startModelApis({ name: 'projects_list', args: {} })

    await expect(ask(endpoint(tenant, '?toolNames=dots'), models)).rejects.toThrow(/pattern/)
    expect(models.offered).toEqual([])
  })

  test('a key chooses for all of its clients, and an address for its own', async () => {
    const dots = await tenant.key(['projects:read'], { toolNames: 'dots' })
    const namesOf = async (asked: Endpoint) => {
      const client = await createMCPClient({ transport: { type: 'http', ...asked } })
      try {
        return Object.keys(await client.tools())
      } finally {
        await client.close()
      }
    }

    expect(await namesOf(endpoint(dots))).toContain('projects.list')
    expect(await namesOf(endpoint(dots, '?toolNames=auto'))).toContain('projects_list')
    expect(await namesOf(endpoint(dots, '?toolNames=underscores'))).toContain('projects_list')
  })
})
