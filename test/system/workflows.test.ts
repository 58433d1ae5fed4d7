// The Arazzo workflows, as they are downloaded: run against the product by a program of others, which holds each answer
// against the description as well.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { publicPaths } from '#contract/route-paths.ts'
import { lacksForeign } from '../support/foreign.ts'
import { startReceiver } from '../support/receiver.ts'
import { run } from '../support/run-program.ts'
import { describeMode, must, sharedSystem } from '../support/system.ts'

const cli = () => createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
const env = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

describeMode('the workflows', 'standalone', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  test.skipIf(lacksForeign)('run as they are served: import, sync over pages, rotate and receive', async () => {
    await using receiver = await startReceiver()
    const folder = mkdtempSync(join(tmpdir(), 'workflows-'))
    try {
      const text = await (await fetch(system.url + publicPaths.workflows)).text()
      writeFileSync(join(folder, 'workflows.arazzo.yaml'), text)
      const inputs = { key: tenant.secret, pageSize: '1', url: receiver.url }
      const { code, output } = await run(
        folder,
        process.execPath,
        [
          ...[cli(), 'respect', 'workflows.arazzo.yaml', '-J', 'results.json', '--skip', 'pages'],
          ...Object.entries(inputs).flatMap(([name, value]) => ['-i', `${name}=${value}`]),
        ],
        env,
      )

      expect([code, output]).toEqual([0, expect.stringMatching(/Workflows: 4 passed, 4 total/)])
      const results = readFileSync(join(folder, 'results.json'), 'utf8')
      expect(results).toContain('otherPages')
      expect(results).not.toContain(tenant.secret)
      const made = must(await tenant.api('GET', '/api/v1/crm-entities/by-external-id/erp/co-18'))
      expect(made.name).toBe('Globex Ltd')
      const [call] = await receiver.count(1)
      expect(JSON.parse(String(call?.body))).toMatchObject({ type: 'projects.created' })
      expect(must(await tenant.api('GET', '/api/v1/webhooks')).data).toEqual([])
      expect(must(await tenant.settings('GET', `/api-keys/${tenant.keyId}`)).previousSecretExpiresAt).not.toBeNull()
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
