// Which reads a replica may serve although it lacks something.
import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'
import { changes, tagOf } from '#contract/operation.ts'
import { underLock } from '../../../service/execution/replica-reads.ts'

test('it is said of each resource that is read in a workspace, and of no other', () => {
  const read = operations.filter((operation) => !changes(operation) && operation.tenancy === 'workspace')
  const resources = new Set(read.map(({ name }) => tagOf(name)))

  expect(Object.keys(underLock).toSorted()).toEqual([...resources].toSorted())
})
