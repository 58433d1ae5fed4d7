// The requests as a Postman collection, format 2.1. Postman, Insomnia, Hoppscotch and others import it.
import {
  colonTemplate,
  requiredQuery,
  type RequestCollection,
  type SampleParameter,
  type SampleRequest,
} from './requests.ts'
import { placeholderAddress } from '../route-paths.ts'
import type { Json } from '../openapi/components.ts'

export const postmanCollection = ({ title, description, groups }: RequestCollection): Json => ({
  info: {
    name: title,
    description,
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  item: groups.map(({ name, description: about, requests }) => ({
    name,
    description: about,
    item: requests.map(itemOf),
  })),
  auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
  event: [{ listen: 'prerequest', script: { type: 'text/javascript', exec: nameWorkspace } }],
  variable: [
    { key: 'baseUrl', value: placeholderAddress },
    { key: 'key', value: '' },
    { key: 'workspaceId', value: '' },
  ],
})

/** A collection has no headers of its own, and an empty one would be refused. */
const nameWorkspace = [
  "const workspaceId = pm.variables.get('workspaceId')",
  "if (workspaceId) pm.request.headers.upsert({ key: 'x-workspace-id', value: workspaceId })",
]

function itemOf(sample: SampleRequest): Json {
  const { title, description, method, headers, body, answer } = sample
  const url = urlOf(sample)
  const request = {
    method,
    description,
    header: [...(body === null ? [] : [{ key: 'Content-Type', value: body.contentType }]), ...headers.map(switchable)],
    url,
    ...(body !== null && { body: { mode: 'raw', raw: body.text, options: { raw: { language: languageOf(body) } } } }),
  }
  return { name: title, request, response: answer === null ? [] : [savedAnswer(answer, { method, url })] }
}

function urlOf({ path, pathParameters, query }: SampleRequest): Json {
  const template = colonTemplate(path)
  return {
    raw: `{{baseUrl}}${template}${requiredQuery({ query })}`,
    host: ['{{baseUrl}}'],
    path: template.slice(1).split('/'),
    query: query.map((each) => ({ ...switchable(each), value: encodeURIComponent(each.value) })),
    variable: pathParameters.map(({ name, value, description }) => ({ key: name, value, description })),
  }
}

const savedAnswer = (
  { status, description, contentType, text }: NonNullable<SampleRequest['answer']>,
  originalRequest: object,
): Json => ({
  name: description,
  originalRequest,
  code: status,
  header: [{ key: 'Content-Type', value: contentType }],
  body: text,
  _postman_previewlanguage: languageOf({ contentType }),
})

const switchable = ({ name, value, description, isRequired }: SampleParameter): Json => ({
  key: name,
  value,
  description,
  ...(!isRequired && { disabled: true }),
})

const languageOf = ({ contentType }: { readonly contentType: string }): string =>
  contentType.includes('json') ? 'json' : 'text'
