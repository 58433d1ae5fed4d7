// The conformance suite's tools that need nothing of the client.
import { MissingRequiredClientCapabilityError } from '@modelcontextprotocol/server'
import { capabilitiesIn, png, text, wav, type FixtureTool } from './fixture.ts'

const image = { type: 'image', data: png, mimeType: 'image/png' } as const

const embedded = (uri: string, mimeType: string, content: string) =>
  ({ type: 'resource', resource: { uri, mimeType, text: content } }) as const

export const plainTools: Record<string, FixtureTool> = {
  test_simple_text: { run: async () => text('This is a simple text response for testing.') },
  test_image_content: { run: async () => ({ content: [image] }) },
  test_audio_content: { run: async () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }) },
  test_embedded_resource: {
    run: async () => ({ content: [embedded('test://embedded-resource', 'text/plain', 'An embedded resource.')] }),
  },
  test_multiple_content_types: {
    run: async () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        image,
        embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    }),
  },
  test_error_handling: {
    run: async () => ({ ...text('This tool intentionally returns an error for testing'), isError: true }),
  },
  test_tool_with_progress: {
    run: async ({ exchange }) => {
      for (const done of [0, 50, 100]) exchange.onProgress?.(done, 100)
      return text('Done')
    },
  },
  // Logging is not declared, so nothing is logged, whatever level the client asks for.
  test_logging_tool: { run: async () => text('Nothing logged') },
  test_missing_capability: {
    run: async ({ context }) => {
      const { sampling } = capabilitiesIn(context)
      if (sampling === undefined)
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
      return text('The client can sample')
    },
  },
  json_schema_2020_12_tool: { inputSchema: jsonSchema(), run: async () => text('Called') },
  test_header_parameter: {
    inputSchema: {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
      required: ['region'],
    },
    run: async ({ args }) => text(`Region: ${String(args['region'])}`),
  },
}

function jsonSchema(): NonNullable<FixtureTool['inputSchema']> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  }
}
