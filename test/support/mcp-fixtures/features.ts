// The conformance suite's fixtures around the product's features. They are shown to the callers that a test chooses,
// and everything else stays the product's.
import type { McpFeatures } from '../../../service/mcp/features.ts'
import type { Exchange } from '../../../service/mcp/tools/runner.ts'
import { askingTools } from './input-required.ts'
import { fixturePrompts } from './prompts.ts'
import { fixtureResources, fixtureTemplate, readFixture } from './resources.ts'
import { plainTools } from './tools.ts'

const tools = { ...plainTools, ...askingTools }
const noArguments = { type: 'object', additionalProperties: false } as const

const listedTools = Object.entries(tools).map(([name, { inputSchema = noArguments }]) => ({
  name,
  description: 'A fixture of the conformance suite.',
  inputSchema,
}))
const listedPrompts = Object.entries(fixturePrompts).map(([name, { args = [] }]) => ({
  name,
  description: 'A fixture of the conformance suite.',
  arguments: args.map((arg) => ({ name: arg, required: true })),
}))

export const withFixtures =
  (isFor: (exchange: Exchange) => boolean) =>
  (product: McpFeatures): McpFeatures => ({
    instructions: product.instructions,
    listTools: (exchange) => [...product.listTools(exchange), ...(isFor(exchange) ? listedTools : [])],
    callTool: async (name, args, exchange, context) => {
      const fixture = isFor(exchange) ? tools[name] : undefined
      return fixture?.run({ args, exchange, context }) ?? product.callTool(name, args, exchange, context)
    },
    listResources: async (cursor, exchange) => {
      const listed = await product.listResources(cursor, exchange)
      return isFor(exchange) ? { ...listed, resources: [...listed.resources, ...fixtureResources] } : listed
    },
    listResourceTemplates: (exchange) => {
      const { resourceTemplates } = product.listResourceTemplates(exchange)
      return { resourceTemplates: [...resourceTemplates, ...(isFor(exchange) ? [fixtureTemplate] : [])] }
    },
    readResource: async (uri, exchange) =>
      (isFor(exchange) ? readFixture(uri) : null) ?? product.readResource(uri, exchange),
    listPrompts: (exchange) => {
      const { prompts } = product.listPrompts(exchange)
      return { prompts: [...prompts, ...(isFor(exchange) ? listedPrompts : [])] }
    },
    getPrompt: async (name, args, exchange, context) => {
      const fixture = isFor(exchange) ? fixturePrompts[name] : undefined
      return fixture?.get(args, context) ?? product.getPrompt(name, args, exchange, context)
    },
    complete: async (params, exchange) =>
      isFor(exchange) && isFixture(params.ref) ? { completion: { values: [] } } : product.complete(params, exchange),
  })

const isFixture = (ref: { readonly type: string; readonly name?: string; readonly uri?: string }): boolean =>
  ref.type === 'ref/prompt' ? (ref.name ?? '') in fixturePrompts : ref.uri === fixtureTemplate.uriTemplate
