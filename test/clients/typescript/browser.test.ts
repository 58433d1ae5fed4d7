// The packed TypeScript client in a page. The page has no key: the server that it came from adds one to what it passes
// on to the product, as the README of the client asks of those who use it in a browser.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signedHeaders, signingKeys } from '#contract/internal/webhook-request.ts'
import { describeConsole, noteComplaints } from '../../console/support/open-console.ts'
import { listening } from '../../support/listening.ts'
import { chromiumBinary } from '../../support/servers/chromium.ts'
import { describeOnce, sharedSystem } from '../../support/system.ts'
import { buildPackage, pack, unpack } from './built-package.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const body = JSON.stringify({ type: 'tasks.created', sequence: 4, data: { title: 'Ä' } })
const unixSeconds = 1_800_000_000
const delivery = { deliveryId: 'd-1', eventType: 'tasks.created', traceparent: null, headers: {}, unixSeconds }
const headers = signedHeaders('acme', { ...delivery, body: Buffer.from(body) }, [signingKeys(secret)])

const program = `
import { createClient, isApiError, verifyWebhook } from 'workspace-integration-client'

async function story() {
  const api = createClient({ baseUrl: location.origin })
  const project = await api.projects.create({ name: 'Browser' })
  for (const title of ['A', 'B', 'C']) await api.tasks.create({ projectId: project.id, title })
  const titles = []
  for await (const { title } of api.tasks.list({ projectId: [project.id], sort: ['title'], limit: 1 })) titles.push(title)
  const error = await api.tasks.get({ id: 'NONE-1' }).catch((thrown) => thrown)
  const delivered = { body: ${JSON.stringify(body)}, headers: ${JSON.stringify(headers)} }
  const verified = (scheme, text) =>
    verifyWebhook(text, delivered.headers, {
      secret: '${secret}', scheme, brand: 'acme', now: () => new Date(${unixSeconds} * 1_000),
    }).then(({ id, event }) => [id, event.data.title], ({ name }) => name)
  return {
    titles,
    error: [isApiError(error, 'not_found'), error.code, error.status, typeof error.requestId],
    webhooks: [await verified('standard', delivered.body), await verified('own', delivered.body)],
    changed: [await verified('standard', delivered.body + ' '), await verified('own', delivered.body + ' ')],
    withKey: refusal(() => createClient({ baseUrl: location.origin, apiKey: 'wsk_x' })),
  }
}

function refusal(make) {
  try {
    return make()
  } catch ({ message }) {
    return message
  }
}

document.body.textContent = JSON.stringify(await story().catch(({ stack }) => stack))
document.body.id = 'told'
`

// The page may run scripts of its origin, and ask no other: the client needs no more than that.
const nonce = 'of-the-import-map'
const policy = `default-src 'none'; script-src 'self' 'nonce-${nonce}'; connect-src 'self'; img-src data:`

const page = (entry: string) => `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Page</title><link rel="icon" href="data:,">
<script type="importmap" nonce="${nonce}">{"imports":{"workspace-integration-client":"/package/${entry}"}}</script>
<script type="module" src="/main.js"></script><body></body></html>`

describeConsole('the TypeScript client in a page', () => {
  describeOnce('without a key', (mode) => {
    const { system, tenant } = sharedSystem(mode)
    let scratch = ''
    const asked: { readonly target: string; readonly authorization: string | undefined }[] = []
    let folder = ''

    beforeAll(() => {
      scratch = mkdtempSync(join(tmpdir(), 'wia-client-page-'))
      const built = join(scratch, 'built')
      buildPackage(built)
      folder = unpack(pack(built), scratch)
    })
    afterAll(() => rmSync(scratch, { recursive: true, force: true }))

    /** Adds the key to what the page asks of the product. */
    function passOn(request: IncomingMessage, response: ServerResponse): void {
      const { url: target = '', method } = request
      asked.push({ target, authorization: request.headers.authorization })
      const authorization = `Bearer ${tenant.secret}`
      const sent = { ...request.headers, host: new URL(system.url).host, authorization }
      const onward = ask(system.url + target, { method, headers: sent }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      onward.on('error', () => response.writeHead(502).end())
      request.pipe(onward)
    }

    const answer = (request: IncomingMessage, response: ServerResponse): void => {
      const { pathname } = new URL(request.url ?? '', 'http://page')
      if (pathname.startsWith('/api/')) return passOn(request, response)
      if (pathname === '/') {
        const { exports } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
        response.writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy })
        response.end(page(exports['.'].default.slice(2)))
        return
      }
      const script = pathname === '/main.js' ? program : readFileSync(join(folder, pathname.replace('/package/', '')))
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
    }

    test('it reads all pages of a list, throws typed errors, verifies deliveries, and takes no key', async () => {
      await using server = await listening(answer)
      const browser = await chromium.launch({ executablePath: chromiumBinary() ?? '', args: ['--no-sandbox'] })
      try {
        const shown = await browser.newPage()
        const complaints = noteComplaints(shown, server.url)
        await shown.goto(server.url)
        const told = await shown.locator('#told').textContent()

        expect(JSON.parse(told ?? '')).toEqual({
          titles: ['A', 'B', 'C'],
          error: [true, 'not_found', 404, 'string'],
          webhooks: [
            ['d-1', 'Ä'],
            ['d-1', 'Ä'],
          ],
          changed: Array(2).fill('WebhookError'),
          withKey: expect.stringContaining('A key in a page can be read by all who open it'),
        })
        expect(asked.filter(({ target }) => target.includes('/tasks?'))).toHaveLength(3)
        expect(asked.filter(({ authorization }) => authorization !== undefined)).toEqual([])
        expect(complaints).toEqual([])
      } finally {
        await browser.close()
      }
    })
  })
})
