// `trigger`: an event of any type on demand, in a sandbox, for a receiver that is being written.
import { eventCatalogue } from '#contract/api.ts'
import { triggerEvent } from '#contract/sandboxes.ts'
import type { Input } from '#contract/operation.ts'
import { client } from '#clients/client.ts'
import { callOptions } from './access.ts'
import { formatAnswer, prettyJson } from './answers.ts'
import type { Command } from './command.ts'

export const trigger: Command = {
  name: 'trigger',
  summary: triggerEvent.summary,
  description: `${triggerEvent.description} \`listen\` in another terminal posts it to your endpoint.`,
  operands: [
    {
      name: 'type',
      meaning: 'The type of the event, as `event-types.list` has them.',
      choices: eventCatalogue.map((event) => event.type),
    },
  ],
  operation: () => triggerEvent,
  ownFields: ['eventType'],
  audiences: ['api', 'settings'],
  examples: ['trigger tasks.created', 'trigger tasks.updated --object-id <id>'],
  async run({ operands: [type = ''], input, workspaceId, json }, console) {
    const asked = { ...input, eventType: type } as Input<typeof triggerEvent>
    const made = await client(callOptions(console.access(), workspaceId, console.userAgent)).call(
      triggerEvent.name,
      asked,
    )
    return console.say(json ? prettyJson(made) : formatAnswer(made))
  },
}
