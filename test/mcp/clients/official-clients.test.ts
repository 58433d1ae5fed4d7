// The official MCP clients of both generations against the gateway, each in its own ways to connect, and the Inspector.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { tools } from '#contract/tools/catalogue.ts'
import { underscored } from '#contract/tools/names.ts'
import { lacksForeign } from '../../support/foreign.ts'
import { run } from '../../support/run-program.ts'
import { sharedSystem, type Tenant } from '../../support/system.ts'
import { uploadedFile } from '../../support/uploaded-file.ts'
import { officialClients, textOf } from '../support/clients.ts'
import { makeObjects, ownedTenant, promptArguments, toolArguments, type Made } from '../support/tool-arguments.ts'

/** For two dozen calls, each the first of its kind in its process, on a machine that has other work. */
const callsMs = 120_000
const ajv = new Ajv2020({ strict: true })
const judge = (schema: object, value: unknown): string =>
  ajv.validate(schema, value) ? 'valid' : `${ajv.errorsText()}: ${JSON.stringify(value)}`

const { system } = sharedSystem('standalone')

describe.skipIf(lacksForeign).each(officialClients)('MCP, %s', (_name, connect) => {
  let tenant: Tenant
  let reader: Tenant
  let made: Made
  beforeAll(async () => {
    tenant = await ownedTenant(system)
    reader = await tenant.key(['projects:read'])
    made = await makeObjects(tenant)
    await uploadedFile({ api: tenant.api, url: system.url })
  })

  test(
    'calls every tool: each result is text for a model, and structure as its listed schema says',
    async () => {
      await using client = await connect(system, tenant)
      const listed = new Map((await client.listTools()).tools.map((tool) => [tool.name, tool] as const))
      const calls = Object.entries(toolArguments(made)).map(([name, args]) => [underscored(name), args] as const)
      expect([...listed.keys()]).toEqual(tools.map(({ name }) => underscored(name)))
      expect(calls.map(([name]) => name).toSorted()).toEqual([...listed.keys()].toSorted())

      for (const [name, args] of calls) {
        const { inputSchema, outputSchema = {} } = listed.get(name)!
        const result = await client.callTool({ name, arguments: args })

        expect({ name, args: judge(inputSchema, args) }).toEqual({ name, args: 'valid' })
        expect(result.isError ?? false, `${name}: ${textOf(result)}`).toBe(false)
        expect({ name, text: textOf(result) }).toEqual({ name, text: expect.stringMatching(/^[^{]/) })
        expect({ name, result: judge(outputSchema, result.structuredContent) }).toEqual({ name, result: 'valid' })
      }
    },
    callsMs,
  )

  test('reads every listed resource and fills every prompt', async () => {
    await using client = await connect(system, tenant)

    const { resources } = await client.listResources()
    const { resourceTemplates } = await client.listResourceTemplates()
    const { prompts } = await client.listPrompts()

    const uris = resources.map(({ uri }) => uri)
    for (const { uriTemplate } of resourceTemplates) {
      const ref = { type: 'ref/resource', uri: uriTemplate } as const
      const { completion } = await client.complete({ ref, argument: { name: 'id', value: '' } })
      uris.push(uriTemplate.replace('{id}', completion.values[0]!).replace(/\{.*\}/, ''))
    }
    for (const uri of uris)
      expect((await client.readResource({ uri })).contents).toEqual([expect.objectContaining({ uri })])
    for (const { name, arguments: declared = [] } of prompts) {
      const args = Object.fromEntries(declared.map(({ name: each }) => [each, promptArguments[each]!]))
      expect((await client.getPrompt({ name, arguments: args })).messages).not.toEqual([])
    }
    expect([resources, resourceTemplates, prompts].map((each) => each.length > 0)).toEqual([true, true, true])
  })

  test('gets typed errors, and refusals that a model can correct', async () => {
    await using client = await connect(system, tenant)
    await using few = await connect(system, reader)
    const call = (name: string, args = {}) => client.callTool({ name, arguments: args })

    const message = expect.stringContaining('projects_list')
    const ofEitherEra = expect.toSatisfy((code) => [-32_602, -32_002].includes(code))
    await expect(call('projects.lst')).rejects.toMatchObject({ code: -32_602, message })
    await expect(client.readResource({ uri: 'workspace://nothing' })).rejects.toMatchObject({ code: ofEitherEra })
    await expect(client.getPrompt({ name: 'nothing', arguments: {} })).rejects.toMatchObject({ code: -32_602 })
    await expect(few.callTool({ name: 'projects.create', arguments: { name: 'x' } })).rejects.toThrow(/projects:write/)

    const misspelt = await call('projects.list', { limt: 3 })
    expect(misspelt.isError).toBe(true)
    expect(misspelt.structuredContent).toMatchObject({ code: 'unknown_field', errors: [{ pointer: '/limt' }] })
    expect(textOf(misspelt)).toMatch(/^unknown_field:\n- `limt`: .*`limit`/)
  })
})

describe.skipIf(lacksForeign)('MCP, the Inspector', () => {
  let tenant: Tenant
  beforeAll(async () => {
    tenant = await ownedTenant(system)
  })

  /** Its output is one JSON object where there is nothing to warn of; it writes a catalogue to the home folder. */
  async function inspected(era: 'legacy' | 'auto' | 'modern', method: readonly string[], { secret } = tenant) {
    const program = fileURLToPath(
      import.meta.resolve('@modelcontextprotocol/inspector/clients/launcher/build/index.js'),
    )
    const home = mkdtempSync(join(tmpdir(), 'inspector-'))
    const server = [`${system.url}/api/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${secret}`]
    const args = ['--cli', ...server, '--protocol-era', era, '--format', 'json', '--stored-auth-only', '--method']
    return run(home, process.execPath, [program, ...args, ...method], { HOME: home })
  }

  test.each(['legacy', 'auto', 'modern'] as const)('of the era %s has nothing to warn of', async (era) => {
    const results = await Promise.all([
      inspected(era, ['tools/list', '--strict']),
      inspected(era, ['tools/call', '--tool-name', 'projects.list', '--tool-arg', 'limit=3']),
    ])

    expect(results.map(({ code }) => code)).toEqual([0, 0])
    const [listed, called] = results.map(({ output }) => JSON.parse(output).result)
    expect(listed.tools).toHaveLength(tools.length)
    expect(called.structuredContent.page).toMatchObject({ shown: 0, hasMore: false })
  })

  test('tells a refused key and a failed tool by its exit code', async () => {
    const [refused, failed] = await Promise.all([
      inspected('auto', ['tools/list'], { ...tenant, secret: 'wrong' }),
      inspected('auto', ['tools/call', '--tool-name', 'projects.get', '--tool-args-json', '{"id":"NOPE"}']),
    ])

    expect(refused.code).toBe(3)
    expect(failed).toMatchObject({ code: 5, output: expect.stringContaining('not_found') })
  })
})
