// Keys for the usual purposes, made by the operator: what each of them may do, and what not.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { presetNamed, presetNames, type PresetName } from '#contract/key-preset.ts'
import { run } from '../support/run-program.ts'
import { describeMode, must, sharedSystem } from '../support/system.ts'

const root = join(import.meta.dirname, '../..')

// Presets are scopes before anything is stored.
describeMode('keys by preset', 'standalone', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  test('each preset is stored as its scopes alone, and may do what it is for and nothing else', async () => {
    const found: Partial<Record<PresetName, number[]>> = {}
    for (const preset of presetNames) {
      const { id, secret, scopes, ...made } = must(await tenant.settings('POST', '/api-keys', { name: preset, preset }))
      expect(made).not.toHaveProperty('preset')
      expect(scopes).toEqual(presetNamed(preset).scopes)
      expect(must(await tenant.settings('GET', `/api-keys/${id}`)).scopes).toEqual(scopes)
      const project = must(await tenant.api('POST', '/api/v1/projects', { name: 'Preset' }))
      const webhook = { name: 'Preset', url: 'http://127.0.0.1:9000/', eventTypes: ['projects.*', 'members.*'] }
      const calls = [
        ['GET', `/api/v1/projects/${project.id}`],
        ['GET', '/api/v1/events'],
        ['PATCH', `/api/v1/projects/${project.id}`, { name: 'Changed' }],
        ['POST', '/api/v1/webhooks', webhook],
        ['GET', '/api/v1/audit-entries'],
        ['DELETE', `/api/v1/projects/${project.id}`],
      ] as const
      const statuses: number[] = []
      for (const [method, path, body] of calls)
        statuses.push((await system.call(method, path, body, { authorization: `Bearer ${secret}` })).status)
      found[preset] = statuses
    }

    expect(found).toMatchObject({
      'read-only': [200, 200, 403, 403, 403, 403],
      agent: [200, 200, 200, 403, 403, 403],
      webhooks: [200, 200, 403, 201, 403, 403],
      sync: [200, 200, 200, 403, 403, 204],
    })
  })

  test('the commands of the README make a second key that works', async () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    const [, block = ''] = /## A second key\n[^]*?```sh\n([^]*?)```/.exec(readme) ?? []
    const commands = block
      .replaceAll('http://127.0.0.1:8080', system.url)
      .replace('$(cat data/operator-token)', system.operatorToken)

    const { code, output } = await run(root, 'bash', ['-euc', commands], {})

    const made = JSON.parse(output)
    const me = await system.call('GET', '/api/v1/me', undefined, { authorization: `Bearer ${made.secret}` })
    expect([code, made.scopes, me.status]).toEqual([0, presetNamed('sync').scopes, 200])
  })
})
