// The collections of requests, as they are downloaded: read by the packages of those that made the formats, and sent.
import { createRequire } from 'node:module'
import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, test } from 'vitest'
import { operations, transfers } from '#contract/api.ts'
import { methodOf } from '#contract/operation.ts'
import { pathFor, publicPaths } from '#contract/route-paths.ts'
import { foreign, lacksForeign } from '../support/foreign.ts'
import { requestsIn } from '../support/http-file.ts'
import { sharedSystem, type Tenant } from '../support/system.ts'
import { unzipped } from '../support/zip.ts'

// Neither has types.
const load = createRequire(import.meta.url)
const postman = await foreign(async () => load('postman-collection') as PostmanCollection)
const bruno = await foreign(async () => load('@usebruno/lang') as BrunoLanguage)

type Switched = { readonly key: string; readonly value: string; readonly disabled?: boolean }
type SwitchedList = { readonly all: () => readonly Switched[] }
type PostmanRequest = {
  readonly method: string
  readonly url: { readonly query: SwitchedList; readonly getPath: () => string }
  readonly headers: SwitchedList
  readonly body?: { readonly raw?: string }
}
type PostmanItem = { readonly name: string; readonly request: PostmanRequest }
type PostmanCollection = {
  readonly Collection: new (json: unknown) => {
    readonly variables: { readonly toObject: () => Record<string, string> }
    readonly auth: { readonly parameters: () => { readonly get: (name: string) => string } }
    readonly forEachItem: (each: (item: PostmanItem) => void) => void
  }
}
type BrunoRequest = {
  readonly meta: { readonly name: string }
  readonly http: { readonly method: string; readonly url: string; readonly body: string }
  readonly params?: readonly Switch[]
  readonly headers?: readonly Switch[]
  readonly body?: Readonly<Record<string, string>>
}
type BrunoLanguage = {
  readonly bruToJsonV2: (text: string) => BrunoRequest
  readonly bruToEnvJsonV2: (text: string) => { readonly variables: readonly { name: string; value: string }[] }
  readonly collectionBruToJson: (text: string) => {
    readonly auth: { readonly bearer: { readonly token: string } }
    readonly script: { readonly req: string }
  }
}

/** Without what is switched off, and with the key filled in. */
type Sent = {
  readonly title: string
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
type Switch = { readonly name: string; readonly value: string; readonly enabled: boolean; readonly type?: string }

const ofApi = [...operations, ...transfers.map(({ asked }) => asked)].filter(({ audiences }) =>
  audiences.includes('api'),
)

describe.skipIf(lacksForeign)('the collections of requests', () => {
  const { system, tenant } = sharedSystem('standalone')
  let texts: { readonly postman: string; readonly bruno: Files; readonly http: string }
  const collections: Record<'postman' | 'bruno' | 'http', Sent[]> = { postman: [], bruno: [], http: [] }
  beforeAll(async () => {
    const get = async (path: string) => (await fetch(system.url + path)).arrayBuffer()
    texts = {
      postman: Buffer.from(await get(publicPaths.postman)).toString(),
      bruno: unzipped(Buffer.from(await get(publicPaths.bruno))),
      http: Buffer.from(await get(publicPaths.http)).toString(),
    }
    collections.postman = inPostman(texts.postman, tenant)
    collections.bruno = inBruno(texts.bruno, tenant)
    collections.http = inHttpFile(texts.http, tenant)
  })

  test('have each operation once, under its title, at its path, with the key', () => {
    const expected = ofApi.map((operation) => {
      const path = pathFor(operation, 'api')
      const pattern = path.replaceAll(/\{\w+\}/g, () => '[^/?]+')
      return {
        key: `${methodOf(operation)} ${operation.summary}`,
        pattern: new RegExp(`^${system.url}${pattern}(\\?|$)`),
      }
    })
    for (const sent of Object.values(collections)) {
      expect(sent.map(({ method, title }) => `${method} ${title}`).toSorted()).toEqual(
        expected.map(({ key }) => key).toSorted(),
      )
      for (const { key, pattern } of expected)
        expect(sent.find(({ method, title }) => `${method} ${title}` === key)?.url, key).toMatch(pattern)
      for (const { headers } of sent) expect(headers['authorization']).toBe(`Bearer ${tenant.secret}`)
    }
  })

  test('send the same in all three forms', () => {
    expect(collections.postman.length).toBeGreaterThan(100)
    expect(collections.bruno).toEqual(collections.postman)
    expect(collections.http).toEqual(collections.postman)
  })

  test('are taken as they are: only what an example names need not be there', async () => {
    const refused: string[] = []
    for (const { method, url, headers, body } of collections.http) {
      const answer = await fetch(url, { method, headers, ...(body !== '' && { body }) })
      const { code = '' } = answer.ok ? {} : ((await answer.json()) as { code?: string })
      if (!answer.ok && !explained.has(code)) refused.push(`${method} ${url}: ${answer.status} ${code}`)
      else if (answer.ok) await answer.arrayBuffer()
    }
    expect(refused).toEqual([])
  })

  test('name a workspace where one is set, and none where not', () => {
    const { event } = JSON.parse(texts.postman) as { event: readonly { script: { exec: readonly string[] } }[] }
    const { script } = bruno.collectionBruToJson(fileIn(texts.bruno, 'collection.bru'))
    const headersWith = (workspaceId: string) => {
      const [ofPostman, ofBruno]: Record<string, string>[] = [{}, {}]
      const pm = {
        variables: { get: () => workspaceId },
        request: { headers: { upsert: ({ key, value }: Switched) => Object.assign(ofPostman!, { [key]: value }) } },
      }
      runInNewContext(event.flatMap((each) => each.script.exec).join('\n'), { pm })
      const req = { setHeader: (name: string, value: string) => Object.assign(ofBruno!, { [name]: value }) }
      runInNewContext(script.req, { bru: { getEnvVar: () => workspaceId }, req })
      return [ofPostman, ofBruno]
    }
    const [named] = inHttpFile(texts.http.replaceAll('# x-workspace-id', 'x-workspace-id'), tenant)

    expect(headersWith('w-1')).toEqual([{ 'x-workspace-id': 'w-1' }, { 'x-workspace-id': 'w-1' }])
    expect(headersWith('')).toEqual([{}, {}])
    expect(named?.headers['x-workspace-id']).toMatch(/^[0-]{36}$/)
    expect(collections.http[0]?.headers).not.toHaveProperty('x-workspace-id')
  })
})

/** Of examples of objects that were never made; of a workspace that is no sandbox. */
const explained = new Set(['not_found', 'reference_not_found', 'batch_failed', 'invalid_transition', 'sandbox_only'])

function inPostman(text: string, { secret }: Tenant): Sent[] {
  const collection = new postman.Collection(JSON.parse(text))
  const variables = { ...collection.variables.toObject(), key: secret }
  const token = collection.auth.parameters().get('token')
  const sent: Sent[] = []
  collection.forEachItem(({ name, request }) => {
    const { method, url, body } = request
    const query = url.query.all().filter(isOn)
    const path = filled(`{{baseUrl}}${url.getPath()}`, variables)
    const headers = request.headers.all().filter(isOn)
    sent.push({
      title: name,
      method,
      url: path + (query.length === 0 ? '' : `?${query.map(({ key, value }) => `${key}=${value}`).join('&')}`),
      headers: lowerCase([
        ['authorization', filled(`Bearer ${token}`, variables)],
        ...headers.map(({ key, value }): [string, string] => [key, value]),
      ]),
      body: body?.raw?.trimEnd() ?? '',
    })
  })
  return sent
}

const isOn = ({ disabled }: Switched): boolean => disabled !== true

type Files = ReturnType<typeof unzipped>
const fileIn = (files: Files, path: string): string => String(files.find((each) => each.path === path)?.content)

function inBruno(unpacked: Files, { secret }: Tenant): Sent[] {
  const files = new Map(unpacked.map(({ path, content }) => [path, content.toString()]))
  const environment = bruno.bruToEnvJsonV2(files.get('environments/installation.bru') ?? '')
  const collection = bruno.collectionBruToJson(files.get('collection.bru') ?? '')
  const variables = Object.fromEntries(
    environment.variables.map(({ name, value }) => [name, name === 'key' ? secret : value]),
  )
  const folders = [...files.keys()].filter((path) => path.endsWith('/folder.bru'))
  const seq = (path: string): number => Number(/seq: (\d+)/.exec(files.get(path) ?? '')?.[1])
  const inOrder = folders
    .toSorted((a, b) => seq(a) - seq(b))
    .flatMap((folder) => {
      const own = [...files.keys()].filter((path) => path.startsWith(folder.replace('folder.bru', '')))
      return own.filter((path) => path !== folder).toSorted((a, b) => seq(a) - seq(b))
    })
  return inOrder.map((path) => {
    const { meta, http, params = [], headers = [], body = {} } = bruno.bruToJsonV2(files.get(path) ?? '')
    const ofPath = params.filter(({ type, enabled }) => type === 'path' && enabled)
    const url = ofPath.reduce((made, { name, value }) => made.replace(`:${name}`, value), http.url)
    return {
      title: meta.name,
      method: http.method.toUpperCase(),
      url: filled(url, variables),
      headers: lowerCase([
        ['authorization', filled(`Bearer ${collection.auth.bearer.token}`, variables)],
        ...(http.body === 'json' ? [['content-type', 'application/json'] as [string, string]] : []),
        ...headers.filter(({ enabled }) => enabled).map(({ name, value }): [string, string] => [name, value]),
      ]),
      body: (body[http.body] ?? '').trimEnd(),
    }
  })
}

const inHttpFile = (text: string, { secret }: Tenant): Sent[] =>
  requestsIn(text, { WORKSPACE_API_KEY: secret }).map(({ name, method, url, headers, body = '' }) => ({
    title: name.replace(/^[\w-]+: /, ''),
    method,
    url,
    headers: lowerCase(Object.entries(headers)),
    body,
  }))

const filled = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => variables[name] ?? whole)
const lowerCase = (headers: readonly [string, string][]): Record<string, string> =>
  Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]))
