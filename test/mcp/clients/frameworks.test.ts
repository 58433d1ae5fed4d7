// Frameworks hand the names of tools to a model's API as they are listed: the adapters of the AI SDK and of LangChain
// and Anthropic's helper, as they are installed; others as their requests were recorded; and the samples of
// docs/guides/mcp.md, as they are printed there. Those APIs are stand-ins. What is not installed here is tried in
// clients/tried/frameworks.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { tools } from '#contract/tools/catalogue.ts'
import { underscored } from '#contract/tools/names.ts'
import { sentence, startModelApis, type ModelApis } from '#clients/tried/frameworks/model-apis.ts'
import { frameworkSamples, runSample, sampleOf } from '#clients/tried/frameworks/samples.ts'
import { foreign, lacksForeign } from '../../support/foreign.ts'
import { sharedSystem, type Tenant } from '../../support/system.ts'
import { connect } from '../support/clients.ts'
import { recorded, type Recorded } from './recorded-frameworks.ts'

const { createAnthropic } = await foreign(() => import('@ai-sdk/anthropic'))
const { createMCPClient } = await foreign(() => import('@ai-sdk/mcp'))
const { createOpenAI } = await foreign(() => import('@ai-sdk/openai'))
const { mcpTools } = await foreign(() => import('@anthropic-ai/sdk/helpers/beta/mcp'))
const { ChatAnthropic } = await foreign(() => import('@langchain/anthropic'))
const { MultiServerMCPClient } = await foreign(() => import('@langchain/mcp-adapters'))
const { ChatOpenAI } = await foreign(() => import('@langchain/openai'))
const { generateText, isStepCount } = await foreign(() => import('ai'))
const { createAgent } = await foreign(() => import('langchain'))

const prompt = 'Which projects are there?'
const project = 'Website relaunch'
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
    const options = { model: 'test', apiKey: 'none', maxRetries: 0 }
    const llm =
      provider === 'openai'
        ? new ChatOpenAI({ ...options, configuration: { baseURL: `${models.url}/v1` } })
        : new ChatAnthropic({ ...options, anthropicApiUrl: models.url })
    try {
      const agent = createAgent({ model: llm, tools: await client.getTools() })
      const { messages } = await agent.invoke({ messages: [{ role: 'user', content: prompt }] })
      return messages.at(-1)?.text ?? ''
    } finally {
      await client.close()
    }
  }

/** Sends what was recorded, with the key and the session of now. Gives the result of each request, by its method. */
async function replay({ url, headers }: Endpoint, { posts }: Recorded) {
  const accept = 'application/json, text/event-stream'
  const all = { 'content-type': 'application/json', accept, 'user-agent': 'node' }
  const results = new Map<string, unknown>()
  let session = ''
  for (const [own, message] of posts) {
    const inSession = 'mcp-session-id' in own ? { 'mcp-session-id': session } : {}
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    const answer = await fetch(url, { method: 'POST', headers: { ...all, ...own, ...headers, ...inSession }, body })
    session = answer.headers.get('mcp-session-id') ?? session
    const text = await answer.text()
    if (text !== '') results.set(message.method, (JSON.parse(text) as { result: unknown }).result)
  }
  return results
}

const { system, tenant } = sharedSystem('standalone')
beforeAll(async () => {
  await tenant.api('POST', '/api/v1/projects', { name: project, key: 'WEB' })
})

describe('MCP through a framework', () => {
  const endpoint = ({ secret }: Tenant, query = ''): Endpoint => ({
    url: `${system.url}/api/mcp${query}`,
    headers: { authorization: `Bearer ${secret}` },
  })

  const frameworks = (['openai', 'anthropic'] as const).flatMap((provider): [string, Ask][] => [
    [`the AI SDK with ${provider}`, aiSdk(provider)],
    [`LangChain with ${provider}`, langChain(provider)],
  ])

  test.skipIf(lacksForeign).each(frameworks)(
    '%s offers every tool to the model, and calls the one that it chooses',
    async (_name, ask) => {
      await using models = await startModelApis({ name: 'projects_list', args: { limit: 3 } })

      expect(await ask(endpoint(tenant), models)).toBe(sentence)

      expect(models.offered.map((names) => names.toSorted())).toEqual([listed, listed])
      expect(models.results).toEqual([expect.stringContaining(project)])
    },
  )

  test.skipIf(lacksForeign)('a key chooses for all of its clients, and an address for its own', async () => {
    const dots = await tenant.key(['projects:read'], { toolNames: 'dots' })
    const namesBy = async (query: string) => {
      const { url, headers } = endpoint(dots, query)
      const client = await createMCPClient({ transport: { type: 'http', url, headers } })
      const offered = await client.tools()
      await client.close()
      return Object.keys(offered)
    }

    expect(await namesBy('')).toContain('projects.list')
    for (const choice of ['auto', 'underscores'])
      expect(await namesBy(`?toolNames=${choice}`)).toContain('projects_list')
  })

  test.skipIf(lacksForeign).each(['legacy', 'auto'] as const)(
    'Anthropic’s helper lists every tool and runs one, %s',
    async (mode) => {
      await using client = await connect(system, tenant, mode)

      const { tools: ofClient } = await client.listTools()
      // Its type of a client asks more of a result than the client's own type says of one.
      const runnable = mcpTools(ofClient, client as Parameters<typeof mcpTools>[1])
      const result = await runnable.find(({ name }) => name === 'projects_list')?.run({ limit: 3 })

      expect(runnable.map(({ name }) => name).toSorted()).toEqual(listed)
      expect(JSON.stringify(result)).toContain(project)
    },
  )

  test.each(recorded)('$client lists every tool and calls one', async (each) => {
    const results = await replay(endpoint(tenant), each)

    const { tools: answered } = results.get('tools/list') as { tools: { name: string }[] }
    expect(answered.map(({ name }) => name).toSorted()).toEqual(listed)
    expect(results.get('tools/call')).toMatchObject({ content: [{ text: expect.stringContaining(project) }] })
  })
})

describe('the samples of docs/guides/mcp.md', () => {
  const installed = ['AI SDK', 'LangChain']
  const ofPython = ['Python', 'OpenAI Agents for Python']
  const packages = join(import.meta.dirname, '../../node_modules')
  const noPython = spawnSync('python3', ['--version']).status !== 0
  const access = () => ({ url: system.url, key: tenant.secret, packages })

  test.skipIf(lacksForeign).each(installed)(
    'that for %s asks a model, calls its tool and prints what it says',
    async (title) => {
      await using models = await startModelApis({ name: 'projects_list', args: { limit: 3 } })

      expect(await runSample(sampleOf(title), { ...access(), models })).toEqual({ code: 0, output: `${sentence}\n` })

      expect(models.offered.map((names) => names.toSorted())).toEqual([listed, listed])
      expect(models.results).toEqual([expect.stringContaining(project)])
    },
  )

  // The packages are those of another registry: stand-ins send what they would.
  test.skipIf(noPython).each(ofPython)('that for %s connects, lists every tool and calls one', async (title) => {
    const python = ['python3', join(import.meta.dirname, 'python_frameworks.py')]

    const { code, output } = await runSample(sampleOf(title), { ...access(), python })

    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining(project) })
    for (const name of listed) expect(output).toContain(`'${name}'`)
  })

  test('are all run, here or in clients/tried/frameworks', () => {
    expect(frameworkSamples().map(({ title }) => title)).toEqual([...installed, 'OpenAI Agents', ...ofPython])
  })
})
