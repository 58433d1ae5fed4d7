// The webhooks of the document: one Path Item Object for each type of event.
import { Type } from 'typebox'
import { eventRecordOf, type Event } from '../event.ts'
import { type Json, type Names, schemaOrRef } from './components.ts'
import { exampleEvent } from './recorded-examples.ts'
import { readScopeOf } from '../scopes.ts'
import { commandHeader, receiverCommands, standardHeaders, traceHeader } from '../webhook-headers.ts'

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
    'The id of the delivery. It is the same in every attempt, so use it to recognize duplicates.',
  ),
  [standardHeaders.timestamp]: header(standardHeaders.timestamp, 'When this attempt was signed, in Unix seconds.'),
  [standardHeaders.signature]: header(
    standardHeaders.signature,
    'As in Standard Webhooks: `v1,` and the base64 of the HMAC-SHA-256 over `<id>.<timestamp>.<raw body>`, keyed with the bytes that follow `whsec_` in base64. There are several, separated by spaces, while a secret is being replaced.',
  ),
  [traceHeader]: header(
    traceHeader,
    'W3C Trace Context: the trace of the request that changed the object, the same in every attempt.',
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
  description: `${event.summary} A webhook with the payload \`thin\` receives it without \`data\` and \`changes\`.`,
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
    '2XX': { description: 'Accepted. Any 2xx within 15 seconds is a success; the body is ignored.' },
    410: { description: 'Gone: the webhook is disabled.' },
    default: {
      description: `Not accepted. The delivery is retried with growing delays for a day and a half. Any response may give an instruction in the header \`${commandHeader('<brand>')}\`: ${commands}.`,
    },
  },
})
