// What the description says of a stream: server-sent events, which OpenAPI 3.1 knows as text. `x-messages` has the data of
// each kind of message, and the example shows them on the wire.
import type { Json, Names } from './component-refs.ts'
import { headerRefs, headersOfEveryResponse } from './response-headers.ts'
import { exampleMessages } from './recorded-examples.ts'
import { schemaOrRef } from './schemas.ts'
import type { Audience } from '../operation.ts'
import { eventStreamType, lastEventIdHeader, lastEventIdLengthMax, openedMessage, type Stream } from '../stream.ts'

export const lastEventIdParameter: Json = {
  name: lastEventIdHeader,
  in: 'header',
  description:
    'The `id` of the last message that you had: the stream goes on after it. Browsers send it by themselves when they come back.',
  schema: { type: 'string', maxLength: lastEventIdLengthMax },
}

const openedSchema: Json = {
  type: 'object',
  required: ['resumed'],
  additionalProperties: false,
  properties: {
    resumed: {
      type: 'boolean',
      description: 'Whether all since `last-event-id` is still to come. If not, ask for the list once more.',
    },
  },
}

export function streamResponse(stream: Stream, names: Names, audience: Audience): Json {
  const { message, asked } = stream
  return {
    description: `Server-sent events, until either side ends: first \`${openedMessage}\`, then a \`${message}\` for each. What stands in \`data\` is JSON.`,
    headers: headerRefs(headersOfEveryResponse[audience]),
    'x-messages': { [openedMessage]: openedSchema, [message]: schemaOrRef(asked.output, names) },
    content: {
      [eventStreamType]: {
        schema: { type: 'string', description: 'Blocks of `event`, `id` and `data`, with an empty line after each.' },
        example: exampleMessages(stream),
      },
    },
  }
}
