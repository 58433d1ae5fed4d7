// The starter files, as somebody takes them home: downloaded, unpacked and run, each sample, against the product. Of
// the samples that keep a copy, the copy is compared with a full read after each run.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { requestsIn } from '../support/http-file.ts'
import { listening } from '../support/listening.ts'
import { run, type Env } from '../support/run-program.ts'
import { freePort } from '../support/servers/server.ts'
import { languages, unpackStarter, type Language, type Starter } from '../support/unpack-starter.ts'
import { describeMode, must, sharedSystem, type Answer, type Tenant } from '../support/system.ts'
import { startWebhookReceiver, webhookReceivers } from '../support/webhook-receivers.ts'

type Body = Answer['body']
type ById = Record<string, Body>
/** `POST /projects as a` makes one that is called a from then on; `{a}` stands for its id. */
type Call = readonly [to: string, body?: object]

const collections = ['projects', 'tasks', 'crm-entities', 'documents', 'comments'] as const
const everything = (collection: string): string =>
  ['projects', 'documents'].includes(collection) ? '&includeArchived=true' : ''
/** A copy keeps the comments on deleted objects, which `includeDeleted` shows beside those that are deleted. */
const withHidden = (collection: string): string => (collection === 'comments' ? '&includeDeleted=true' : '')

const create: readonly Call[] = [
  ['POST /projects as a', { name: 'A', key: 'AAA' }],
  ['POST /projects as b', { name: 'B', key: 'BBB' }],
  ['POST /tasks as one', { projectId: '{a}', title: 'One' }],
  ['POST /tasks as two', { projectId: '{a}', title: 'Two' }],
  ['POST /tasks as three', { projectId: '{a}', title: 'Three' }],
  ['POST /crm-entities as initech', { kind: 'company', name: 'Initech' }],
  ['POST /crm-entities as initrode', { kind: 'company', name: 'Initrode' }],
  ['POST /documents as manual', { title: 'Manual', content: 'x', projectId: '{a}' }],
  ['POST /documents as offer', { title: 'Offer', content: 'x', crmEntityId: '{initrode}' }],
  ['POST /crm-entities as deal', { kind: 'deal', name: 'Deal', companyId: '{initrode}' }],
  ['PATCH /tasks/{one}', { crmEntityIds: ['{initrode}'], blockedByIds: ['{two}'] }],
  ['PATCH /projects/{b}', { companyId: '{initrode}' }],
  ['POST /comments as onThree', { taskId: '{three}', body: 'On a task' }],
  ['POST /comments as onA', { projectId: '{a}', body: 'On a project' }],
  ['POST /comments as onInitrode', { crmEntityId: '{initrode}', body: 'On a company' }],
]
const archive: readonly Call[] = [
  ['PATCH /documents/{offer}', { status: 'published' }],
  ['PATCH /documents/{offer}', { status: 'archived' }],
  ['POST /projects/{b}/archive'],
]
const stages: Readonly<Record<string, readonly Call[]>> = {
  create,
  change: [
    ['PATCH /projects/{a}', { name: 'A, changed' }],
    ['PATCH /tasks/{one}', { status: 'done' }],
    ['PATCH /crm-entities/{initech}', { industry: 'Software' }],
    ['PATCH /documents/{manual}', { content: 'changed' }],
    ['PATCH /comments/{onThree}', { body: 'Changed' }],
  ],
  'a new key': [['PATCH /projects/{a}', { key: 'ABA' }]],
  move: [['PATCH /tasks/{two}', { projectId: '{b}' }]],
  'move of a document': [['PATCH /documents/{manual}', { projectId: '{b}' }]],
  archive,
  merge: [['POST /crm-entities/{initech}/merge', { sourceId: '{initrode}' }]],
  'taking back from the archive': [['POST /projects/{b}/unarchive'], ['PATCH /documents/{offer}', { status: 'draft' }]],
  delete: [
    ['DELETE /tasks/{three}'],
    ['DELETE /crm-entities/{deal}'],
    ['DELETE /documents/{offer}'],
    ['DELETE /comments/{onA}'],
  ],
  restore: [
    ['POST /tasks/{three}/restore'],
    ['POST /crm-entities/{deal}/restore'],
    ['POST /documents/{offer}/restore'],
    ['POST /comments/{onA}/restore'],
  ],
  'delete of a task and then of its project': [['DELETE /tasks/{three}'], ['DELETE /projects/{a}']],
  'restore of the project': [['POST /projects/{a}/restore']],
  'delete, new key and restore between two runs': [
    ['PATCH /tasks/{two}', { title: 'Last' }],
    ['DELETE /projects/{b}'],
    ['POST /projects/{b}/restore'],
    ['PATCH /projects/{b}', { key: 'BAB' }],
  ],
}

/** The integrator of one workspace, who remembers the ids of what was made. */
function integrator(tenant: Tenant) {
  const ids: Record<string, string> = {}
  const withIds = (text: string): string => text.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? name)
  const call = async (to: string, body?: object): Promise<Body> => {
    const [method = '', path = '', , name] = withIds(to).split(' ')
    const sent = body === undefined ? undefined : JSON.parse(withIds(JSON.stringify(body)))
    const answer = must(await tenant.api(method, `/api/v1${path}`, sent))
    if (name !== undefined) ids[name] = answer.id
    return answer
  }
  const act = async (calls: readonly Call[]): Promise<void> => {
    for (const [to, body] of calls) await call(to, body)
  }
  /** All objects by their ids, of each collection. */
  const fullRead = async (): Promise<Record<string, ById>> => {
    const read = async (collection: string): Promise<[string, ById]> => {
      const { data } = await call(`GET /${collection}?limit=200${everything(collection)}${withHidden(collection)}`)
      const shown = data.filter((each: Body) => each.deletedAt === null)
      return [collection, Object.fromEntries(shown.map((each: Body) => [each.id, each]))]
    }
    return Object.fromEntries(await Promise.all(collections.map(read)))
  }
  return { ids, act, fullRead }
}

describeMode('the starter files', 'standalone', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  let starter: Starter
  let folder: string
  let env: Env
  beforeAll(async () => {
    starter = await unpackStarter(system.url, tenant.secret)
    ;({ folder, env } = starter)
  })
  afterAll(() => starter?.remove())

  test('the curl sample creates, reads, updates and deletes a project', async () => {
    const { code, output } = await run(folder, join(folder, 'curl/quickstart.sh'), [], env)

    expect([code, output]).toEqual([0, expect.stringMatching(/"version":1[^]*"status":"active"[^]*Done\.\n$/)])
    expect(await tenant.eventTypesAfter(0)).toEqual(
      expect.arrayContaining(['projects.created', 'projects.updated', 'projects.deleted']),
    )
  })

  test('every request of requests.http is answered with success, at the address that the files were downloaded from', async () => {
    const requests = requestsIn(readFileSync(join(folder, 'requests.http'), 'utf8'), env)

    const answers = await Promise.all(requests.map(({ url, ...request }) => fetch(url, request)))

    expect(env['WORKSPACE_API_URL']).toBe(system.url)
    expect(requests.length).toBeGreaterThan(5)
    const statuses = answers.map(({ status }, at) => [requests[at]?.name, status])
    for (const [name, status] of statuses) expect([name, Math.floor(Number(status) / 100)]).toEqual([name, 2])
  })

  test.each(languages)('$name retries after 429 and 503, and reads every page', async ({ program, sync }) => {
    const updatedAt = (n: number) => `2026-01-0${n}T00:00:00.000Z`
    const item = (n: number) => ({ id: `p${n}`, name: 'P', version: 1, updatedAt: updatedAt(n), deletedAt: null })
    const problem = { code: 'rate_limited', status: 429, detail: 'Too many.', requestId: 'r' }
    const empty = { data: [], page: { nextCursor: null, hasMore: false } }
    const answers = [
      { status: 429, body: problem },
      { status: 503, body: '<html>' },
      { status: 200, body: { data: [item(1)], page: { nextCursor: 'next', hasMore: true } } },
      { status: 200, body: { ...empty, data: [item(2)] } },
    ]
    let calls = 0
    await using api = await listening((_request, response) => {
      const { status, body } = answers[calls++] ?? { status: 200, body: empty }
      response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' }).end(JSON.stringify(body))
    })
    const own = { ...env, WORKSPACE_API_URL: api.url, COPY_FILE: `${program === 'python3'}-pages.json` }

    const { code, output } = await run(folder, program, sync, own)

    expect([code, output]).toEqual([0, expect.stringContaining('2 changed, 0 deleted, 2 objects')])
    // Two refusals and two pages; then each of the other collections, and the projects once more.
    expect(calls).toBe(4 + 4 + 1)
  })

  // That each receiver verifies, and so on, is seen in test/clients/webhook-receivers.test.ts.
  test('a receiver works off an event once, also when it is replayed', async () => {
    let webhookId = ''
    await using receiver = await startWebhookReceiver(folder, webhookReceivers[0]!, async (url) => {
      const webhook = { name: 'Starter', url, eventTypes: ['projects.*'] }
      const { id, secret } = must(await tenant.api('POST', '/api/v1/webhooks', webhook))
      webhookId = id
      return secret
    })
    const get = async (path: string) => must(await tenant.api('GET', `/api/v1/deliveries${path}`))

    const project = must(await tenant.api('POST', '/api/v1/projects', { name: 'Once' }))
    const first = async () => (await get(`?webhookId=${webhookId}&status=delivered`)).data[0]
    const { id } = await eventually(first, 'a delivery')
    must(await tenant.api('POST', `/api/v1/deliveries/${id}/replay`))
    await eventually(async () => (await get(`/${id}`)).attemptCount === 2, 'the same delivery again')
    must(await tenant.api('PATCH', `/api/v1/projects/${project.id}`, { name: 'Renamed' }))
    await eventually(() => receiver.output().includes('projects.updated'), 'the next event')
    must(await tenant.api('DELETE', `/api/v1/webhooks/${webhookId}`))

    const lines = receiver.output().match(/^projects\.\w+ \S+(?= \(number \d+\)$)/gm)
    expect(lines).toEqual([`projects.created ${project.id}`, `projects.updated ${project.id}`])
  })

  test('following the README the secret exists before the receiver starts', async () => {
    const readme = readFileSync(join(folder, 'README.md'), 'utf8')
    const [, block = ''] = [...readme.matchAll(/^ {3}```sh\n([^]*?)^ {3}```/gm)].at(-1) ?? []
    const port = await freePort()
    const last = block.replaceAll(/^ {3}/gm, '').replaceAll('9000', String(port))
    const before = last.slice(0, last.indexOf('node '))
    const copied =
      'cp .env.example .env && sed -i "s/^WORKSPACE_API_KEY=.*/WORKSPACE_API_KEY=$KEY/" .env; set -a; . ./.env; set +a'

    const script = `${copied}\n${before}\necho "$WEBHOOK_SECRET"`
    const { code, output } = await run(folder, 'bash', ['-euc', script], { KEY: tenant.secret })

    expect(readme).toContain(system.url)
    expect(last).toMatch(/register-webhook\.sh[^]*webhook-receiver/)
    expect([code, output]).toEqual([0, expect.stringMatching(/^whsec_\S+\n$/)])
    const { data } = must(await tenant.api('GET', '/api/v1/webhooks'))
    expect(data.map(({ url }: { url: string }) => url)).toContain(`http://127.0.0.1:${port}/`)
  })

  const onNode = (version: string): string[] => [
    '--import',
    `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`,
    'typescript/run.js',
    'sync',
  ]

  test.each(['22.18.0', '24.0.0'])('on Node %s the samples in TypeScript start', async (version) => {
    const { code } = await run(folder, process.execPath, onNode(version), { ...env, COPY_FILE: `node-${version}.json` })

    expect(code).toBe(0)
  })

  const which = 'Say which sample to start: node run.js sync | webhook-receiver | express-receiver | fastify-receiver\n'
  const old = (version: string) => `The samples need Node 24 or newer (22.18 will do), and this is Node ${version}.\n`

  test.each<[string, readonly string[], RegExp | string, Env?]>([
    ['bash', ['curl/quickstart.sh'], /invalid_api_key/, { WORKSPACE_API_KEY: 'wrong' }],
    ['bash', ['curl/register-webhook.sh', 'ftp://nowhere'], /^(?![^]*WEBHOOK_SECRET)[^]*validation_failed/],
    ...languages.map(({ program, sync }): [string, readonly string[], RegExp, Env] => {
      return [program, sync, /401 invalid_api_key/, { WORKSPACE_API_KEY: 'wsk_wrong' }]
    }),
    [process.execPath, ['typescript/run.js', 'nothing'], which],
    ...['20.20.2', '22.17.1', '23.5.0'].map((version): [string, readonly string[], string] => {
      return [process.execPath, onNode(version), old(version)]
    }),
  ])('%s %j says why it cannot go on, and fails', async (program, args, expected, more = {}) => {
    const { code, output } = await run(folder, program, args, { ...env, ...more })

    expect(code).not.toBe(0)
    if (typeof expected === 'string') expect(output).toBe(expected)
    else expect(output).toMatch(expected)
  })

  test('every MCP configuration reaches the tools, with the key from the environment', async () => {
    for (const file of ['claude-code/.mcp.json', 'cursor/mcp.json', 'vscode/mcp.json']) {
      const config = JSON.parse(readFileSync(join(folder, 'mcp', file), 'utf8'))
      const { url, headers } = (config.mcpServers ?? config.servers)['workspace-api']
      const authorization = headers.Authorization.replace(/\$\{[^}]+\}/, tenant.secret)

      const sent = { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      const answer = await fetch(url, { method: 'POST', headers: sent, body })

      expect(headers.Authorization).toMatch(/^Bearer \$\{(?:env:|input:)?[\w-]+\}$/)
      expect([file, answer.status, await answer.text()]).toEqual([file, 200, expect.stringContaining('projects.list')])
    }
  })

  /** A run of the sample, what it says, and what its copy then holds. */
  const syncWith = ({ name, program, sync }: Language, secret: string, url = system.url) => {
    const file = `${name}-${crypto.randomUUID()}.json`
    const own = { ...env, WORKSPACE_API_URL: url, WORKSPACE_API_KEY: secret, COPY_FILE: file }
    return async (): Promise<{ said: string; copy: Record<string, ById> }> => {
      const { code, output } = await run(folder, program, sync, own)
      expect([code, output]).toEqual([0, expect.stringMatching(/\d+ changed, \d+ deleted, \d+ objects in /)])
      const parts = JSON.parse(readFileSync(join(folder, file), 'utf8'))
      const copy = Object.fromEntries(collections.map((collection) => [collection, parts[collection].objects]))
      return { said: output, copy }
    }
  }

  test.each(languages)(
    '$name: after every kind of change the copy is what a full read shows; a first one has archived objects and no deleted ones',
    async (language) => {
      const tenant = await system.tenant()
      const { ids, act, fullRead } = integrator(tenant)
      const sync = syncWith(language, tenant.secret)

      const said: Record<string, string> = {}
      for (const [name, calls] of Object.entries(stages)) {
        await act(calls)
        const synced = await sync()
        said[name] = synced.said
        expect([name, synced.copy]).toEqual([name, await fullRead()])
      }

      expect(said['create']).toContain('13 changed, 0 deleted, 13 objects')
      expect(said['change']).toContain('5 changed, 0 deleted, 13 objects')
      expect(said['delete']).toContain('0 changed, 4 deleted, 8 objects')
      expect((await sync()).said).toContain('0 changed, 0 deleted')
      await act(archive)
      const { copy } = await syncWith(language, tenant.secret)()
      expect(copy).toEqual(await fullRead())
      expect(copy['projects']?.[ids['b'] ?? ''].archivedAt).not.toBeNull()
      expect(copy['documents']?.[ids['offer'] ?? ''].status).toBe('archived')
      expect(Object.keys(copy['tasks'] ?? {})).not.toContain(ids['three'])
    },
    60_000,
  )

  test.each(languages)('$name: a project that is deleted while its tasks are read is not lost', async (language) => {
    const tenant = await system.tenant()
    const { ids, act, fullRead } = integrator(tenant)
    await act(create)
    const before: Record<string, readonly Call[]> = {}
    await using between = await standBetween(system.url, async (path) => {
      const calls = before[path] ?? []
      delete before[path]
      await act(calls)
    })
    const sync = syncWith(language, tenant.secret, between.url)
    await sync()
    await act([['PATCH /tasks/{one}', { title: 'Changed unseen' }]])
    before['/api/v1/tasks'] = [
      ['DELETE /projects/{a}'],
      ['POST /tasks', { projectId: '{b}', title: 'Moves the position on' }],
    ]
    before['/api/v1/crm-entities'] = [['POST /projects/{a}/restore']]

    const { copy } = await sync()

    expect(before).toEqual({})
    expect(copy['tasks']?.[ids['one'] ?? ''].title).toBe('Changed unseen')
    expect(copy).toEqual(await fullRead())
  })
})

/** Hands every call on, and lets something happen before. */
const standBetween = (url: string, before: (path: string) => Promise<void>) =>
  listening((request, response) => {
    const handOn = async () => {
      await before((request.url ?? '').split('?')[0] ?? '')
      const { authorization = '' } = request.headers
      const answer = await fetch(url + request.url, { headers: { authorization } })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    }
    handOn().catch((error: unknown) => response.writeHead(500).end(String(error)))
  })
