// Changing one object of a collection: create and update.
import { Type } from 'typebox'
import { ExpectedVersion, closed } from '../shared-fields.ts'
import { operation } from '../operation.ts'
import { bodyLimitOf, createOf, patchOf, referenceTo, scope, type Declaration } from './declaration.ts'

export const create = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.create` as `${D['segment']}.create`,
    http: `POST /${declared.segment}`,
    summary: `Create a ${declared.singular}`,
    description: 'What is left out gets its default. Null makes a list empty; empty text stands for null.',
    scope: scope(declared, 'write'),
    input: closed(createOf(declared)),
    emptyTextIsNull: true,
    output: declared.resource,
    success: 201,
    errors: ['duplicate', 'reference_not_found', 'project_archived', ...(declared.writeErrors ?? [])],
    emits: [declared.events.created as D['events']['created']],
    ...bodyLimitOf(declared),
  })

export const update = <D extends Declaration>(declared: D) =>
  operation({
    name: `${declared.segment}.update` as `${D['segment']}.update`,
    http: `PATCH /${declared.segment}/{id}`,
    summary: `Change a ${declared.singular}`,
    description:
      'A JSON Merge Patch: fields left out stay, null clears (a list becomes empty), arrays replace. Empty text stands for null.',
    scope: scope(declared, 'write'),
    input: closed({ id: referenceTo(declared), expectedVersion: Type.Optional(ExpectedVersion), ...patchOf(declared) }),
    emptyTextIsNull: true,
    output: declared.resource,
    success: 200,
    errors: [
      ...(['not_found', 'duplicate', 'invalid_transition', 'reference_not_found'] as const),
      ...(['version_mismatch', 'project_archived'] as const),
      ...(declared.writeErrors ?? []),
    ],
    emits: [declared.events.updated as D['events']['updated'], ...(declared.alsoEmits ?? [])],
    ...bodyLimitOf(declared),
  })
