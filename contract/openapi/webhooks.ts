// The webhooks of the document: one Path Item Object for each type of event.
import { Type } from 'typebox'
import { eventRecordOf, type Event } from '../event.ts'
import { type Json, type Names, schemaOrRef } from './components.ts'
import { exampleEvent } from './recorded-examples.ts'
import { readScopeOf } from '../scopes.ts'
import { commandHeader, receiverCommands, standardHeaders } from '../webhook-headers.ts'

/** `crm-entities.comment_created` as `CrmEntitiesCommentCreated`. */
export const pascalCase = (name: string): string =>
  name.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_match, letter: string) => letter.toUpperCase())

export const eventSchemaName = ({ type }: Event): string => `${pascalCase(type)}Event`

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: Type.String({ maxLength: 1_000 }),
})

export const webhookParameters = {
  [standardHeaders.deliveryId]: header(
    standardHeaders.deliveryId,
    'Of the delivery; the same in every attempt: by it duplicates are known.',
  ),
  [standardHeaders.timestamp]: header(standardHeaders.timestamp, 'When this attempt was signed, in Unix seconds.'),
  [standardHeaders.signature]: header(
    standardHeaders.signature,
    'By Standard Webhooks: `v1,` and the HMAC-SHA-256 in base64 over `<id>.<timestamp>.<raw body>`, keyed with the bytes that stand in base64 behind `whsec_`. Several, with spaces between, while a secret is being replaced.',
  ),
} satisfies Json

export const webhooksOf = (events: readonly Event[], names: Names): Json =>
  Object.fromEntries(events.map((event) => [event.type, { post: webhookOf(event, names) }]))

const commands = Object.keys(receiverCommands)
  .map((command) => `\`${command}\``)
  .join(' or ')

const webhookOf = (event: Event, names: Names): Json => ({
  operationId: `on.${event.type}`,
  summary: event.type,
  description: `${event.summary} A webhook with the payload \`thin\` gets it without \`data\` and \`changes\`.`,
  tags: ['webhooks'],
  security: [],
  'x-scope': readScopeOf(event.type),
  parameters: Object.keys(webhookParameters).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  requestBody: {
    required: true,
    content: {
      'application/json': { schema: schemaOrRef(eventRecordOf(event), names), example: exampleEvent(event) },
    },
  },
  responses: {
    '2XX': { description: 'Taken. Any 2xx within 15 seconds will do; the body is not looked at.' },
    410: { description: 'Gone: the webhook is disabled.' },
    default: {
      description: `Not taken. It is tried again, later and later, for a day and a half. Any answer may ask for more in the header \`${commandHeader('<brand>')}\`: ${commands}.`,
    },
  },
})
