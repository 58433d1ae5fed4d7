// The published Python client: its own tests, its types, and a story against the product. Each is skipped where this
// machine has no Python.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { lacksForeign } from '../../support/foreign.ts'
import { run } from '../../support/run-program.ts'
import { signedHeaders, signingKeys } from '#contract/internal/webhook-request.ts'
import { describeOnce, sharedSystem } from '../../support/system.ts'

const root = join(import.meta.dirname, '../../..')
const folder = join(root, 'clients/python')
const lacksPython = spawnSync('python3', ['--version']).status !== 0

// It leaves no compiled files in the working copy.
const python = (args: readonly string[], env = {}) => run(folder, 'python3', ['-B', ...args], env)

describe.skipIf(lacksPython)('the Python client', () => {
  test('its own tests pass: failures, batches, the feed, signatures and the fake server', async () => {
    const { code, output } = await python(['tests/test_client.py'])

    expect([code, output]).toEqual([0, expect.stringMatching(/Ran \d+ tests in [^]*\nOK\n$/)])
  })

  test('it has a method for every operation of the API', async () => {
    const names = operations.filter(({ audiences }) => audiences.includes('api')).map(({ name }) => name)
    const program = `
import json, sys
sys.path.insert(0, "src")
from workspace_client import Client
client = Client("http://api")
def has(name):
    group, method = [part.replace("-", "_") for part in name.split(".")]
    return callable(getattr(getattr(client, group, None), method, None))
print(json.dumps([name for name in json.loads(sys.argv[1]) if not has(name)]))
`
    const { output } = await python(['-c', program, JSON.stringify(names)])

    expect(JSON.parse(output)).toEqual([])
  })

  test('it verifies both signatures of the dispatcher', async () => {
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const body = Buffer.from('{"type":"tasks.created","data":{"title":"Ä"}}')
    const delivery = { deliveryId: 'd-1', eventType: 'tasks.created', traceparent: null, headers: {}, body }
    const unixSeconds = 1_800_000_000
    const headers = signedHeaders('acme', { ...delivery, unixSeconds }, [signingKeys(secret)])
    const program = `
import json, sys
sys.path.insert(0, "src")
from workspace_client import verify_webhook
headers, body, secret, now = json.loads(sys.argv[1])
for scheme in ("standard", "own"):
    delivery = verify_webhook(body.encode(), headers, secret, scheme, "acme", now=now)
    print(delivery.id, delivery.event["data"]["title"] == "\\u00c4")
`
    const { code, output } = await python(['-c', program, JSON.stringify([headers, String(body), secret, unixSeconds])])

    expect([code, output]).toEqual([0, 'd-1 True\nd-1 True\n'])
  })

  test('it depends on nothing, and has the version of the product', () => {
    const manifest = readFileSync(join(folder, 'pyproject.toml'), 'utf8')
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

    expect(manifest).toContain('dependencies = []')
    expect(manifest).toContain(`version = "${version}"`)
    expect(readFileSync(join(folder, 'src/workspace_client/send.py'), 'utf8')).toContain(`VERSION = "${version}"`)
  })

  test.skipIf(lacksForeign)(
    'pyright in its strict mode finds its types right, and those of programs that use it',
    async () => {
      const pyright = join(root, 'test/node_modules', 'pyright/index.js')

      const { code, output } = await run(folder, process.execPath, [pyright, '--project', folder], {})

      expect([code, output]).toEqual([0, expect.stringContaining('0 errors, 0 warnings')])
    },
  )
})

describeOnce('the Python client against the product', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  test.skipIf(lacksPython)('tells a story, the fake server tells the same, and bytes go there and back', async () => {
    const { code, output } = await python(['tests/story.py'], { URL: system.url, KEY: tenant.secret })

    expect([code, output]).toEqual([0, expect.stringMatching(/^\[/)])
    const [product, fake, bytes] = JSON.parse(output)
    expect(fake).toEqual(product)
    expect(product.listed).toEqual(['F', 'D', 'B', 'A'])
    expect(product.refused.map(([code]: [string]) => code)).toEqual([
      'version_mismatch',
      'not_found',
      'precondition_failed',
    ])
    expect(bytes).toBe('minutes')
  })
})
