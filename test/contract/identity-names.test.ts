// Names that prove something are judged by how they look, wherever they are given.
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import type { SchemaNode } from '#contract/json-schema.ts'

const ofIdentities = new Set([
  'account',
  'accounts',
  'api-keys',
  'invitations',
  'members',
  'sessions',
  'setup',
  'webhooks',
  'workspaces',
])

/** The paths of all names that a call may give, with their formats. */
function namesIn({ properties = {} }: SchemaNode, path = ''): (readonly [string, string | undefined])[] {
  return Object.entries(properties).flatMap(([field, node]) => {
    const own = /^(name|\w+Name)$/.test(field)
      ? [[`${path}${field}`, (node as { readonly format?: string }).format] as const]
      : []
    return [...own, ...namesIn(node, `${path}${field}.`)]
  })
}

const given = operations
  .filter(({ name }) => ofIdentities.has(name.split('.')[0] ?? ''))
  .flatMap(({ name, input }) => namesIn(input as SchemaNode).map(([path, format]) => [name, path, format] as const))

test('names of people, keys, webhooks and workspaces have one format in every call that takes them', () => {
  expect(given.filter(([, , format]) => format !== 'identity-name')).toEqual([])
  expect(given.map(([name, path]) => `${name} ${path}`)).toEqual(
    expect.arrayContaining([
      'account.update name',
      'api-keys.create name',
      'api-keys.update name',
      'invitations.accept name',
      'members.add name',
      'members.update name',
      'setup.complete name',
      'setup.complete workspaceName',
      'webhooks.create name',
      'webhooks.update name',
      'workspaces.create name',
      'workspaces.create owner.name',
      'workspaces.update name',
      'workspaces.update-current name',
    ]),
  )
})
