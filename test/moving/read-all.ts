// Every answer of the API to a call that reads, with every id: what an installation shows, to be compared with what
// another one shows. An operation that is new is read without a line here.
import { operations } from '#contract/api.ts'
import { methodOf, pathOf, type Operation } from '#contract/operation.ts'
import { parameterNames, pathFor } from '#contract/route-paths.ts'
import type { Client } from '../support/client.ts'

/** They change with the calls of this test itself, or are no answer to one call. */
const notCompared: ReadonlySet<string> = new Set([
  ...['events.stream', 'deliveries.stream', 'webhooks.check-url'],
  ...['api-keys.usage', 'api-keys.requests', 'webhooks.usage', 'webhooks.requests', 'usage.overview'],
  // It stays behind.
  ...['requests.list', 'requests.get'],
])
/** Of a key that these calls use, of a cursor that another secret signs, and of the hour. */
const ofUse = new Set([
  ...['lastUsedAt', 'lastUsedIp', 'lastUsedUserAgent', 'requests30d'],
  ...['requestId', 'nextCursor', 'from', 'to', 'hours'],
])

const queries: Readonly<Record<string, readonly string[]>> = {
  'search.query': ['q=a', 'q=website', 'q=%E7%A8%8E'],
  'resources.read': ['uri=workspace%3A%2F%2Foverview'],
}

type Reader = Pick<Client, 'call' | 'operator'>
type Answers = Map<string, string>
type Tenant = { readonly workspaceId: string; readonly secret: string }

/** The answers, by method and path. */
export async function readAll(reader: Reader, tenants: readonly Tenant[]): Promise<Answers> {
  const answers: Answers = new Map()
  for (const tenant of tenants)
    for (const operation of operations.filter(isCompared))
      for (const path of await pathsOf(reader, tenant, operation))
        for (const query of queries[operation.name] ?? [defaultQuery(operation)]) {
          const url = query === '' ? path : `${path}?${query}`
          const { status, body } = await readerOf(reader, tenant, operation)(url)
          answers.set(`${tenant.workspaceId} ${url}`, `${status} ${JSON.stringify(body, withoutUse)}`)
        }
  return answers
}

const isCompared = (operation: Operation): boolean =>
  methodOf(operation) === 'GET' &&
  !notCompared.has(operation.name) &&
  (operation.tenancy === 'workspace' || operation.name === 'workspaces.get')

const withoutUse = (name: string, value: unknown): unknown => (ofUse.has(name) ? undefined : value)

const audienceOf = ({ audiences }: Operation) => (audiences.includes('api') ? 'api' : 'settings')

function readerOf({ call, operator }: Reader, { secret }: Tenant, operation: Operation) {
  const asKey = (path: string) => call('GET', path, undefined, { authorization: `Bearer ${secret}` })
  return audienceOf(operation) === 'api' ? asKey : (path: string) => operator('GET', path)
}

/** All of a list, whatever its state. */
function defaultQuery({ input }: Operation): string {
  const fields = Object.keys(input.properties)
  return ['includeDeleted', 'includeArchived', 'limit']
    .filter((name) => fields.includes(name))
    .map((name) => (name === 'limit' ? 'limit=200' : `${name}=true`))
    .join('&')
}

async function pathsOf(reader: Reader, tenant: Tenant, operation: Operation): Promise<string[]> {
  const template = pathFor(operation, audienceOf(operation)).replace('{workspaceId}', tenant.workspaceId)
  const names = parameterNames(template)
  if (names.length === 0) return [template]
  const listed = await objectsOf(reader, tenant, template.slice(0, template.indexOf('/{')), operation)
  if (names.includes('externalId'))
    return listed.flatMap(({ externalIds = [] }) =>
      externalIds.map(({ source, id }) => template.replace('{source}', source).replace('{externalId}', id)),
    )
  const paths = listed.map(({ id }) => template.replace('{id}', id))
  if (!names.includes('commentId')) return paths
  const below = await Promise.all(
    paths.map(async (path) => {
      const comments = await objectsOf(reader, tenant, path.slice(0, path.indexOf('/{')), operation)
      return comments.map(({ id }) => path.replace('{commentId}', id))
    }),
  )
  return below.flat()
}

type Listed = {
  readonly id: string
  readonly externalIds?: readonly { readonly source: string; readonly id: string }[]
}

async function objectsOf(
  reader: Reader,
  tenant: Tenant,
  path: string,
  operation: Operation,
): Promise<readonly Listed[]> {
  const list = operations.find((each) => methodOf(each) === 'GET' && path.endsWith(pathOf(each)))
  const { status, body } = await readerOf(
    reader,
    tenant,
    operation,
  )(`${path}?${list === undefined ? '' : defaultQuery(list)}`)
  return status === 200 ? body.data : []
}
