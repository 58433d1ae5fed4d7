// The conformance suite's prompts.
import type { ContentBlock, GetPromptResult } from '@modelcontextprotocol/server'
import { png, type FixturePrompt } from './fixture.ts'
import { askingPrompt } from './input-required.ts'

export const fixturePrompts: Record<string, FixturePrompt> = {
  test_simple_prompt: { get: async () => says({ type: 'text', text: 'This is a simple prompt for testing.' }) },
  test_prompt_with_arguments: {
    args: ['arg1', 'arg2'],
    get: async ({ arg1, arg2 }) =>
      says({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  },
  test_prompt_with_embedded_resource: {
    args: ['resourceUri'],
    get: async ({ resourceUri = '' }) =>
      says(
        { type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'An embedded resource.' } },
        { type: 'text', text: 'Please process the embedded resource above.' },
      ),
  },
  test_prompt_with_image: {
    get: async () =>
      says(
        { type: 'image', data: png, mimeType: 'image/png' },
        { type: 'text', text: 'Please analyze the image above.' },
      ),
  },
  test_input_required_result_prompt: askingPrompt,
}

const says = (...contents: ContentBlock[]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user', content })),
})
