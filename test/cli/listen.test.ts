// `listen` of the package: what a receiver on this machine gets is what a webhook of the installation sends it.
import { readFileSync, rmSync, mkdtempSync, statSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { verifyWebhook } from '#clients/typescript/src/index.ts'
import { ownHeaders } from '#contract/webhook-headers.ts'
import { eventually } from '../support/eventually.ts'
import { foreign, lacksForeign } from '../support/foreign.ts'
import { startReceiver } from '../support/receiver.ts'
import { describeOnce, must, sharedSystem } from '../support/system.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'
import { start, workspace } from './packaged.ts'

const { Webhook: SvixWebhook } = await foreign(() => import('svix'))
const { default: Stripe } = await foreign(() => import('stripe'))

const scratch = mkdtempSync(join(tmpdir(), 'wia-listen-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const secret = `whsec_${Buffer.from('a secret of thirty-two bytes, so').toString('base64')}`
const withoutTimes = (headers: IncomingHttpHeaders): string[] =>
  Object.keys(headers)
    .filter((name) => /^(?:webhook-|x-|content-type|user-agent|traceparent)/.test(name))
    .toSorted()

describeOnce('listening', (mode) => {
  const { system, tenant } = sharedSystem(mode)
  const env = (more: Record<string, string> = {}) => ({
    WORKSPACE_API_URL: system.url,
    WORKSPACE_API_KEY: tenant.secret,
    WEBHOOK_SECRET: secret,
    ...more,
  })
  async function listening(words: readonly string[], more?: Record<string, string>) {
    const started = await start(['listen', '--brand', system.settings.brand, ...words], { env: env(more) })
    onTestFinished(() => void started.child.kill('SIGKILL'))
    await eventually(() => started.said.stderr.includes('Listening to'), 'it to listen', 20_000)
    return started
  }

  test('a receiver gets the bytes and the headers that a webhook sends, and every library verifies them', async () => {
    await using hook = await startReceiver()
    await using local = await startReceiver()
    must(await tenant.api('POST', '/api/v1/webhooks', { name: 'R', url: hook.url, eventTypes: ['projects.*'] }))
    const { said, child, ended } = await listening(['--forward-to', local.url, '--events', 'projects.*'])

    must(await tenant.api('POST', '/api/v1/projects', { name: 'Ünlike ✓', description: '1e21 <b> \u2028' }))
    const [sent] = await hook.count(1, 20_000)
    const [posted] = await local.count(1, 20_000)
    await eventually(() => said.stdout.includes('projects.created'), 'its line')
    child.kill('SIGINT')

    const { headers, body } = posted!
    const names = ownHeaders(system.settings.brand)
    expect(body.equals(sent!.body)).toBe(true)
    expect(withoutTimes(headers)).toEqual(withoutTimes(sent!.headers))
    expect([headers['user-agent'], headers[names.event]]).toEqual([sent!.headers['user-agent'], 'projects.created'])
    const given = headers as Record<string, string>
    const text = body.toString()
    expect(new Webhook(secret).verify(text, given)).toMatchObject({ type: 'projects.created' })
    for (const scheme of ['standard', 'own'] as const)
      expect(await verifyWebhook(body, given, { secret, scheme, brand: system.settings.brand })).toMatchObject({
        id: headers['webhook-id'],
      })
    if (!lacksForeign) {
      expect(new SvixWebhook(secret).verify(text, given)).toMatchObject({ type: 'projects.created' })
      const stripe = new Stripe('sk_test')
      expect(stripe.webhooks.constructEvent(text, given[names.signature] ?? '', secret)).toMatchObject({
        object: 'event',
      })
    }
    expect(said.stdout).toMatch(/^\S+Z {2}projects\.created {2}\d+ {2}\S+ {2}200 in \d+ ms$/m)
    expect(await ended).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/Secret: as given[^]*1 accepted, 0 failed\.\n$/),
    })
  })

  test('a failure is shown and not repeated, and what comes next is posted', async () => {
    await using local = await startReceiver([500, 302, 204])
    const { said, child, ended } = await listening(['--forward-to', local.url, '--events', 'tasks.*', '--json'])
    const { id } = must(await tenant.api('POST', '/api/v1/projects', { name: 'Failing' }))

    for (const title of ['One', 'Two', 'Three'])
      must(await tenant.api('POST', '/api/v1/tasks', { projectId: id, title }))
    await eventually(() => said.stdout.split('\n').length > 3, 'three lines', 20_000)
    child.kill('SIGTERM')

    expect(local.calls.map(({ status }) => status)).toEqual([500, 302, 204])
    const lines = said.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.map(({ status, isAccepted }) => [status, isAccepted])).toEqual([
      [500, false],
      [302, false],
      [204, true],
    ])
    expect(await ended).toMatchObject({ code: 0, stderr: expect.stringContaining('1 accepted, 2 failed.') })
  })

  test('it goes on where it was when the installation has been away', async () => {
    await using proxy = await startTcpProxy(system.url)
    await using local = await startReceiver()
    const url = proxy.url.replace(/\/$/, '')
    const { said } = await listening(['--forward-to', local.url, '--events', 'projects.*'], { WORKSPACE_API_URL: url })

    proxy.refuse()
    must(await tenant.api('POST', '/api/v1/projects', { name: 'Meanwhile' }))
    await eventually(() => said.stderr.includes(`${url} does not answer. Trying again.`), 'that it is away', 20_000)
    proxy.accept()

    await local.count(1, 30_000)
    expect(said.stderr).toContain('Connected again.')
  })

  test('a receiver that is not there is said in words, and a secret is kept in a file of its own', async () => {
    const file = join(scratch, 'secret')
    const words = ['--forward-to', 'http://127.0.0.1:1/', '--events', 'projects.*', '--secret-file', file]
    const { said } = await listening(words)

    must(await tenant.api('POST', '/api/v1/projects', { name: 'Nobody' }))
    await eventually(() => said.stdout.includes('failed: '), 'the failure', 20_000)
    const kept = readFileSync(file, 'utf8').trim()

    expect(said.stderr).toContain(`Secret: ${kept}\n`)
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
  })

  test.each<[string[], Record<string, string>, number, string]>([
    [[], {}, 2, 'listen needs --forward-to.'],
    [['--forward-to', 'localhost:3000'], {}, 2, '--forward-to must be an address'],
    [['--forward-to', 'http://127.0.0.1:1', '--after', 'x'], {}, 2, '--after takes a number'],
    [['--forward-to', 'http://127.0.0.1:1'], { WEBHOOK_SECRET: 'short' }, 2, 'WEBHOOK_SECRET has no secret'],
    [['--forward-to', 'http://127.0.0.1:1', '--events', 'nothing.*'], {}, 1, 'eventTypes'],
    [['--forward-to', 'http://127.0.0.1:1'], { WORKSPACE_API_KEY: 'wsk_x' }, 1, 'invalid_api_key'],
  ])('%j with %j is told in words', async (words, more, code, said) => {
    expect(await workspace(['listen', ...words], { env: env(more) })).toMatchObject({
      code,
      stderr: expect.stringContaining(said),
    })
  })
})
