// The tools for comments on projects, tasks and CRM entities.
import { Type } from 'typebox'
import { commented } from '../comments.ts'
import { closed } from '../shared-fields.ts'
import { answerArguments, idempotencyKey, words, type Tool } from './tool.ts'
import { pageItemsMax } from '../pagination.ts'

const subject = {
  type: words(commented),
  id: Type.String({ description: 'Id, identifier (WEB-42, WEB) or own id (ext:erp/17).' }),
}

const listTool: Tool = {
  name: 'comments.list',
  title: 'List comments',
  description:
    'Lists the comments on one object, newest first, with time, author and Markdown text. Long texts are cut unless `detail` is `full`. Documents have no comments. Example: {"type":"tasks","id":"WEB-42","limit":5}',
  toolset: 'context',
  scope: { byType: 'read' },
  input: closed({
    ...subject,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: pageItemsMax, description: 'Default 20.' })),
    cursor: Type.Optional(Type.String()),
    ...answerArguments,
  }),
  hints: { readOnly: true, destructive: false, idempotent: true },
}

const createTool: Tool = {
  name: 'comments.create',
  title: 'Create a comment',
  description:
    'Adds a comment in Markdown to an object; its author is this key. Use it to give a reason, to report or to ask. To change the object itself, use `<type>.update`. Returns the id. Example: {"type":"crm-entities","id":"0199a8f2-7c4e-7b6a-9d3f-2f1e5a6b7c8d","body":"Moved to proposal: **budget approved**."}',
  toolset: 'context',
  scope: { byType: 'write' },
  input: closed({ ...subject, body: Type.String({ minLength: 1, description: 'Markdown.' }), ...idempotencyKey }),
  hints: { readOnly: false, destructive: false, idempotent: false },
}

export const commentTools: readonly Tool[] = [createTool, listTool]
