// The catalogue of event types. That what is recorded fits it is tested in every-operation.test.ts and, of events that
// no call causes, in recorded-examples.test.ts.
import { expect, test } from 'vitest'
import { eventCatalogue } from '#contract/api.ts'
import { scopes } from '#contract/scopes.ts'
import { describeMode, must, sharedSystem } from '../support/system.ts'

type Kind = { readonly type: string; readonly summary: string; readonly scope: string; readonly schema: object }

describeMode('the catalogue of event types', 'standalone', (mode) => {
  const { system, tenant } = sharedSystem(mode)

  test('lists every event type with the scope that it needs, to any key', async () => {
    const poor = await tenant.key(['deliveries:read'])

    const kinds: Kind[] = must(await poor.api('GET', '/api/v1/event-types')).data

    expect(kinds.map(({ type }) => type)).toEqual(eventCatalogue.map(({ type }) => type))
    for (const { type, summary, scope, schema } of kinds) {
      expect(scopes).toContain(scope)
      expect(summary).not.toBe('')
      expect(schema).toMatchObject({ title: type, type: 'object', additionalProperties: false })
    }
    expect(await system.operator('GET', '/settings/api/event-types')).toMatchObject({ status: 200 })
  })
})
