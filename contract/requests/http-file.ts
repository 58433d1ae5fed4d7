// The requests as one `.http` file, for the REST clients of VS Code, JetBrains and others. It has no parameter that can
// be left out: such files cannot switch one off.
import { requiredQuery, type RequestCollection, type SampleRequest } from './requests.ts'
import { placeholderAddress } from '../route-paths.ts'

export const httpFile = ({ title, groups }: RequestCollection): string =>
  [
    [
      `# ${title}: every operation, for the REST clients of VS Code, JetBrains and others.`,
      '# The key comes from the environment. With a key that is bound to no workspace, set workspaceId, and replace',
      '# "# x-workspace-id" by "x-workspace-id" in the whole file. Ids in the examples are invented.',
      `@baseUrl = ${placeholderAddress}`,
      '@key = {{$processEnv WORKSPACE_API_KEY}}',
      '@workspaceId = 00000000-0000-0000-0000-000000000000',
    ].join('\n'),
    ...groups.flatMap(({ name, requests }) => requests.map((request) => partOf(name, request))),
  ].join('\n\n') + '\n'

function partOf(group: string, { title, operationId, method, body, ...request }: SampleRequest): string {
  const head = [
    `### ${group}: ${title}`,
    `# ${operationId}`,
    `${method} {{baseUrl}}${targetOf(request)}`,
    'Authorization: Bearer {{key}}',
    '# x-workspace-id: {{workspaceId}}',
    ...(body === null ? [] : [`Content-Type: ${body.contentType}`]),
  ].join('\n')
  return body === null ? head : `${head}\n\n${body.text.trimEnd()}`
}

function targetOf({ path, pathParameters, query }: Pick<SampleRequest, 'path' | 'pathParameters' | 'query'>): string {
  const values = new Map(pathParameters.map(({ name, value }) => [name, encodeURIComponent(value)]))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => values.get(name) ?? '')
  return filled + requiredQuery({ query })
}
