// The starter files, as somebody takes them home: downloaded, unpacked and run, each sample, against the product.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { requestsIn } from '../support/http-file.ts'
import { run, type Env } from '../support/run-program.ts'
import { freePort } from '../support/servers/server.ts'
import { languages, unpackStarter, type Starter } from '../support/unpack-starter.ts'
import { describeMode, must, startSystem, type System, type Tenant } from '../support/system.ts'
import { startWebhookReceiver, webhookReceivers } from '../support/webhook-receivers.ts'

/** Answers each call with the next of these answers, and further calls with the last. */
async function standIn(answers: readonly { status: number; headers?: Env; body: unknown }[]) {
  let calls = 0
  const server: Server = createServer((_request, response) => {
    const { status, headers, body } = answers[Math.min(calls++, answers.length - 1)] ?? { status: 500, body: null }
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: () => calls,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

describeMode('the starter files', 'standalone', (mode) => {
  let system: System
  let tenant: Tenant
  let starter: Starter
  let folder: string
  let env: Env
  beforeAll(async () => {
    system = await startSystem(mode)
    tenant = await system.tenant()
    starter = await unpackStarter(system.url, tenant.secret)
    ;({ folder, env } = starter)
  })
  afterAll(async () => {
    await system?.[Symbol.asyncDispose]()
    starter?.remove()
  })

  test('they contain the address that they were downloaded from', () => {
    expect(env['WORKSPACE_API_URL']).toBe(system.url)
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toContain(system.url)
  })

  test('the curl sample creates, reads, updates and deletes a project', async () => {
    const { code, output } = await run(folder, join(folder, 'curl/quickstart.sh'), [], env)

    expect([code, output]).toEqual([0, expect.stringMatching(/"version":1[^]*"status":"active"[^]*Done\.\n$/)])
    expect(await tenant.eventTypesAfter(0)).toEqual(
      expect.arrayContaining(['projects.created', 'projects.updated', 'projects.deleted']),
    )
  })

  test('the curl sample prints the reason of a refusal and fails', async () => {
    const { code, output } = await run(folder, 'bash', ['curl/quickstart.sh'], { ...env, WORKSPACE_API_KEY: 'wrong' })

    expect(code).not.toBe(0)
    expect(output).toContain('invalid_api_key')
  })

  test('every request of requests.http is answered with success', async () => {
    const requests = requestsIn(readFileSync(join(folder, 'requests.http'), 'utf8'), env)

    const answers = await Promise.all(requests.map(({ url, ...request }) => fetch(url, request)))

    expect(requests.length).toBeGreaterThan(5)
    const statuses = answers.map(({ status }, at) => [requests[at]?.name, status])
    for (const [name, status] of statuses) expect([name, Math.floor(Number(status) / 100)]).toEqual([name, 2])
  })

  test.each(languages)(
    '$name keeps a copy: all at first, then changes and deletions',
    async ({ name, program, sync }) => {
      const owner = await system.tenant()
      const own = { ...env, WORKSPACE_API_KEY: owner.secret, COPY_FILE: `${name}.json` }
      const projects = await Promise.all(
        ['One', 'Two', 'Three'].map(async (title) =>
          must(await owner.api('POST', '/api/v1/projects', { name: title })),
        ),
      )
      const runSync = async () => (await run(folder, program, sync, own)).output

      const first = await runSync()
      await owner.api('PATCH', `/api/v1/projects/${projects[0].id}`, { name: 'Renamed' })
      await owner.api('DELETE', `/api/v1/projects/${projects[1].id}`)
      const second = await runSync()
      const third = await runSync()

      expect(first).toContain('3 changed, 0 deleted, 3 objects')
      expect(second).toContain('1 changed, 1 deleted, 2 objects')
      expect(third).toContain('0 changed, 0 deleted, 2 objects')
      const copy = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
      const names = Object.values(copy.projects.objects as Record<string, { name: string }>).map(
        (project) => project.name,
      )
      expect(names.toSorted()).toEqual(['Renamed', 'Three'])
    },
  )

  test.each(languages)('$name retries after 429 and 503, and reads every page', async ({ program, sync }) => {
    const updatedAt = (n: number) => `2026-01-0${n}T00:00:00.000Z`
    const item = (n: number) => ({ id: `p${n}`, name: 'P', version: 1, updatedAt: updatedAt(n), deletedAt: null })
    const problem = { code: 'rate_limited', status: 429, detail: 'Too many.', requestId: 'r' }
    await using api = await standIn([
      { status: 429, headers: { 'retry-after': '0' }, body: problem },
      { status: 503, headers: { 'retry-after': '0' }, body: '<html>' },
      { status: 200, body: { data: [item(1)], page: { nextCursor: 'next', hasMore: true } } },
      { status: 200, body: { data: [item(2)], page: { nextCursor: null, hasMore: false } } },
      { status: 200, body: { data: [], page: { nextCursor: null, hasMore: false } } },
    ])
    const own = { ...env, WORKSPACE_API_URL: api.url, COPY_FILE: `${program === 'python3'}-pages.json` }

    const { code, output } = await run(folder, program, sync, own)

    expect([code, output]).toEqual([0, expect.stringContaining('2 changed, 0 deleted, 2 objects')])
    // Two refusals and two pages; then each of the other collections, and the projects once more.
    expect(api.calls()).toBe(4 + 3 + 1)
  })

  test.each(languages)('$name prints the reason of a refusal and fails', async ({ program, sync }) => {
    const { code, output } = await run(folder, program, sync, { ...env, WORKSPACE_API_KEY: 'wsk_wrong' })

    expect(code).not.toBe(0)
    expect(output).toContain('401 invalid_api_key')
  })

  // That each receiver verifies, and so on, is seen in test/clients/webhook-receivers.test.ts.
  test.each(webhookReceivers.filter(({ name }) => ['Node', 'Express', 'Python', 'Go'].includes(name)))(
    'the receiver for $name works off an event once, also when it is replayed',
    async (each) => {
      let webhookId = ''
      await using receiver = await startWebhookReceiver(folder, each, async (url) => {
        const webhook = { name: 'Starter', url, eventTypes: ['projects.*'] }
        const { id, secret } = must(await tenant.api('POST', '/api/v1/webhooks', webhook))
        webhookId = id
        return secret
      })

      const project = must(await tenant.api('POST', '/api/v1/projects', { name: each.name }))
      const delivered = await eventually(async () => {
        const { data } = must(await tenant.api('GET', `/api/v1/deliveries?webhookId=${webhookId}&status=delivered`))
        return data[0]
      }, 'a delivery')
      must(await tenant.api('POST', `/api/v1/deliveries/${delivered.id}/replay`))
      await eventually(async () => {
        const now = must(await tenant.api('GET', `/api/v1/deliveries/${delivered.id}`))
        return now.status === 'delivered' && now.attemptCount === 2
      }, 'the same delivery again')
      must(await tenant.api('PATCH', `/api/v1/projects/${project.id}`, { name: 'Renamed' }))
      await eventually(() => receiver.output().includes('projects.updated'), 'the next event')
      must(await tenant.api('DELETE', `/api/v1/webhooks/${webhookId}`))

      const lines = Array.from(
        receiver.output().matchAll(/^projects\.(\w+) (\S+) \(number \d+\)$/gm),
        ([, what, id]) => [what, id],
      )
      expect(lines).toEqual([
        ['created', project.id],
        ['updated', project.id],
      ])
    },
  )

  test('following the README the secret exists before the receiver starts', async () => {
    const commands = Array.from(
      readFileSync(join(folder, 'README.md'), 'utf8').matchAll(/^ {3}```sh\n([^]*?)^ {3}```/gm),
    )
    const blocks = commands.map(([, block = '']) => block.replaceAll(/^ {3}/gm, ''))
    const port = await freePort()
    const last = (blocks.at(-1) ?? '').replaceAll('9000', String(port))
    const before = last.slice(0, last.indexOf('node '))
    const copied =
      'cp .env.example .env && sed -i "s/^WORKSPACE_API_KEY=.*/WORKSPACE_API_KEY=$KEY/" .env; set -a; . ./.env; set +a'

    const { code, output } = await run(folder, 'bash', ['-euc', `${copied}\n${before}\necho "$WEBHOOK_SECRET"`], {
      KEY: tenant.secret,
    })

    expect(last).toMatch(/register-webhook\.sh[^]*webhook-receiver/)
    expect([code, output]).toEqual([0, expect.stringMatching(/^whsec_\S+\n$/)])
    const { data } = must(await tenant.api('GET', '/api/v1/webhooks'))
    expect(data.map(({ url }: { url: string }) => url)).toContain(`http://127.0.0.1:${port}/`)
  })

  test('a URL that cannot be registered is refused with the reason, and writes no secret', async () => {
    const { code, output } = await run(folder, 'bash', ['curl/register-webhook.sh', 'ftp://nowhere'], env)

    expect(code).not.toBe(0)
    expect(output).toContain('validation_failed')
    expect(output).not.toContain('WEBHOOK_SECRET')
  })

  test.each([
    ['20.20.2', false],
    ['22.17.1', false],
    ['23.5.0', false],
    ['22.18.0', true],
    ['24.0.0', true],
  ])('on Node %s the samples in TypeScript start, or say in one sentence what they need', async (version, starts) => {
    const older = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`
    const args = ['--import', older, 'typescript/run.js', 'sync']

    const { code, output } = await run(folder, process.execPath, args, { ...env, COPY_FILE: `node-${version}.json` })

    const sentence = `The samples need Node 24 or newer (22.18 will do), and this is Node ${version}.\n`
    expect(code).toBe(starts ? 0 : 1)
    if (!starts) expect(output).toBe(sentence)
  })

  test('an unknown sample is answered with the names of the samples', async () => {
    const { code, output } = await run(folder, process.execPath, ['typescript/run.js', 'nothing'], env)

    expect([code, output]).toEqual([
      1,
      'Say which sample to start: node run.js sync | webhook-receiver | express-receiver | fastify-receiver\n',
    ])
  })

  test('every MCP configuration reaches the tools, with the key from the environment', async () => {
    for (const file of ['claude-code/.mcp.json', 'cursor/mcp.json', 'vscode/mcp.json']) {
      const config = JSON.parse(readFileSync(join(folder, 'mcp', file), 'utf8'))
      const { url, headers } = (config.mcpServers ?? config.servers)['workspace-api']
      const authorization = headers.Authorization.replace(/\$\{[^}]+\}/, tenant.secret)

      const answer = await fetch(url, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      })

      expect(headers.Authorization).toMatch(/^Bearer \$\{(?:env:|input:)?[\w-]+\}$/)
      expect([file, answer.status, await answer.text()]).toEqual([file, 200, expect.stringContaining('projects.list')])
    }
  })
})
