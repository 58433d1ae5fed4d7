// The requests as a folder for Bruno: a file in its language for each request, a folder for each resource.
import {
  colonTemplate,
  requiredQuery,
  type RequestCollection,
  type RequestGroup,
  type SampleParameter,
  type SampleRequest,
} from './requests.ts'
import { placeholderAddress } from '../route-paths.ts'

/** Returns the text of each file by its path in the folder. */
export const brunoFiles = ({ title, description, groups }: RequestCollection): Readonly<Record<string, string>> => ({
  'bruno.json': `${JSON.stringify({ version: '1', name: title, type: 'collection' }, null, 2)}\n`,
  'collection.bru': blocks([
    block('auth', 'mode: bearer'),
    block('auth:bearer', 'token: {{key}}'),
    block('script:pre-request', nameWorkspace),
    block('docs', description),
  ]),
  'environments/installation.bru': blocks([
    block('vars', `baseUrl: ${placeholderAddress}\nworkspaceId: `),
    // Bruno keeps secrets outside of the folder.
    'vars:secret [\n  key\n]\n',
  ]),
  ...Object.fromEntries(groups.flatMap(filesOfGroup)),
})

/** An empty header would be refused. */
const nameWorkspace = [
  "const workspaceId = bru.getEnvVar('workspaceId')",
  "if (workspaceId) req.setHeader('x-workspace-id', workspaceId)",
].join('\n')

const filesOfGroup = ({ name, description, requests }: RequestGroup, at: number): [string, string][] => [
  [
    `${name}/folder.bru`,
    blocks([
      block('meta', `name: ${name}\nseq: ${at + 1}`),
      block('auth', 'mode: inherit'),
      block('docs', description),
    ]),
  ],
  ...requests.map((request, index): [string, string] => [
    `${name}/${request.operationId.slice(name.length + 1)}.bru`,
    fileOf(request, index + 1),
  ]),
]

function fileOf({ title, description, ...request }: SampleRequest, seq: number): string {
  const { method, path, body, pathParameters, query, headers } = request
  const kind = body === null ? 'none' : body.contentType.includes('json') ? 'json' : 'text'
  const contentType = body !== null && kind === 'text' ? [`Content-Type: ${body.contentType}`] : []
  return blocks([
    block('meta', `name: ${title}\ntype: http\nseq: ${seq}`),
    block(
      method.toLowerCase(),
      `url: {{baseUrl}}${colonTemplate(path)}${requiredQuery(request)}\nbody: ${kind}\nauth: inherit`,
    ),
    block('params:query', query.map((each) => line({ ...each, value: encodeURIComponent(each.value) })).join('\n')),
    block('params:path', pathParameters.map(line).join('\n')),
    block('headers', [...contentType, ...headers.map(line)].join('\n')),
    block(`body:${kind}`, body?.text ?? ''),
    block('docs', description),
  ])
}

/** `~` switches it off. */
const line = ({ name, value, isRequired }: SampleParameter): string => `${isRequired ? '' : '~'}${name}: ${value}`

const blocks = (all: readonly string[]): string => all.filter((each) => each !== '').join('\n')
const block = (name: string, text: string): string =>
  text === '' ? '' : `${name} {\n${text.replaceAll(/^(?=.)/gm, '  ')}\n}\n`
