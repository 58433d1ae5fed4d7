// The official MCP clients of both generations against the gateway, each in its own ways to connect.
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { tools } from '#contract/tools/catalogue.ts'
import { underscored } from '#contract/tools/names.ts'
import { scopes, type Scope } from '#contract/scopes.ts'
import { officialClients, textOf, type ListedTool, type McpClient } from '../support/mcp-clients.ts'
import { inspect, type Era } from '../support/mcp-inspector.ts'
import { makeObjects, promptArguments, toolArguments, type Made } from '../support/mcp-tool-arguments.ts'
import { must, sharedSystem, type System, type Tenant } from '../support/system.ts'

/** For two dozen calls, each the first of its kind in its process, on a machine that has other work. */
const callsMs = 120_000
const ajv = new Ajv2020({ strict: true })
const judge = (schema: object, value: unknown): string =>
  ajv.validate(schema, value) ? 'valid' : `${ajv.errorsText()}: ${JSON.stringify(value)}`

const { system } = sharedSystem('standalone')

/** With a key that acts for a member, so that `me` stands for somebody. */
async function ownedTenant({ tenant }: System): Promise<Tenant> {
  const made = await tenant()
  const { data } = must(await made.settings('GET', '/members'))
  return made.key(scopes, { ownerId: data[0].id })
}

describe.each(officialClients)('MCP, %s', (_name, connect) => {
  let tenant: Tenant
  let made: Made
  const connected = async ({ secret }: Tenant): Promise<McpClient & AsyncDisposable> => {
    const client = await connect(`${system.url}/api/mcp`, { authorization: `Bearer ${secret}` })
    return Object.assign(client, { [Symbol.asyncDispose]: () => client.close() })
  }
  const limitedTo = (...scopes: Scope[]) => tenant.key(scopes)
  beforeAll(async () => {
    tenant = await ownedTenant(system)
    made = await makeObjects(tenant)
  })

  test(
    'calls every tool, and each result is what its listed schema says',
    async () => {
      await using client = await connected(tenant)
      const listed = new Map((await client.listTools()).tools.map((tool): [string, ListedTool] => [tool.name, tool]))
      const calls = Object.entries(toolArguments(made)).map(([name, args]) => [underscored(name), args] as const)
      expect([...listed.keys()]).toEqual(tools.map(({ name }) => underscored(name)))
      expect(calls.map(([name]) => name).toSorted()).toEqual([...listed.keys()].toSorted())

      for (const [name, args] of calls) {
        const { inputSchema, outputSchema } = listed.get(name)!
        const result = await client.callTool({ name, arguments: args })

        expect({ name, args: judge(inputSchema, args) }).toEqual({ name, args: 'valid' })
        expect(result.isError ?? false, `${name}: ${textOf(result)}`).toBe(false)
        if (outputSchema !== undefined)
          expect({ name, result: judge(outputSchema, result.structuredContent) }).toEqual({ name, result: 'valid' })
      }
    },
    callsMs,
  )

  test('reads every listed resource and fills every prompt', async () => {
    await using client = await connected(tenant)

    const { resources } = await client.listResources()
    const { resourceTemplates } = await client.listResourceTemplates()
    const { prompts } = await client.listPrompts()

    for (const { uri } of resources)
      expect((await client.readResource({ uri })).contents).toEqual([expect.objectContaining({ uri })])
    for (const { uriTemplate } of resourceTemplates) {
      const ref = { type: 'ref/resource', uri: uriTemplate } as const
      const { completion } = await client.complete({ ref, argument: { name: 'id', value: '' } })
      const uri = uriTemplate.replace('{id}', completion.values[0]!).replace(/\{.*\}/, '')
      expect((await client.readResource({ uri })).contents).toEqual([expect.objectContaining({ uri })])
    }
    for (const { name, arguments: declared = [] } of prompts) {
      const args = Object.fromEntries(declared.map(({ name: each }) => [each, promptArguments[each]!]))
      expect((await client.getPrompt({ name, arguments: args })).messages).not.toEqual([])
    }
    expect([resources, resourceTemplates, prompts].map((each) => each.length > 0)).toEqual([true, true, true])
  })

  test('gets typed errors, and refusals that a model can correct', async () => {
    await using client = await connected(tenant)
    await using reader = await connected(await limitedTo('projects:read'))
    const call = (name: string, args = {}) => client.callTool({ name, arguments: args })

    await expect(call('projects.lst')).rejects.toMatchObject({
      code: -32_602,
      message: expect.stringContaining('projects_list'),
    })
    const { code } = await client.readResource({ uri: 'workspace://nothing' }).then(
      () => ({ code: 0 }),
      (error: { code: number }) => error,
    )
    expect([-32_602, -32_002]).toContain(code)
    await expect(client.getPrompt({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32_602 })
    await expect(reader.callTool({ name: 'projects.create', arguments: { name: 'x' } })).rejects.toThrow(
      /projects:write/,
    )

    const misspelt = await call('projects.list', { limt: 3 })
    expect({ isError: misspelt.isError, text: textOf(misspelt) }).toMatchObject({
      isError: true,
      text: expect.stringMatching(/unknown_field[^]*limit/),
    })
  })

  test('is shown what its key may use, and nothing else', async () => {
    await using reader = await connected(await limitedTo('projects:read'))

    const names = (await reader.listTools()).tools.map(({ name }) => name)

    expect(names).toContain('projects_get')
    expect(names.filter((name) => /create|update|delete|bulk|tasks|documents|crm/.test(name))).toEqual([])
  })
})

describe('MCP, the Inspector', () => {
  const eras: Era[] = ['legacy', 'auto', 'modern']
  let secret: string
  const inspected = (era: Era, ...method: string[]) => inspect(`${system.url}/api/mcp`, secret, era, ...method)
  beforeAll(async () => {
    secret = (await ownedTenant(system)).secret
  })

  test.each(eras)('of the era %s has nothing to warn of', async (era) => {
    const results = await Promise.all([
      inspected(era, 'tools/list', '--strict'),
      inspected(era, 'tools/call', '--tool-name', 'projects.list', '--tool-arg', 'limit=3'),
    ])

    expect(results.map(({ code }) => code)).toEqual([0, 0])
    const [listed, called] = results.map(({ output }) => JSON.parse(output).result)
    expect(listed.tools).toHaveLength(tools.length)
    expect(called.structuredContent.page).toMatchObject({ shown: 0, hasMore: false })
  })

  test('lists resources and prompts', async () => {
    const lists = await Promise.all([inspected('legacy', 'resources/list'), inspected('modern', 'prompts/list')])

    const [{ resources }, { prompts }] = lists.map(({ output }) => JSON.parse(output).result)
    expect(resources).toContainEqual(expect.objectContaining({ uri: 'workspace://overview' }))
    expect(prompts).toContainEqual(expect.objectContaining({ name: 'standup' }))
  })

  test('tells a refused key and a failed tool by its exit code', async () => {
    const [refused, failed] = await Promise.all([
      inspect(`${system.url}/api/mcp`, 'wrong', 'auto', 'tools/list'),
      inspected('auto', 'tools/call', '--tool-name', 'projects.get', '--tool-args-json', '{"id":"NOPE"}'),
    ])

    expect(refused.code).toBe(3)
    expect(failed).toMatchObject({ code: 5, output: expect.stringContaining('not_found') })
  })
})
