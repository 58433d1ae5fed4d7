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

  const make = async (preset: PresetName) =>
    must(await tenant.settings('POST', '/api-keys', { name: `By ${preset}`, preset }))

  test.each(presetNames)('%s is stored as its scopes alone', async (preset) => {
    const { id, scopes, ...made } = await make(preset)

    const kept = must(await tenant.settings('GET', `/api-keys/${id}`))
    expect(scopes).toEqual(presetNamed(preset).scopes)
    expect(kept.scopes).toEqual(scopes)
    expect(made).not.toHaveProperty('preset')
  })

  test('each preset may do what it is for and nothing else', async () => {
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

    const statusesOf = async (preset: PresetName) => {
      const { secret } = await make(preset)
      const statuses: number[] = []
      for (const [method, path, body] of calls)
        statuses.push((await system.call(method, path, body, { authorization: `Bearer ${secret}` })).status)
      return [preset, statuses] as const
    }
    const found: (readonly [PresetName, number[]])[] = []
    for (const preset of ['read-only', 'agent', 'webhooks', 'sync'] as const) found.push(await statusesOf(preset))

    expect(Object.fromEntries(found)).toEqual({
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

  test('a key is created with scopes or a known preset, exactly one of the two', async () => {
    const both = await tenant.settings('POST', '/api-keys', { name: 'x', preset: 'sync', scopes: ['tasks:read'] })
    const neither = await tenant.settings('POST', '/api-keys', { name: 'x' })
    const unknown = await tenant.settings('POST', '/api-keys', { name: 'x', preset: 'everything' })

    const refusals = [both, neither, unknown].map(({ status, body: { errors } }) => {
      const [{ pointer, code }] = errors
      return [status, pointer, code]
    })
    expect(refusals).toEqual([
      [422, '/preset', 'not_unique'],
      [422, '/scopes', 'required'],
      [422, '/preset', 'not_in_list'],
    ])
  })
})
