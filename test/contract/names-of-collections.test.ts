import { expect, test } from 'vitest'
import { operations } from '#contract/api.ts'

test('the operations of each collection have these names and addresses', () => {
  expect(
    addressesOf(
      /^(projects|tasks|crm-entities|documents)\.(?!.*comment|list-tasks|(un)?archive|merge|read-content|edit)/,
    ),
  ).toEqual({
    'projects.list': 'GET /projects',
    'projects.get': 'GET /projects/{id}',
    'projects.count': 'GET /projects/count',
    'projects.create': 'POST /projects',
    'projects.update': 'PATCH /projects/{id}',
    'projects.delete': 'DELETE /projects/{id}',
    'projects.restore': 'POST /projects/{id}/restore',
    'projects.purge': 'POST /projects/{id}/purge',
    'projects.get-by-external-id': 'GET /projects/by-external-id/{source}/{externalId}',
    'projects.upsert': 'PUT /projects/by-external-id/{source}/{externalId}',
    'projects.delete-by-external-id': 'DELETE /projects/by-external-id/{source}/{externalId}',
    'projects.batch': 'POST /projects/batch',
    'tasks.list': 'GET /tasks',
    'tasks.get': 'GET /tasks/{id}',
    'tasks.count': 'GET /tasks/count',
    'tasks.create': 'POST /tasks',
    'tasks.update': 'PATCH /tasks/{id}',
    'tasks.delete': 'DELETE /tasks/{id}',
    'tasks.restore': 'POST /tasks/{id}/restore',
    'tasks.purge': 'POST /tasks/{id}/purge',
    'tasks.get-by-external-id': 'GET /tasks/by-external-id/{source}/{externalId}',
    'tasks.upsert': 'PUT /tasks/by-external-id/{source}/{externalId}',
    'tasks.delete-by-external-id': 'DELETE /tasks/by-external-id/{source}/{externalId}',
    'tasks.batch': 'POST /tasks/batch',
    'crm-entities.list': 'GET /crm-entities',
    'crm-entities.get': 'GET /crm-entities/{id}',
    'crm-entities.count': 'GET /crm-entities/count',
    'crm-entities.create': 'POST /crm-entities',
    'crm-entities.update': 'PATCH /crm-entities/{id}',
    'crm-entities.delete': 'DELETE /crm-entities/{id}',
    'crm-entities.restore': 'POST /crm-entities/{id}/restore',
    'crm-entities.purge': 'POST /crm-entities/{id}/purge',
    'crm-entities.get-by-external-id': 'GET /crm-entities/by-external-id/{source}/{externalId}',
    'crm-entities.upsert': 'PUT /crm-entities/by-external-id/{source}/{externalId}',
    'crm-entities.delete-by-external-id': 'DELETE /crm-entities/by-external-id/{source}/{externalId}',
    'crm-entities.batch': 'POST /crm-entities/batch',
    'documents.list': 'GET /documents',
    'documents.get': 'GET /documents/{id}',
    'documents.count': 'GET /documents/count',
    'documents.create': 'POST /documents',
    'documents.update': 'PATCH /documents/{id}',
    'documents.delete': 'DELETE /documents/{id}',
    'documents.restore': 'POST /documents/{id}/restore',
    'documents.purge': 'POST /documents/{id}/purge',
    'documents.get-by-external-id': 'GET /documents/by-external-id/{source}/{externalId}',
    'documents.upsert': 'PUT /documents/by-external-id/{source}/{externalId}',
    'documents.delete-by-external-id': 'DELETE /documents/by-external-id/{source}/{externalId}',
    'documents.batch': 'POST /documents/batch',
  })
})

test('the operations on comments have these names and addresses', () => {
  expect(addressesOf(/comment/)).toEqual({
    'projects.list-comments': 'GET /projects/{id}/comments',
    'projects.get-comment': 'GET /projects/{id}/comments/{commentId}',
    'projects.create-comment': 'POST /projects/{id}/comments',
    'projects.update-comment': 'PATCH /projects/{id}/comments/{commentId}',
    'projects.delete-comment': 'DELETE /projects/{id}/comments/{commentId}',
    'tasks.list-comments': 'GET /tasks/{id}/comments',
    'tasks.get-comment': 'GET /tasks/{id}/comments/{commentId}',
    'tasks.create-comment': 'POST /tasks/{id}/comments',
    'tasks.update-comment': 'PATCH /tasks/{id}/comments/{commentId}',
    'tasks.delete-comment': 'DELETE /tasks/{id}/comments/{commentId}',
    'crm-entities.list-comments': 'GET /crm-entities/{id}/comments',
    'crm-entities.get-comment': 'GET /crm-entities/{id}/comments/{commentId}',
    'crm-entities.create-comment': 'POST /crm-entities/{id}/comments',
    'crm-entities.update-comment': 'PATCH /crm-entities/{id}/comments/{commentId}',
    'crm-entities.delete-comment': 'DELETE /crm-entities/{id}/comments/{commentId}',
  })
})

test('what documents have beside that has these names and addresses', () => {
  expect(addressesOf(/^documents\.(read-content|edit)$/)).toEqual({
    'documents.read-content': 'GET /documents/{id}/content',
    'documents.edit': 'POST /documents/{id}/edit',
  })
})

const addressesOf = (pattern: RegExp): Readonly<Record<string, string>> =>
  Object.fromEntries(operations.filter(({ name }) => pattern.test(name)).map(({ name, http }) => [name, http]))
